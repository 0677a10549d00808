//===- Device.h - what a back end provides --------------------------------===//
//
// The interface between the generic runtime (world, heap, kernel, benchmark)
// and its two back ends, cuda and emulator. Each method is local to one rank;
// nothing here is collective, and nothing here knows the other ranks beyond
// what is passed in.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_DEVICE_H
#define TILEWIRE_RUNTIME_DEVICE_H

#include "runtime/FileDescriptor.h"
#include "runtime/device/Table.h"

#include <tilewire/KernelSource.h>
#include <tilewire/SymmetricHeap.h>
#include <tilewire/World.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tilewire {

/// A queue of work on one device; owned by Stream.
class DeviceStream {
public:
  virtual ~DeviceStream() = default;
  /// Whether all queued work is done. Throws the error of work that failed.
  virtual bool isIdle() = 0;
  /// A number that changes as queued work gets done, where the back end can
  /// tell that before all is.
  virtual uint64_t progress() { return 0; }
  /// Queues a copy within the device.
  virtual void copy(void *destination, const void *source, int64_t bytes) = 0;
  /// Seconds of one run of the launches that `queue` queues on this stream: a
  /// graph on cuda, wall clock on the emulator. `ready` is called once all is
  /// prepared and before anything runs. Ranks whose kernels wait for each other
  /// must meet in it: preparing may wait for the kernels of another rank of
  /// this process, which would be waiting for ours.
  virtual double time(const std::function<void()> &queue,
                      const std::function<void()> &ready) = 0;
};

/// One tensor of a launch.
struct LaunchArgument {
  void *data;
  int64_t bytes;  ///< of the largest part, where a symmetric tensor is cut
  bool symmetric; ///< valid at the same offset of every rank's heap
};

/// A kernel loaded on one device.
class DeviceKernel {
public:
  virtual ~DeviceKernel() = default;
  /// Blocks that can be resident at once on the whole idle device.
  virtual int64_t maxResidentBlocks() const = 0;
  /// Queues `numBlocks` blocks; `heapBytes` bounds each rank's heap. `values`:
  /// of the kernel's launch parameters, in their order.
  virtual void launch(DeviceStream &stream, int64_t numBlocks,
                      const tw::World &table, int64_t heapBytes,
                      const std::vector<LaunchArgument> &arguments,
                      const LaunchValues &values) = 0;
};

/// One rank's share of symmetric memory, reserved here and exported to peers.
/// Dropping it unmaps every imported part and then frees its own.
class PeerRegion {
public:
  virtual ~PeerRegion() = default;
  /// This rank's own memory.
  virtual char *base() = 0;
  /// What a peer needs to map it: bytes, and a descriptor where the mechanism
  /// has one (borrowed; the region keeps it).
  virtual std::string exportPayload() = 0;
  virtual std::optional<int> exportDescriptor() = 0;
  /// Maps a peer's exported region; returns its address here.
  virtual char *importPeer(int peer, const std::string &payload,
                           std::optional<FileDescriptor> descriptor) = 0;
  virtual std::string mechanism() const = 0;
};

/// A compile that takes longer has failed; a compiler that runs as a program of
/// its own is ended by then.
inline constexpr std::chrono::milliseconds compileLimit{120000};

class Device {
public:
  virtual ~Device() = default;

  virtual Backend backend() const = 0;
  /// "NVIDIA H200, sm_90" or "emulator, 4 SMs".
  virtual std::string description() const = 0;
  /// Equal for two ranks exactly when they use the same physical device.
  virtual std::string identity() const = 0;
  virtual int numSms() const = 0;
  virtual int64_t freeBytes() const = 0;

  /// Device memory; 256-byte aligned; uninitialised. UserError naming the
  /// bytes asked for and free when there is not enough.
  virtual void *allocate(int64_t bytes) = 0;
  /// This, releaseReport, load and dropping a kernel may wait for all kernels
  /// that run on the device, those of other ranks of this process included: a
  /// rank does none of them while a peer's kernel waits for its launch.
  virtual void release(void *data) noexcept = 0;
  virtual void copyToDevice(void *device, const void *host, int64_t bytes) = 0;
  virtual void copyToHost(void *host, const void *device, int64_t bytes) = 0;
  virtual void fill(void *device, unsigned char value, int64_t bytes) = 0;

  /// Zeroed host memory that kernels can read and write while they run.
  virtual tw::Report *allocateReport() = 0;
  virtual void releaseReport(tw::Report *report) noexcept = 0;

  virtual std::unique_ptr<DeviceStream> makeStream() = 0;

  /// Mechanisms to try for symmetric memory, best first.
  virtual std::vector<PeerMemory> peerMechanisms() const = 0;
  /// Throws MachineError when this mechanism can't be used here. `loopback`:
  /// all ranks are threads of this process.
  virtual std::unique_ptr<PeerRegion>
  reserve(int64_t bytes, PeerMemory mechanism, bool loopback) = 0;

  /// All that a compiled image depends on besides the text: architecture,
  /// compiler version, options, prelude.
  virtual std::string compileKey() const = 0;
  /// Compiles to an image that `load` takes. When the text is refused, a
  /// UserError or InternalError holds the compiler's log and the line shown;
  /// MachineError when the compiler itself fails.
  virtual std::string compile(const KernelSource &source) = 0;
  virtual std::unique_ptr<DeviceKernel> load(const std::string &image,
                                             const KernelSource &source) = 0;
};

/// Number of GPUs that the driver shows; 0 without a driver. Never throws;
/// `reason` tells what was looked for when it is 0.
int countCudaDevices(std::string *reason = nullptr);

/// Opens GPU `ordinal`.
std::unique_ptr<Device> openCudaDevice(int ordinal, bool checks = false);

/// Opens an emulated device; each rank has its own. With `findsRaces`, launches
/// end at accesses of a block's threads that no barrier orders.
std::unique_ptr<Device> openEmulatorDevice(int rank, uint64_t seed,
                                           bool findsRaces = false);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_DEVICE_H
