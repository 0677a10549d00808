//===- Pipeline.h - the steps from tile IR to printable cuda IR -----------===//
//
// For compile() and lower(), which run it; knows no program.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PIPELINE_H
#define TILEWIRE_COMPILER_PIPELINE_H

#include "mlir/Pass/PassManager.h"

#include <optional>
#include <string_view>

namespace tilewire {

/// Adds the pipeline's steps up to and with the one called `stopAfter`, or all
/// without one. UserError when no step is called so.
void buildPipeline(mlir::PassManager &passes,
                   std::optional<std::string_view> stopAfter);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PIPELINE_H
