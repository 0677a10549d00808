//===- Packing.h - the copies around an all-to-all of equal pieces --------===//
//
// What a program does in one kernel takes three steps with a library that only
// exchanges pieces of consecutive bytes: pack, exchange, unpack. The two copies
// are kernels written by hand, without the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_PACKING_H
#define TILEWIRE_EXAMPLES_PACKING_H

#include "Run.h"

namespace sequence_parallel {

/// Two kernels, each from `src` to `dst`; pieces are one flat tensor, in the
/// order of the ranks that they go to or come from.
struct Packing {
  tilewire::KernelSource pack;   ///< input to pieces, each in output's order
  tilewire::KernelSource unpack; ///< pieces to output
};

/// The packing of `program`, compiled to `source`.
Packing makePacking(const AllToAllProgram &program,
                    const tilewire::KernelSource &source);

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_PACKING_H
