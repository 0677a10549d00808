//===- KernelLaunch.h - one launch of a kernel ----------------------------===//
//
// What a launch needs, and the launch as work of a stream. Knows no threads.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_KERNELLAUNCH_H
#define TILEWIRE_RUNTIME_EMULATOR_KERNELLAUNCH_H

#include "runtime/emulator/AccessMap.h"
#include "runtime/emulator/IssueQueue.h"
#include "runtime/emulator/Module.h"
#include "runtime/emulator/StackPool.h"

#include <memory>

namespace tilewire::emulator {

/// A kernel as loaded; launches that are queued keep it alive.
struct RunnableKernel {
  Module module;
  KernelSource source;
};

/// Everything that one launch needs.
struct LaunchRequest {
  std::shared_ptr<const RunnableKernel> kernel;
  tw::World table;
  AccessMap accesses;
  std::vector<uint64_t> arguments; ///< addresses of tensors, then numbers
  unsigned numBlocks;
  uint64_t seed;
  bool findsRaces;
};

/// The launch, which begins when it first runs. UserError for an access outside
/// its tensors, a peer that does not exist, a division by zero, threads of a
/// block at different barriers, or a thread that keeps the others waiting for
/// half as long as they may wait for a peer; the launch then stops where it is.
/// So it does, without an error, when the abort word finds it in a loop.
std::unique_ptr<Work> makeLaunch(LaunchRequest request, StackPool &stacks);

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_KERNELLAUNCH_H
