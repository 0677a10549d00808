//===- Interleaving.cpp - every order of the threads of a few kernels -----===//

#include "Interleaving.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilewire::test {

using boost::context::fiber;
using boost::context::preallocated;
using boost::context::stack_context;
using emulator::FiberLife;
using emulator::StackSwitch;

namespace {

constexpr std::size_t stackBytes = std::size_t(64) * 1024;
constexpr unsigned long long timeoutNs = 100000;

/// The stack of thread `number` of every run: nothing on it owns anything, so a
/// run that ends early leaves it as it is.
stack_context stackOf(unsigned number) {
  static const auto stacks = std::make_unique<char[]>(stackBytes * maxThreads);
  stack_context stack;
  stack.sp = stacks.get() + stackBytes * (number + 1);
  stack.size = stackBytes;
  return stack;
}

/// Where the fiber of thread `number` is kept. It is never destroyed, which
/// would unwind it.
void *roomFor(unsigned number) {
  alignas(fiber) static char rooms[maxThreads][sizeof(fiber)];
  return rooms[number];
}

/// Leaves a stack to whoever made it.
struct KeepStack {
  void deallocate(stack_context &) noexcept {}
};

uint64_t mixWords(uint64_t hash, const unsigned *words, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    hash = mix(hash, words[i]);
  return hash;
}

} // namespace

std::set<unsigned> &Machine::syncLines() {
  static std::set<unsigned> lines;
  return lines;
}

Machine::Machine(const Case &runs, Omission omission)
    : runs(runs), omission(omission), memories(runs.shape.ranks),
      reports(runs.shape.ranks), tables(runs.shape.ranks),
      blocks(runs.shape.ranks * runs.shape.blocks, Block{runs.shape.threads}),
      atEnd(runs.shape.ranks) {
  const Shape &shape = runs.shape;
  threads.reserve(shape.numThreads());
  for (unsigned rank = 0; rank < shape.ranks; ++rank) {
    tw::Flags &flags = memories[rank].flags;
    flags.epoch = flags.round = runs.start;
    for (unsigned peer = 0; peer < shape.ranks; ++peer)
      flags.entered[peer] = flags.left[peer] = flags.met[peer] = runs.start;
    tw::World &table = tables[rank];
    table.rank = rank;
    table.numRanks = shape.ranks;
    table.timeoutNs = timeoutNs;
    table.report = &reports[rank];
    table.flags = &flags;
    for (unsigned peer = 0; peer < shape.ranks; ++peer)
      table.bases[peer] = reinterpret_cast<char *>(&memories[peer]);
    for (unsigned block = 0; block < shape.blocks; ++block)
      for (unsigned thread = 0; thread < shape.threads; ++thread)
        threads.push_back(
            {rank, block, thread, nullptr, stackOf(unsigned(threads.size()))});
  }
  machine = this;
}

Machine::~Machine() {
  for (const Thread &thread : threads)
    emulator::forgetFrames(thread.stack);
  machine = nullptr;
}

std::string Machine::run(Order &order) {
  while (fault.empty()) {
    findAble();
    if (ableThreads.empty()) {
      if (std::all_of(threads.begin(), threads.end(),
                      [](const Thread &thread) { return thread.ended; }))
        break;
      if (!runs.waitsEnd || clock > 100 * timeoutNs)
        return "expected an end, got threads that wait for ever";
      // The first look at the clock, at poll 256, then finds a wait for a peer
      // overdue, and one that may last twice as long not.
      clock += timeoutNs / 200;
      for (Thread &thread : threads)
        thread.polled = nullptr;
      continue;
    }
    const std::optional<unsigned> next = order.next(*this);
    if (!next)
      break;
    step(threads[*next]);
    if (runs.check && fault.empty())
      runs.check();
  }
  return fault;
}

void Machine::findAble() {
  ableThreads.clear();
  for (const Thread &thread : threads)
    if (isAble(thread))
      ableThreads.push_back(unsigned(&thread - threads.data()));
}

bool Machine::isAble(const Thread &thread) const {
  return !thread.ended && !thread.parked &&
         (!thread.polled || *thread.polled != thread.seen);
}

void Machine::start(Thread &thread) {
  thread.continuation = new (roomFor(unsigned(&thread - threads.data())))
      fiber(std::allocator_arg,
            preallocated(thread.stack.sp, thread.stack.size, thread.stack),
            KeepStack(), [this, &thread](fiber &&caller) {
              const FiberLife life(schedulerStack);
              scheduler = std::move(caller);
              runs.kernel(tables[thread.rank]);
              thread.ended = true;
              Block &mine = block(thread);
              --mine.live;
              releaseIfComplete(mine, thread.rank, thread.block);
              return std::move(scheduler);
            });
}

void Machine::step(Thread &thread) {
  running = &thread;
  if (!thread.continuation)
    start(thread);
  const StackSwitch toThread(thread.stack);
  *thread.continuation = std::move(*thread.continuation).resume();
}

void Machine::suspend() {
  const StackSwitch toScheduler(schedulerStack);
  scheduler = std::move(scheduler).resume();
}

void Machine::leave() {
  while (true)
    suspend();
}

