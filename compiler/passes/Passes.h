//===- Passes.h - the passes of the compiler ------------------------------===//
//
// Constructors and registration of the passes in Passes.td, for the pipeline
// (Pipeline.cpp) and for tilewire-opt.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PASSES_H
#define TILEWIRE_COMPILER_PASSES_H

#include "dialects/Cuda/Cuda.h"
#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"

namespace tilewire {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/passes/Passes.h.inc"

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PASSES_H
