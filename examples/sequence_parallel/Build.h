//===- Build.h - the three programs as tile programs ----------------------===//
//
// From a shape to the tensors, and from a compiled kernel back to what it
// moves. Where key and value heads are given, query heads are cut by whole
// groups: "KV" groups of "G" heads, in memory like H of them. Parameters are a
// pair of tensors, input and output, and where keys and values move too,
// another for them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXAMPLES_BUILD_H
#define TILEWIRE_EXAMPLES_BUILD_H

#include "Data.h"
#include "Run.h"

namespace sequence_parallel {

/// The tile program at the level that the options ask for. UserError when heads
/// make no groups, or none that the ranks can have.
tilewire::Program buildProgram(const AllToAllProgram &program,
                               const Options &options);

/// What `program`, compiled to `source`, moves, pair by pair; of a kernel whose
/// launches give extents, at the bounds.
std::vector<Exchange> exchangesOf(const AllToAllProgram &program,
                                  const tilewire::KernelSource &source);

/// What it moves from its first input.
inline Exchange exchangeOf(const AllToAllProgram &program,
                           const tilewire::KernelSource &source) {
  return exchangesOf(program, source).front();
}

/// What a launch on `shape` gives the parameters of `source`: nothing where it
/// has none.
tilewire::LaunchValues valuesOf(const tilewire::KernelSource &source,
                                const Shape &shape);

/// The kernel as if its tensors' extents were those of one launch.
tilewire::KernelSource sourceAt(const tilewire::KernelSource &source,
                                const tilewire::LaunchValues &values);

} // namespace sequence_parallel

#endif // TILEWIRE_EXAMPLES_BUILD_H
