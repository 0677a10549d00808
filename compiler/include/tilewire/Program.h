//===- Program.h - a tile program as a value ------------------------------===//
//
// What ProgramBuilder builds and compile() takes. Holds tile IR without showing
// it: no MLIR type appears in a public header.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_PROGRAM_H
#define TILEWIRE_PROGRAM_H

#include <tilewire/Export.h>

#include <memory>
#include <string>
#include <string_view>

namespace tilewire {

/// A verified tile program. Copies share it; it never changes. Any thread may
/// compile, lower or print any copy, at any time.
class TILEWIRE_API Program {
public:
  /// Reads tile IR. UserError with "name:line:column: ..." when it is
  /// malformed, nests deeper than 256, or is larger than 16 MiB.
  static Program parse(std::string_view text, std::string_view name = "ir");

  /// The program as MLIR text, with the user's names and places.
  std::string ir() const;

  struct State;
  explicit Program(std::shared_ptr<State> state) : impl(std::move(state)) {}
  State &state() const { return *impl; }

private:
  std::shared_ptr<State> impl;
};

} // namespace tilewire

#endif // TILEWIRE_PROGRAM_H
