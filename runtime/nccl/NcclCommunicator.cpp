//===- NcclCommunicator.cpp - NCCL over the ranks of a world --------------===//

#include "runtime/LoadedKernel.h"
#include "runtime/cuda/CudaDevice.h"
#include "runtime/cuda/ToolkitLibrary.h"

#include <tilewire/Nccl.h>

#include <nccl.h>

#include <cstdlib>
#include <cstring>
#include <thread>

namespace tilewire {
namespace {

#define TW_NCCL_FUNCTIONS(X)                                                   \
  X(ncclGetVersion)                                                            \
  X(ncclGetUniqueId)                                                           \
  X(ncclGetErrorString)                                                        \
  X(ncclGetLastError)                                                          \
  X(ncclCommInitRankConfig)                                                    \
  X(ncclCommGetAsyncError)                                                     \
  X(ncclCommFinalize)                                                          \
  X(ncclCommDestroy)                                                           \
  X(ncclCommAbort)                                                             \
  X(ncclGroupStart)                                                            \
  X(ncclGroupEnd)                                                              \
  X(ncclSend)                                                                  \
  X(ncclRecv)

/// The functions above, as members of the same names.
struct Nccl {
#define TW_DECLARE(function) decltype(&::function) function;
  TW_NCCL_FUNCTIONS(TW_DECLARE)
#undef TW_DECLARE
  std::string version;

  [[noreturn]] void fail(const char *call, ncclResult_t result,
                         ncclComm_t communicator = nullptr) const {
    std::string message = std::string(call) + ": " + ncclGetErrorString(result);
    if (const char *details = ncclGetLastError(communicator);
        details && *details)
      message += " (" + std::string(details) + ")";
    throw MachineError(message);
  }
  void check(const char *call, ncclResult_t result) const {
    if (result != ncclSuccess)
      fail(call, result);
  }
};

/// A code of NCCL's, which is 10000 * major + 100 * minor + patch.
std::string spellVersion(int code) {
  return "NCCL " + std::to_string(code / 10000) + "." +
         std::to_string(code / 100 % 100) + "." + std::to_string(code % 100);
}

Nccl openNccl() {
  constexpr int oldest = 21800;
  // $NCCL_NVLS_ENABLE: read by NCCL, set to 0 where it is not set. An
  // all-to-all has no use for NVLink's multicast, which costs each GPU memory
  // and time to set up.
  ::setenv("NCCL_NVLS_ENABLE", "0", /*overwrite=*/0);
  const ToolkitLibrary library(
      {"libnccl.so.2"}, "install libnccl2 or set CUDA_HOME to its folder");
  Nccl opened;
#define TW_FIND(name) opened.name = library.find<decltype(&::name)>(#name);
  TW_NCCL_FUNCTIONS(TW_FIND)
#undef TW_FIND
  int code = 0;
  opened.check("ncclGetVersion", opened.ncclGetVersion(&code));
  opened.version = spellVersion(code);
  if (code < oldest)
    throw MachineError("expected " + spellVersion(oldest) + " or newer, got " +
                       opened.version);
  return opened;
}

const Nccl &nccl() {
  static const Nccl opened = openNccl();
  return opened;
}

/// What NCCL asks of a world, on every rank; refused together.
void checkWorld(const World &world) {
  if (world.backend() != Backend::Cuda)
    throw UserError("expected ranks on GPUs to compare with NCCL, got the " +
                    world.deviceDescription());
  if (world.ranksOnDevice() > 1)
    throw UserError("expected a GPU for each rank to compare with NCCL, got " +
                    std::to_string(world.ranksOnDevice()) +
                    " ranks on one GPU");
  nccl();
}

/// An identity that rank 0 makes up for all. Collective.
ncclUniqueId agreeOnIdentity(const World &world) {
  ncclUniqueId identity{};
  const std::vector<Contribution> offers =
      exchangeTogether(world.state(), "opening NCCL", [&] {
        checkWorld(world);
        if (world.rank() == 0)
          nccl().check("ncclGetUniqueId", nccl().ncclGetUniqueId(&identity));
        return Offer{{identity.internal, sizeof(identity.internal)}, {}};
      });
  std::memcpy(identity.internal, offers.front().payload.data(),
              sizeof(identity.internal));
  return identity;
}

/// UserError unless there is a piece for each rank, and they are the tensor.
void checkPieces(const TensorPieces &side, int numRanks) {
  int64_t total = 0;
  bool areCounts = side.bytes.size() == size_t(numRanks);
  for (int64_t bytes : side.bytes) {
    areCounts = areCounts && bytes >= 0 && bytes <= side.tensor.numBytes();
    total += areCounts ? bytes : 0;
  }
  if (!areCounts || total != side.tensor.numBytes())
    throw UserError("expected a piece for each of " + std::to_string(numRanks) +
                    " ranks, " + std::to_string(side.tensor.numBytes()) +
                    " bytes together, for an all-to-all, got " +
                    std::to_string(side.bytes.size()) + " of " +
                    formatShape(side.bytes) + " bytes");
}

const Context &contextOf(const World &world) {
  return static_cast<CudaDevice &>(world.device()).primaryContext();
}

} // namespace

/// The communicator never blocks in a call of NCCL's: a peer that fails or dies
/// meanwhile ends the wait for it.
struct NcclCommunicator::State {
  explicit State(World &world) : world(world) {
    const ncclUniqueId identity = agreeOnIdentity(world);
    CurrentContext current(contextOf(world));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    const ncclResult_t result = nccl().ncclCommInitRankConfig(
        &handle, world.size(), identity, world.rank(), &config);
    try {
      settle("ncclCommInitRankConfig", result);
    } catch (...) {
      // The others wait for this rank inside NCCL.
      world.breakWith(std::current_exception());
      abort();
      throw;
    }
  }

