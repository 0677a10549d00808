//===- Grid.cpp - gives the threads of a launch their turns ---------------===//

#include "runtime/emulator/Grid.h"

#include "runtime/emulator/StackSwitch.h"

#include <tilewire/Error.h>

#include <algorithm>
#include <utility>

namespace tilewire::emulator {

using boost::context::preallocated;

/// One hold of so many is patient: that takes long on a busy machine.
static constexpr unsigned holdsPerPatient = 4;

Grid::Grid(const LaunchRequest &request, StackPool &stacks)
    : request(request), stacks(stacks),
      current(request.kernel->module.current()), kept(), random(request.seed),
      holdRandom(request.seed), hold(request.table) {
  const unsigned threadsPerBlock =
      unsigned(request.kernel->source.launch.threads);
  blocks.reserve(request.numBlocks);
  threads.reserve(std::size_t(request.numBlocks) * threadsPerBlock);
  for (unsigned block = 0; block < request.numBlocks; ++block) {
    blocks.push_back({block, threadsPerBlock});
    if (request.findsRaces)
      blocks.back().races.emplace();
    for (unsigned thread = 0; thread < threadsPerBlock; ++thread) {
      threads.push_back({&blocks.back(), thread, fiber(), stack_context()});
      ready.push_back(&threads.back());
    }
  }
  untilHold = unsigned(holdRandom() % holdWithin);
  kept.hooks = this;
  kept.blockDim = {threadsPerBlock, 1, 1};
  kept.gridDim = {request.numBlocks, 1, 1};
  kept.iterations = iterationsPerLook;
}

Grid::~Grid() {
  for (Thread &thread : threads)
    if (thread.continuation) {
      const StackSwitch toThread(thread.stack);
      thread.continuation = fiber();
    }
}

Work::Outcome Grid::run(unsigned turns) {
  // Another launch of the image may have run since.
  current = kept;
  const Work::Outcome outcome = takeTurns(turns);
  kept = current;
  if (outcome == Work::Outcome::Waits)
    hold.countStall();
  return outcome;
}

Work::Outcome Grid::takeTurns(unsigned turns) {
  if (isHeld && !hold.isOver())
    return Work::Outcome::Waits;
  isHeld = false;
  for (unsigned turn = 0; turn < turns && !isHeld; ++turn) {
    if (ready.empty() && polling.empty() && held.empty()) {
      checkEnd();
      return Work::Outcome::Done;
    }
    if (ready.empty() && !refill())
      return Work::Outcome::Waits;
    step(takeRandom());
    if (problem)
      throw UserError(*problem);
    if (ended)
      return Work::Outcome::Done;
  }
  return Work::Outcome::Goes;
}

/// Makes threads ready; false when all they can do is look again, later.
bool Grid::refill() {
  const bool isStuck = !std::exchange(progressed, false) || polling.empty();
  if (isStuck && !held.empty() && hold.isOver()) {
    ready.swap(held);
    return progressed = true;
  }
  ready.swap(polling);
  return !isStuck;
}

void Grid::checkEnd() const {
  // A barrier opens when the last live thread arrives or returns.
  for (const Block &block : blocks)
    if (block.live != 0)
      throw InternalError("expected every thread of block " +
                          std::to_string(block.index) +
                          " to return, got some parked for ever");
}

Thread &Grid::takeRandom() {
  std::swap(ready[random() % ready.size()], ready.back());
  Thread *thread = ready.back();
  ready.pop_back();
  return *thread;
}

void Grid::step(Thread &thread) {
  ++steps;
  running = &thread;
  current.threadIdx = {thread.index, 0, 0};
  current.blockIdx = {thread.block->index, 0, 0};
  if (!thread.continuation)
    start(thread);
  {
    const StackSwitch toThread(thread.stack);
    thread.continuation = std::move(thread.continuation).resume();
  }
  if (thread.continuation)
    return;
  progressed = true;
  --thread.block->live;
  releaseIfComplete(*thread.block);
}

void Grid::start(Thread &thread) {
  thread.stack = stacks.allocate();
  thread.continuation = fiber(
      std::allocator_arg,
      preallocated(thread.stack.sp, thread.stack.size, thread.stack),
      StackPool::Releaser{&stacks}, [this](fiber &&caller) {
        const FiberLife life(schedulerStack);
        scheduler = std::move(caller);
        request.kernel->module.call(request.table, request.arguments.data());
        return std::move(scheduler);
      });
}

void Grid::suspend() {
  const StackSwitch toScheduler(schedulerStack);
  scheduler = std::move(scheduler).resume();
}

/// After a release: what comes later in this thread, or in all of the launch,
/// may be late, for as long as peers need to act on the release.
void Grid::holdNowAndThen() {
  hold.countRelease();
  if (untilHold-- > 0)
    return;
  holdWithin = std::min(2 * holdWithin, 1u << 30);
  untilHold = unsigned(holdRandom() % holdWithin);
  isHeld = holdRandom() % 2 != 0;
  hold.begin(holdRandom() % holdsPerPatient == 0);
  (isHeld ? ready : held).push_back(running);
  suspend();
}

void Grid::releaseIfComplete(Block &block) {
  if (block.parked.empty() || block.parked.size() != block.live)
    return;
  block.lastCondition = block.condition;
  block.condition = false;
  ready.insert(ready.end(), block.parked.begin(), block.parked.end());
  block.parked.clear();
  if (block.races)
    block.races->meet();
  progressed = true;
}

} // namespace tilewire::emulator
