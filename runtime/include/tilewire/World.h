//===- World.h - the ranks of one job -------------------------------------===//
//
// Who am I of how many, on which device, and how do ranks talk before any
// kernel runs. A world is joined by one process per rank (World::join) or by
// one thread per rank (runLoopback). Knows no compiler.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_WORLD_H
#define TILEWIRE_WORLD_H

#include <tilewire/Tensor.h>

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tilewire {

class Device;
struct TensorParameter;

/// Where kernels run.
enum class Backend { Auto, Cuda, Emulator };

/// Parses "auto", "cuda" or "emulator"; throws UserError otherwise.
Backend parseBackend(std::string_view text);

/// The longest timeout that is one: longer ones would overflow somewhere.
inline constexpr std::chrono::milliseconds longestWait =
    std::chrono::hours(24 * 365);

struct WorldOptions {
  Backend backend = Backend::Auto; ///< Auto: cuda where there is a GPU
  bool shareGpu = false;           ///< allow several ranks on one GPU
  /// Longest wait for a peer inside a kernel; on the host a quarter more, so
  /// that a kernel, which can say more, is the first to tell. On the emulator
  /// a thread may keep the others of its rank waiting for half of it; work that
  /// makes no progress at all ends at 20 times. From 1 ms to longestWait.
  std::chrono::milliseconds timeout{30000};
  /// Order of blocks and threads on the emulator.
  uint64_t emulatorSeed = 0;
  /// Whether the emulator ends a launch at two accesses of one byte by threads
  /// of a block, one of them a store, that no barrier of the block orders. It
  /// then takes about ten times as long and 16 times the memory it touches.
  bool emulatorFindsRaces = false;
  /// Whether kernels on GPUs check what the compiler could not prove, as the
  /// emulator always does: that tiles lie within tensors, that sizes are equal,
  /// that peers exist. A launch then ends with the place in the program and
  /// what was got, before the move. It costs a comparison for each such tile.
  bool gpuChecks = false;
};

/// One rank's membership, which outlives, in its place, the heaps, streams and
/// kernels made on it. Not copyable; movable; closing is collective but the
/// destructor never waits for ever and never throws. One thread at a time uses
/// a world and what is made on it; ranks of one process each have their own.
class World {
public:
  /// Joins the job that the environment describes (Tilewire's own launcher,
  /// torchrun, Open MPI, MPICH/PMI, Slurm), or a world of one rank without
  /// any. Collective. Every failure is the same error on every rank.
  static World join(const WorldOptions &options);

  World(World &&) noexcept;
  World &operator=(World &&) noexcept;
  ~World();

  int rank() const;
  int size() const;
  const WorldOptions &options() const;

  /// For the runtime's own parts; a program needs no more than what follows.
  Device &device() const;
  /// Where kernels run: Cuda or Emulator.
  Backend backend() const;
  /// "NVIDIA H200, sm_90" or "emulator, 4 SMs".
  std::string deviceDescription() const;
  /// Ranks that use this rank's device, this one included.
  int ranksOnDevice() const;
  /// Whether all ranks are threads of this process.
  bool isLoopback() const;

  /// Uninitialised local device memory, 256-byte aligned. UserError when the
  /// shape makes no sense or the device has less.
  Tensor tensor(DataType dtype, std::vector<int64_t> shape) const;
  /// This rank's part of what a kernel takes as `parameter`.
  Tensor tensor(const TensorParameter &parameter) const;

  /// Waits until every rank is here; names who is missing after the timeout.
  void barrier() const;

  /// Every rank's `payload`, by rank. `what` names the step and must agree.
  std::vector<std::string> allGather(std::string_view what,
                                     std::string payload) const;

  /// Runs `step` on every rank; if it throws anywhere, every rank throws the
  /// error of the lowest rank that failed: UserError "rank R threw: ..." where
  /// that is none of ours. Collective.
  void together(std::string_view what, const std::function<void()> &step) const;

  /// Throws the error that broke this world, if any: a peer that died, a wait
  /// that did not end. Every call on a broken world does so.
  void checkHealthy() const;

  /// Makes the world broken with `error`, here and on every other rank:
  /// UserError "rank R threw: ..." where that is none of ours.
  void breakWith(const std::exception_ptr &error) const;

  struct State;
  State &state() const { return *impl; }

private:
  explicit World(std::unique_ptr<State> state);
  Tensor allocate(DataType dtype, std::vector<int64_t> shape,
                  std::vector<int64_t> strides) const;
  friend void runLoopback(int, const WorldOptions &,
                          const std::function<void(World &)> &);

  std::unique_ptr<State> impl;
};

/// Runs `body` on `numRanks` ranks that are threads of this process; returns
/// when all are done. Throws the first error that a rank met itself, as it is,
/// which ends the others. UserError when `body` is empty.
void runLoopback(int numRanks, const WorldOptions &options,
                 const std::function<void(World &)> &body);

} // namespace tilewire

#endif // TILEWIRE_WORLD_H
