//===- Grid.h - the blocks and threads of one launch ----------------------===//
//
// All blocks of a launch are resident. Their threads run on the calling host
// thread one at a time, in an order drawn from a seed; a thread gives way at
// block barriers, between polls, and now and then after a release, so that what
// should have come before that release and does not is late. Grid.cpp gives
// threads their turns, GridHooks.cpp does what they ask for meanwhile. Knows no
// streams and no other launch.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_EMULATOR_GRID_H
#define TILEWIRE_RUNTIME_EMULATOR_GRID_H

#include "runtime/emulator/Hold.h"
#include "runtime/emulator/KernelLaunch.h"
#include "runtime/emulator/Races.h"

#include <boost/context/fiber.hpp>

#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tilewire::emulator {

using boost::context::fiber;
using boost::context::stack_context;
using tw::emulator::Address;

/// Iterations of loops between two looks: milliseconds.
constexpr unsigned iterationsPerLook = 1 << 16;

/// The first hold of a launch comes within so many releases, the next within
/// twice as many, and so on: a launch of many releases has few.
constexpr unsigned releasesToFirstHold = 8;

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
  std::optional<Races> races = {}; ///< where they are looked for
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
  const tw::emulator::Span *admit(bool isStore, Address address,
                                  unsigned width);
  [[noreturn]] void stopAtRace(const char *access, Address address,
                               unsigned width, const Races::Access &other);
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
  std::mt19937_64 random;         ///< of turns
  std::mt19937_64 holdRandom; ///< drawn from by no turn, as polls are chance

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
  unsigned untilHold;  ///< releases
  bool isHeld = false; ///< the whole launch
  Hold hold;           ///< the last that began

  std::vector<Block> blocks;
  std::vector<Thread *> held;    ///< may run once no other does, after the hold
  std::vector<Thread *> ready;   ///< may run now
  std::vector<Thread *> polling; ///< may run once all that are ready have
  std::vector<Thread> threads;
};

} // namespace tilewire::emulator

#endif // TILEWIRE_RUNTIME_EMULATOR_GRID_H