void Machine::learn(uint64_t what) {
  // The epoch is read without a primitive.
  const unsigned epoch = memories[running->rank].flags.epoch;
  running->history = mix(mix(running->history, what), epoch);
}

void Machine::yield() {
  learn(1);
  suspend();
}

void Machine::fail(std::string expected) {
  fault = std::string(runs.name) + ": expected " + expected;
  if (!scheduler)
    return; // called between two steps
  fault += ", got otherwise in thread " + std::to_string(threadIndex()) +
           " of block " + std::to_string(blockIndex()) + " of rank " +
           std::to_string(rank());
  // A thread that leaves is never unwound.
  expected = std::string();
  leave();
}

bool Machine::uniform(bool value) {
  std::vector<bool> &values = block(*running).uniform;
  const unsigned index = running->numUniform++;
  if (index == values.size())
    values.push_back(value);
  expect(values[index] == value, "one value for all threads of a block");
  learn(value);
  return value;
}

bool Machine::isOmitted(const unsigned *word, const Site &site) const {
  const unsigned *first =
      reinterpret_cast<const unsigned *>(&memories[running->rank].flags) +
      omission.firstWord;
  return word >= first && word < first + omission.numWords &&
         std::strstr(site.function_name(), "waitFor");
}

unsigned Machine::load(const unsigned *word, Site site) {
  if (isOmitted(word, site)) {
    // What is waited for is one ahead of one of these.
    const tw::Flags &flags = memories[running->rank].flags;
    return (word >= flags.met ? flags.round : flags.epoch) + 1;
  }
  Thread &thread = *running;
  thread.historyBeforeLoad = thread.history;
  yield();
  thread.loaded = word;
  thread.seen = *word;
  learn(thread.seen);
  yield();
  return thread.seen;
}

void Machine::store(unsigned *word, unsigned value) {
  exchange(
      word, [](unsigned, unsigned stored) { return stored; }, value);
}

unsigned Machine::exchange(unsigned *word,
                           unsigned (*change)(unsigned, unsigned),
                           unsigned operand) {
  yield();
  const unsigned before = *word;
  *word = change(before, operand);
  learn(before);
  yield();
  return before;
}

void Machine::pause() {
  Thread &thread = *running;
  // A poll that finds nothing teaches nothing.
  thread.history = thread.historyBeforeLoad;
  thread.paused = true;
  thread.polled = thread.loaded;
  suspend();
  thread.paused = false;
  thread.polled = nullptr;
}

Machine::Block &Machine::block(const Thread &thread) {
  return blocks[thread.rank * runs.shape.blocks + thread.block];
}

bool Machine::sync(bool condition, Site site) {
  syncLines().insert(site.line());
  if (site.line() == omission.syncLine) {
    yield();
    return condition;
  }
  // Nobody can tell when a thread comes, only when all have: no yield before.
  Block &mine = block(*running);
  expect(mine.parked == 0 || mine.line == site.line(),
         "all threads of a block at one barrier");
  mine.line = site.line();
  mine.condition = mine.condition || condition;
  ++mine.parked;
  running->parked = true;
  learn(condition ? 4 : 3);
  releaseIfComplete(mine, running->rank, running->block);
  suspend();
  learn(mine.lastCondition);
  return mine.lastCondition;
}

void Machine::releaseIfComplete(Block &block, unsigned rank, unsigned index) {
  if (block.parked == 0 || block.parked != block.live)
    return;
  block.parked = 0;
  block.lastCondition = std::exchange(block.condition, false);
  for (Thread &thread : threads)
    if (thread.rank == rank && thread.block == index && !thread.atEnd) {
      thread.parked = false;
      thread.history = mix(thread.history, 5);
    }
}

void Machine::endLaunch(const std::function<void()> &check) {
  Block &mine = block(*running);
  running->parked = running->atEnd = true;
  --mine.live;
  releaseIfComplete(mine, running->rank, running->block);
  learn(6);
  if (++atEnd[running->rank] == runs.shape.threadsPerRank()) {
    if (check)
      check();
    atEnd[running->rank] = 0;
    for (unsigned i = 0; i < runs.shape.blocks; ++i)
      blocks[running->rank * runs.shape.blocks + i].live = runs.shape.threads;
    for (Thread &thread : threads)
      if (thread.rank == running->rank) {
        thread.parked = thread.atEnd = false;
        thread.history = mix(thread.history, 7);
      }
  }
  suspend();
}

uint64_t Machine::state() const {
  const unsigned ranks = runs.shape.ranks;
  uint64_t hash = 0;
  for (const Thread &thread : threads)
    hash = mix(mix(hash, thread.history), thread.paused);
  for (const Memory &memory : memories) {
    const tw::Flags &flags = memory.flags;
    for (const unsigned *slots :
         {flags.digests, flags.entered, flags.left, flags.met})
      hash = mixWords(hash, slots, ranks);
    for (unsigned word : {flags.epoch, flags.arrived, flags.gathered,
                          flags.round, flags.failed, memory.count})
      hash = mix(hash, word);
    hash = mixWords(hash, memory.stamps, runs.shape.numThreads());
  }
  return hash;
}

} // namespace tilewire::test
