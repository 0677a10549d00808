//===- KernelLaunch.cpp - a launch as work of a stream --------------------===//

#include "runtime/emulator/KernelLaunch.h"

#include "runtime/emulator/Grid.h"

#include <optional>
#include <utility>

namespace tilewire::emulator {

namespace {

/// A launch that is queued or runs.
class Launch final : public Work {
public:
  Launch(LaunchRequest request, StackPool &stacks)
      : request(std::move(request)), stacks(stacks) {}

  Outcome run(unsigned turns) override {
    if (!grid)
      grid.emplace(request, stacks);
    return grid->run(turns);
  }

private:
  const LaunchRequest request;
  StackPool &stacks;
  std::optional<Grid> grid;
};

} // namespace

std::unique_ptr<Work> makeLaunch(LaunchRequest request, StackPool &stacks) {
  return std::make_unique<Launch>(std::move(request), stacks);
}

} // namespace tilewire::emulator
