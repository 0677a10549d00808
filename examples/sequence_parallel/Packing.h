//===- Packing.h - the copies around an all-to-all of pieces --------------===//
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

/// Two kernels, each from `src` to `dst`. Pieces lie one after another, in the
/// order of the ranks that they go to or come from, in a tensor of the input's
/// or the output's shape.
struct Packing {
  tilewire::KernelSource pack;    ///< input to pieces, each in output's order
  tilewire::KernelSource unpack;  ///< pieces to output
  std::vector<int64_t> bytesTo;   ///< of the piece for each rank
  std::vector<int64_t> bytesFrom; ///< of the piece from each rank
};

/// The packing of `program`, compiled to `source`, on `rank`.
Packing makePacking(const AllToAllProgram &program,
                    const tilewire::KernelSource &source, int rank);

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_PACKING_H