  ~State() {
    CurrentContext current(contextOf(world));
    if (isErrorPassing(world.state()) || world.state().health.isBroken()) {
      abort();
      return;
    }
    try {
      settle("ncclCommFinalize", nccl().ncclCommFinalize(handle));
      nccl().check("ncclCommDestroy", nccl().ncclCommDestroy(handle));
    } catch (...) {
      reportCurrentException();
    }
  }

  State(const State &) = delete;
  State &operator=(const State &) = delete;

  /// Waits until a call that returned `result` is done; throws if it failed.
  void settle(const char *call, ncclResult_t result) const {
    const Clock::time_point limit = Clock::now() + hostTimeout(world.state());
    while (result == ncclInProgress) {
      world.checkHealthy();
      if (Clock::now() > limit)
        throw MachineError(std::string(call) + ": not done within " +
                           formatTime(hostTimeout(world.state())));
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      nccl().check("ncclCommGetAsyncError",
                   nccl().ncclCommGetAsyncError(handle, &result));
    }
    if (result != ncclSuccess)
      nccl().fail(call, result, handle);
  }

  /// Ends this rank's part, whatever the others do.
  void abort() const noexcept {
    if (handle)
      nccl().ncclCommAbort(handle);
  }

  /// Between the start and the end of a group nothing runs yet.
  void queue(CUstream stream, const TensorPieces &destination,
             const TensorPieces &source) const {
    const auto checkQueued = [&](const char *call, ncclResult_t result) {
      if (result != ncclSuccess && result != ncclInProgress)
        nccl().fail(call, result, handle);
    };
    const char *from = static_cast<const char *>(source.tensor.data);
    char *to = static_cast<char *>(destination.tensor.data);
    for (int peer = 0; peer < world.size(); ++peer) {
      const size_t sent = size_t(source.bytes[size_t(peer)]);
      const size_t taken = size_t(destination.bytes[size_t(peer)]);
      // Nothing is sent for a piece of nothing, on either side.
      if (sent > 0)
        checkQueued("ncclSend", nccl().ncclSend(from, sent, ncclUint8, peer,
                                                handle, stream));
      if (taken > 0)
        checkQueued("ncclRecv", nccl().ncclRecv(to, taken, ncclUint8, peer,
                                                handle, stream));
      from += sent;
      to += taken;
    }
  }

  World &world;
  ncclComm_t handle = nullptr;
};

std::string ncclVersion() { return nccl().version; }

NcclCommunicator::NcclCommunicator(World &world)
    : impl(std::make_unique<State>(world)) {}
NcclCommunicator::NcclCommunicator(NcclCommunicator &&) noexcept = default;
NcclCommunicator::~NcclCommunicator() = default;

void NcclCommunicator::allToAll(Stream &stream, const TensorPieces &destination,
                                const TensorPieces &source) {
  for (const TensorPieces *side : {&destination, &source})
    checkPieces(*side, impl->world.size());
  checkSeparate(destination.tensor, source.tensor, "an all-to-all");
  impl->world.checkHealthy();
  for (const TensorPieces *side : {&destination, &source})
    stream.state().tensors.insert(side->tensor.owner);
  CurrentContext current(contextOf(impl->world));
  const CUstream handle =
      static_cast<CudaStream &>(*stream.state().stream).handle();
  nccl().check("ncclGroupStart", nccl().ncclGroupStart());
  try {
    impl->queue(handle, destination, source);
  } catch (...) {
    nccl().ncclGroupEnd();
    throw;
  }
  impl->settle("ncclGroupEnd", nccl().ncclGroupEnd());
}

} // namespace tilewire
