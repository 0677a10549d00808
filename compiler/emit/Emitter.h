//===- Emitter.h - cuda IR to CUDA text -----------------------------------===//
//
// Spells a cuda kernel whose names are legal and whose ops are printable; it
// decides nothing. Called by compile() once the pipeline has run.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_EMITTER_H
#define TILEWIRE_COMPILER_EMITTER_H

#include "dialects/Cuda/Cuda.h"

#include <tilewire/KernelSource.h>

namespace tilewire {

/// The kernel as text, with what a launch has to know.
KernelSource emitKernel(cuda::KernelOp kernel);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_EMITTER_H
