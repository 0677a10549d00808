//===- Grid.cpp - runs one launch -----------------------------------------===//

#include "runtime/emulator/Grid.h"

#include "runtime/FormatTime.h"
#include "runtime/emulator/StackSwitch.h"

#include <tilewire/Error.h>

#include <boost/context/fiber.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <random>
#include <utility>

namespace tilewire::emulator {

using boost::context::fiber;
using boost::context::preallocated;
using tw::emulator::Address;
using tw::emulator::Span;

namespace {

/// The first hold of a launch comes within so many releases, the next within
/// twice as many, and so on: a launch of many releases has few.
constexpr unsigned releasesToFirstHold = 8;

/// The longest hold: peers that poll look several times meanwhile.
constexpr unsigned long long longestHoldNs = 1000000;

/// Iterations of loops between two looks: milliseconds.
constexpr unsigned iterationsPerLook = 1 << 16;

struct Block;

struct Thread {
  Block *block;
  unsigned index;
  fiber continuation;  ///< empty before the first step and after the last
  stack_context stack; ///< of `continuation`
};

struct SharedArray {
  const void *site;
  std::unique_ptr<char[]> bytes;
};

struct Block {
  unsigned index;
  unsigned live; ///< threads that have not returned
  std::vector<Thread *> parked = {};
  const char *site = nullptr; ///< the barrier where they are parked
  bool condition = false;     ///< whether any of those parked brought true
  bool lastCondition = false; ///< of the barrier completed last
  std::vector<SharedArray> sharedArrays = {};
};

class Grid final : private tw::emulator::Hooks {
public:
  Grid(const LaunchRequest &request, StackPool &stacks);
  /// Unwinds the threads that are parked.
  ~Grid();
  Work::Outcome run(unsigned turns);

private:
  // Called from kernel threads.
  void load(void *value, Address address, unsigned width) override;
  void store(Address address, const void *value, unsigned width) override;
  void badOffset(Address tensor, long offset) override;
  void badPeer(Address peer) override;
  void look(const char *site) override;
  void checkFailed(int number, long value) override;
  void divisionByZero(const char *file, unsigned line) override;
  void storeRelease(unsigned *word, unsigned value) override;
  unsigned addAcquireRelease(unsigned *word, unsigned value) override;
  unsigned long long nanoseconds() override;
  void pause() override;
  bool sync(const char *site, bool condition) override;
  void *sharedArray(const void *site, Address bytes) override;

  void suspend();
  void holdNowAndThen();
  [[noreturn]] void stop(const std::string &problem);
  [[noreturn]] void leave();

  // Called by the scheduler.
  Work::Outcome takeTurns(unsigned turns);
  bool refill();
  void checkEnd() const;
  Thread &takeRandom();
  void step(Thread &thread);
  void start(Thread &thread);
  void releaseIfComplete(Block &block);

  const LaunchRequest &request;
  StackPool &stacks;
  tw::emulator::Current &current; ///< that of the image
  tw::emulator::Current kept;     ///< what it was when this launch ran last
  std::mt19937_64 random;

  fiber scheduler;              ///< where `suspend` goes
  stack_context schedulerStack; ///< known once a fiber has begun
  Thread *running = nullptr;    ///< whose step it is
  bool ended = false;           ///< by a thread that left
  std::optional<std::string> problem;
  uint64_t steps = 0;
  uint64_t stepSeen = 0;            ///< the step at the last look
  unsigned long long firstSeen = 0; ///< when a look saw that step first
  /// Whether any thread did more than poll since the last look.
  bool progressed = true;

  unsigned holdWithin = releasesToFirstHold;
  unsigned untilHold; ///< releases
  unsigned long long holdEnd = 0;
  bool isHeld = false; ///< the whole launch

