//===- Interleaving.h - every order of the threads of a few kernels -------===//
//
// Runs the threads of all blocks of all ranks as fibers of one host thread,
// which switches between any two accesses of what threads share, and tries the
// orders: all of them for small cases, all with few delays of a thread and
// many at random for larger ones. Memory is that of one processor: what a
// release must carry is held by PreludeOrderTest.cpp. The kernels are in
// BarrierOrdersTest and come here through InterleavedPrelude.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_UNIT_INTERLEAVING_H
#define TILEWIRE_TESTS_UNIT_INTERLEAVING_H

#include "runtime/device/Table.h"
#include "runtime/emulator/StackSwitch.h"

#include <boost/context/fiber.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <source_location>
#include <string>
#include <vector>

namespace tilewire::test {

struct Shape {
  unsigned ranks, blocks, threads;

  unsigned threadsPerRank() const { return blocks * threads; }
  unsigned numThreads() const { return ranks * threadsPerRank(); }
};

/// What the threads run, and from where counters start.
struct Case {
  const char *name;
  void (*kernel)(const tw::World &world); ///< all launches of a rank
  Shape shape = {};
  unsigned repeats = 1; ///< of what the kernel does
  unsigned start = 0;   ///< of epochs and rounds
  /// Whether a run in which all threads wait goes on with a later clock, and
  /// not with a fault.
  bool waitsEnd = false;
  void (*check)() = nullptr; ///< after every step
};

/// What a mutation of the functions under test leaves out.
struct Omission {
  unsigned syncLine = 0; ///< the block barrier of this line
  /// Waits for a word at this offset of Flags, in slots; none when empty.
  unsigned firstWord = 0, numWords = 0;
};

constexpr unsigned maxThreads = 32;

/// One rank's symmetric memory.
struct Memory {
  tw::Flags flags = {};
  unsigned stamps[maxThreads] = {}; ///< a slot for each thread of all ranks
  unsigned count = 0;
};

class Order;

inline uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

/// One run of a case.
class Machine {
public:
  using Site = std::source_location;

  explicit Machine(const Case &runs, Omission omission = {});
  Machine(const Machine &) = delete;
  ~Machine();

  /// The fault that was found, or "". `order` may end the run early.
  std::string run(Order &order);

  // Called by the threads.

  const Case &runs;
  unsigned threadIndex() const { return running->thread; }
  unsigned blockIndex() const { return running->block; }
  unsigned rank() const { return running->rank; }
  /// Among the threads of all ranks.
  unsigned number() const { return unsigned(running - threads.data()); }
  Memory &memory(unsigned rank) { return memories[rank]; }
  tw::Report &report(unsigned rank) { return reports[rank]; }
  /// Ends the run, with what was expected, unless it holds.
  void expect(bool holds, const char *what) {
    if (!holds)
      fail(what);
  }
  void fail(std::string expected);
  /// `value`, which all threads of the block must bring alike.
  bool uniform(bool value);
  unsigned long long nanoseconds() const { return clock; }

  // What lets others run.

  unsigned load(const unsigned *word, Site site);
  void store(unsigned *word, unsigned value);
  /// Replaces a word by what `change` makes of it; the value before.
  unsigned exchange(unsigned *word, unsigned (*change)(unsigned, unsigned),
                    unsigned operand);
  void pause();
  bool sync(bool condition, Site site);
  /// The end of a launch, which the next of the rank begins after. The thread
  /// that comes last calls `check` before any goes on.
  void endLaunch(const std::function<void()> &check = {});

  // Called by orders.

  const std::vector<unsigned> &able() const { return ableThreads; }
  /// Equal only for runs that go on alike from here.
  uint64_t state() const;

  /// Lines with a block barrier that any run has met.
  static std::set<unsigned> &syncLines();

private:
  struct Thread {
    unsigned rank, block, thread;
    boost::context::fiber *continuation; ///< null before and after
    boost::context::stack_context stack;
    bool ended = false, parked = false, atEnd = false;
    const unsigned *loaded = nullptr; ///< by the load that was last
    unsigned seen = 0;                ///< what it found
    const unsigned *polled = nullptr; ///< waits for this word to change
    unsigned numUniform = 0;
    // All that the thread has learned, which says where it is. A poll that
    // found nothing teaches it nothing.
    uint64_t history = 0, historyBeforeLoad = 0;
    bool paused = false;
  };
  struct Block {
    unsigned live, parked = 0, line = 0;
    bool condition = false, lastCondition = false;
    std::vector<bool> uniform = {};
  };

  void learn(uint64_t what);
  void yield();
  void suspend();
  [[noreturn]] void leave();
  Block &block(const Thread &thread);
  void releaseIfComplete(Block &block, unsigned rank, unsigned index);
  bool isOmitted(const unsigned *word, const Site &site) const;
  void findAble();
  bool isAble(const Thread &thread) const;
  void start(Thread &thread);
  void step(Thread &thread);

  Omission omission;
  std::vector<Memory> memories;
  std::vector<tw::Report> reports;
  std::vector<tw::World> tables;
  std::vector<Thread> threads;
  std::vector<Block> blocks;
  std::vector<unsigned> atEnd; ///< threads of each rank that wait for its end
  std::vector<unsigned> ableThreads;
  unsigned long long clock = 0;
  Thread *running = nullptr;
  std::string fault;
  boost::context::fiber scheduler;
  boost::context::stack_context schedulerStack;
};

/// The machine whose thread runs.
inline Machine *machine = nullptr;

/// Says which thread steps next.
class Order {
public:
  virtual ~Order() = default;
  /// One of machine.able(); none ends the run.
  virtual std::optional<unsigned> next(const Machine &machine) = 0;
};

/// What was found, and in how many runs.
struct Exploration {
  std::string fault;
  uint64_t numRuns = 0;
};

/// Tries all orders; with `delays`, those that differ from a fixed one at most
/// so often. There a thread goes on as long as it can, then the next does; each
/// delay passes over the thread whose turn it is.
Exploration exploreAll(const Case &runs,
                       std::optional<unsigned> delays = std::nullopt,
                       Omission omission = {});

/// Tries `numRuns` orders drawn from as many seeds.
Exploration exploreSome(const Case &runs, unsigned numRuns,
                        Omission omission = {});

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_UNIT_INTERLEAVING_H
