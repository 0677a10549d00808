//===- SourceLimits.h - what is refused before parsing --------------------===//
//
// MLIR's parser recurses and trusts its input; these limits keep it from
// running out of stack. For Program::parse and tilewire-opt; knows no MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_SOURCELIMITS_H
#define TILEWIRE_COMPILER_SOURCELIMITS_H

#include <optional>
#include <string>
#include <string_view>

namespace tilewire {

/// The largest text of tile IR that is read, in bytes.
inline constexpr size_t maxSourceBytes = 16 << 20;

/// The deepest nesting of brackets that is read, those of aliases included.
inline constexpr int maxSourceNesting = 256;

/// The largest text of tile IR, in bytes, when every alias is written out.
inline constexpr size_t maxExpandedBytes = 64 << 20;

/// Why `text` must not be parsed, as "line:column: ...", or nothing.
std::optional<std::string> sourceLimitExceeded(std::string_view text);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_SOURCELIMITS_H