  std::vector<Block> blocks;
  std::vector<Thread *> held;    ///< may run once no other does, and holdEnd
  std::vector<Thread *> ready;   ///< may run now
  std::vector<Thread *> polling; ///< may run once all that are ready have
  std::vector<Thread> threads;
};

Grid::Grid(const LaunchRequest &request, StackPool &stacks)
    : request(request), stacks(stacks),
      current(request.kernel->module.current()), kept(), random(request.seed) {
  const unsigned threadsPerBlock =
      unsigned(request.kernel->source.launch.threads);
  blocks.reserve(request.numBlocks);
  threads.reserve(std::size_t(request.numBlocks) * threadsPerBlock);
  for (unsigned block = 0; block < request.numBlocks; ++block) {
    blocks.push_back({block, threadsPerBlock});
    for (unsigned thread = 0; thread < threadsPerBlock; ++thread) {
      threads.push_back({&blocks.back(), thread, fiber(), stack_context()});
      ready.push_back(&threads.back());
    }
  }
  untilHold = unsigned(random() % holdWithin);
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
  return outcome;
}

Work::Outcome Grid::takeTurns(unsigned turns) {
  if (isHeld && nanoseconds() < holdEnd)
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
  if (isStuck && !held.empty() && nanoseconds() >= holdEnd) {
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
/// may be late, for longer than peers need to see the release.
void Grid::holdNowAndThen() {
  if (untilHold-- > 0)
    return;
  holdWithin = std::min(2 * holdWithin, 1u << 30);
  untilHold = unsigned(random() % holdWithin);
  isHeld = random() % 2 != 0;
  // By whom else would it be seen?
  const bool hasPeers = request.table.numRanks > 1;
  holdEnd = hasPeers ? nanoseconds() + random() % longestHoldNs : 0;
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
  progressed = true;
}

void Grid::stop(const std::string &what) {
  problem = "kernel '" + request.kernel->source.entry + "' on rank " +
            std::to_string(request.table.rank) + ", block " +
            std::to_string(running->block->index) + ", thread " +
            std::to_string(running->index) + ": " + what;
  leave();
}

void Grid::leave() {
  ended = true;
  while (true)
    suspend();
}

void Grid::load(void *value, Address address, unsigned width) {
  const Span *span = request.accesses.find(address, width);
  if (!span)
    stop(request.accesses.explain("a load", address, width));
  current.loads = *span;
  std::memcpy(value, reinterpret_cast<const void *>(address), width);
}

void Grid::store(Address address, const void *value, unsigned width) {
  const Span *span = request.accesses.find(address, width);
  if (!span)
    stop(request.accesses.explain("a store", address, width));
  current.stores = *span;
  std::memcpy(reinterpret_cast<void *>(address), value, width);
}

void Grid::badOffset(Address tensor, long offset) {
  stop(request.accesses.explainOffset(tensor, offset));
}

void Grid::badPeer(Address peer) {
  const int numRanks = request.table.numRanks;
  stop("expected a peer from 0 to " + std::to_string(numRanks - 1) +
       ", as there are " + std::to_string(numRanks) + " ranks, got " +
       std::to_string(peer));
}

void Grid::look(const char *site) {
  current.iterations = iterationsPerLook;
  if (__atomic_load_n(&request.table.report->abort, __ATOMIC_ACQUIRE) != 0)
    leave();
  const unsigned long long now = nanoseconds();
  if (stepSeen != steps) {
    stepSeen = steps;
    firstSeen = now;
  }
  // Half of what a wait may last, so that the thread which does not come is
  // named, and not those that wait for it.
  const std::chrono::nanoseconds limit(request.table.timeoutNs / 2);
  if (now - firstSeen > (unsigned long long)limit.count())
    stop("expected a thread to end, or to wait for others, within " +
         formatTime(std::chrono::ceil<std::chrono::milliseconds>(limit)) +
         ", got one that is still in the loop at " + site +
         "; make its loops end, or allow waits to last longer");
}

void Grid::checkFailed(int number, long value) {
  const std::vector<CheckSite> &checks = request.kernel->source.checks;
  CheckSite site{"check " + std::to_string(number) + " to hold", ""};
  if (number >= 0 && size_t(number) < checks.size())
    site = checks[size_t(number)];
  stop("expected " + site.expected +
       (site.location.empty() ? "" : " at " + site.location) + ", got " +
       std::to_string(value));
}

void Grid::divisionByZero(const char *file, unsigned line) {
  stop(std::string("expected a divisor other than 0 at ") + file + ":" +
       std::to_string(line) +
       ", got 0; check the indices that the program computes");
}

void Grid::storeRelease(unsigned *word, unsigned value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
  holdNowAndThen();
}

unsigned Grid::addAcquireRelease(unsigned *word, unsigned value) {
  const unsigned before = __atomic_fetch_add(word, value, __ATOMIC_ACQ_REL);
  holdNowAndThen();
  return before;
}

unsigned long long Grid::nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

void Grid::pause() {
  polling.push_back(running);
  suspend();
}

bool Grid::sync(const char *site, bool condition) {
  Block &block = *running->block;
  if (block.parked.empty())
    block.site = site;
  else if (std::strcmp(block.site, site) != 0)
    stop(std::string("expected all threads of a block at one barrier, got "
                     "this one at ") +
         site + " and thread " + std::to_string(block.parked.front()->index) +
         " at " + block.site + "; call barriers outside of branches");
  block.parked.push_back(running);
  block.condition = block.condition || condition;
  releaseIfComplete(block);
  suspend();
  return block.lastCondition;
}

void *Grid::sharedArray(const void *site, Address bytes) {
  std::vector<SharedArray> &arrays = running->block->sharedArrays;
  for (const SharedArray &array : arrays)
    if (array.site == site)
      return array.bytes.get();
  arrays.push_back({site, std::make_unique<char[]>(bytes)});
  // Uninitialised on a GPU: nothing may rely on zeros.
  std::memset(arrays.back().bytes.get(), 0xA5, bytes);
  return arrays.back().bytes.get();
}

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
