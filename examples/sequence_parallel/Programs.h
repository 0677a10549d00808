//===- Programs.h - the three programs ------------------------------------===//
//
// Each is described in the file of its name. They do what TileScale's examples
// of sequence parallelism do; those are "the reference", whose grid, threads
// and map from block to work the block level keeps. For the executables and for
// the tests, which run them on worlds of their own.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_PROGRAMS_H
#define TILEWIRE_EXAMPLES_PROGRAMS_H

#include "Build.h"

namespace sequence_parallel {

/// One if item `i` is among those that `rank` has of `extent`, which is
/// constant where every rank has as many, else 0; `i` is below the most of any
/// rank.
tilewire::Index oneIfOwned(tilewire::Block &block,
                           const tilewire::Extent &extent,
                           const tilewire::Index &rank,
                           const tilewire::Index &i);

AllToAllProgram preAttnAllToAll();
AllToAllProgram preAttnAllToAllTranspose();
AllToAllProgram postAttnAllToAllTranspose();

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_PROGRAMS_H
