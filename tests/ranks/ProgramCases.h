//===- ProgramCases.h - the three programs on shapes ----------------------===//
//
// A case is one program at one level on one shape, compiled. It runs in a world
// of as many ranks and is checked bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_RANKS_PROGRAMCASES_H
#define TILEWIRE_TESTS_RANKS_PROGRAMCASES_H

#include "Programs.h"
#include "Ranks.h"

namespace tilewire::test {

/// What one world runs: a program at a level on a shape.
struct Case {
  sequence_parallel::AllToAllProgram program;
  sequence_parallel::Options options;
  KernelSource source =
      compile(sequence_parallel::buildProgram(program, options));

  std::string describe() const;
};

/// The programs at both levels: `number` 0 to 5. `targetCtas` is for the one
/// that chooses its blocks.
Case makeCase(int number, const sequence_parallel::Shape &shape,
              int64_t targetCtas = 65536);

/// Launches twice in `world` and checks each; the host names what is wrong.
void runCase(World &world, const Case &test);

/// Runs the cases, all for as many ranks, in one world.
void runAll(const std::vector<Case> &cases,
            const std::function<void(World &, const Case &)> &run = runCase);

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_RANKS_PROGRAMCASES_H
