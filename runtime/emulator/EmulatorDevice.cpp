//===- EmulatorDevice.cpp - a small device on the CPU ---------------------===//
//
// Implements Device: host memory, memfd for peers, the host's compiler, and one
// queue for all streams.
//
//===----------------------------------------------------------------------===//

#include "runtime/emulator/HostCompiler.h"
#include "runtime/emulator/HostMemory.h"
#include "runtime/emulator/IssueQueue.h"
#include "runtime/emulator/KernelLaunch.h"
#include "runtime/emulator/MemfdRegion.h"

#include <tilewire/Error.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>

namespace tilewire {

using namespace emulator;

namespace {

constexpr int smCount = 4;

// Room of one multiprocessor: enough for blocks to overlap, few enough that all
// threads can be parked at once. A block larger than that still has it alone.
constexpr int64_t blocksPerSm = 2;
constexpr int64_t threadsPerSm = 512;

/// What streams and kernels of one device share and keep alive.
struct Engine {
  StackPool stacks; ///< used by the queue's thread alone
  uint64_t seed;
  bool findsRaces;
  IssueQueue queue;

  Engine(uint64_t seed, bool findsRaces)
      : seed(seed), findsRaces(findsRaces), queue(seed) {}
};

class Copy final : public Work {
public:
  Copy(void *destination, const void *source, int64_t bytes)
      : destination(destination), source(source), bytes(size_t(bytes)) {}

  Outcome run(unsigned) override {
    std::memcpy(destination, source, bytes);
    return Outcome::Done;
  }

private:
  void *destination;
  const void *source;
  size_t bytes;
};

class EmulatorStream final : public DeviceStream {
public:
  explicit EmulatorStream(std::shared_ptr<Engine> engine)
      : engine(std::move(engine)) {}
  ~EmulatorStream() override { engine->queue.drain(lane); }

  bool isIdle() override { return engine->queue.isIdle(lane); }
  uint64_t progress() override { return engine->queue.numDone(); }

  void copy(void *destination, const void *source, int64_t bytes) override {
    post(std::make_unique<Copy>(destination, source, bytes));
  }

  double time(const std::function<void()> &queue,
              const std::function<void()> &ready) override {
    engine->queue.finish(lane);
    ready();
    const auto start = std::chrono::steady_clock::now();
    queue();
    engine->queue.finish(lane);
    const std::chrono::duration<double> spent =
        std::chrono::steady_clock::now() - start;
    return spent.count();
  }

  void post(std::unique_ptr<Work> work) {
    engine->queue.post(lane, std::move(work));
  }

private:
  std::shared_ptr<Engine> engine;
  IssueQueue::Lane lane;
};

class EmulatorKernel final : public DeviceKernel {
public:
  EmulatorKernel(std::shared_ptr<Engine> engine, const std::string &image,
                 const KernelSource &source)
      : engine(std::move(engine)), kernel(std::make_shared<RunnableKernel>(
                                       RunnableKernel{Module(image), source})) {
    if (source.launch.threads < 1 || source.launch.threads > 1024)
      throw UserError("expected 1 to 1024 threads per block, got " +
                      std::to_string(source.launch.threads));
  }

  int64_t maxResidentBlocks() const override {
    const int64_t fitting =
        std::max<int64_t>(threadsPerSm / kernel->source.launch.threads, 1);
    return smCount * std::min(fitting, blocksPerSm);
  }

  void launch(DeviceStream &stream, int64_t numBlocks, const tw::World &table,
              int64_t heapBytes, const std::vector<LaunchArgument> &arguments,
              const LaunchValues &values) override {
    check(numBlocks, table, arguments, values);
    std::vector<uint64_t> words;
    for (const LaunchArgument &argument : arguments)
      words.push_back(reinterpret_cast<uintptr_t>(argument.data));
    for (const LaunchValue &value : values)
      words.push_back(uint64_t(value.value));
    LaunchRequest request{
        kernel,
        table,
        AccessMap(tensorsAt(values), arguments, table, heapBytes),
        std::move(words),
        unsigned(numBlocks),
        nextSeed(table.rank),
        engine->findsRaces};
    static_cast<EmulatorStream &>(stream).post(
        makeLaunch(std::move(request), engine->stacks));
  }

private:
  /// The kernel's tensors as a launch with these values has them.
  std::vector<TensorParameter> tensorsAt(const LaunchValues &values) const {
    std::vector<TensorParameter> tensors;
    for (const TensorParameter &parameter : kernel->source.parameters)
      tensors.push_back(parameter.at(values));
    return tensors;
  }

  void check(int64_t numBlocks, const tw::World &table,
             const std::vector<LaunchArgument> &arguments,
             const LaunchValues &values) const {
    const std::string who = " for kernel '" + kernel->source.entry + "'";
    if (numBlocks < 1 || numBlocks > maxResidentBlocks())
      throw InternalError("expected 1 to " +
                          std::to_string(maxResidentBlocks()) +
                          " blocks, what can be resident," + who + ", got " +
                          std::to_string(numBlocks));
    const std::size_t wanted = kernel->source.parameters.size();
    if (arguments.size() != wanted)
      throw InternalError("expected " + std::to_string(wanted) + " tensors" +
                          who + ", got " + std::to_string(arguments.size()));
    const std::size_t numValues = kernel->source.launchParameters.size();
    if (values.size() != numValues)
      throw InternalError("expected " + std::to_string(numValues) + " values" +
                          who + ", got " + std::to_string(values.size()));
    if (table.numRanks < 1 || table.numRanks > tw::maxRanks ||
        table.rank >= table.numRanks)
      throw InternalError("expected a rank of a world" + who + ", got rank " +
                          std::to_string(table.rank) + " of " +
                          std::to_string(table.numRanks));
    if (!table.flags)
      throw InternalError("expected flags" + who + ", got none");
  }

  /// Another order for every launch and rank, the same in every run.
  uint64_t nextSeed(int rank) {
    return engine->seed * 0x9E3779B97F4A7C15u + uint64_t(rank) * 0x100000001u +
           launches++;
  }

  std::shared_ptr<Engine> engine;
  std::shared_ptr<const RunnableKernel> kernel;
  std::atomic<uint64_t> launches = 0;
};

class EmulatorDevice final : public Device {
public:
  EmulatorDevice(int rank, uint64_t seed, bool findsRaces)
      : rank(rank), engine(std::make_shared<Engine>(seed, findsRaces)) {}

  Backend backend() const override { return Backend::Emulator; }
  std::string description() const override {
    return "emulator, " + std::to_string(smCount) + " SMs";
  }
  std::string identity() const override {
    return "emulator " + std::to_string(::getpid()) + "." +
           std::to_string(rank);
  }
  int numSms() const override { return smCount; }
  int64_t freeBytes() const override { return freeHostBytes(); }

  void *allocate(int64_t bytes) override {
    checkFreeHostBytes(bytes);
    GuardedMapping mapping(bytes);
    void *data = mapping.data();
    std::lock_guard lock(mutex);
    mappings.emplace(data, std::move(mapping));
    return data;
  }
  void release(void *data) noexcept override {
    std::lock_guard lock(mutex);
    mappings.erase(data);
  }
  void copyToDevice(void *device, const void *host, int64_t bytes) override {
    std::memcpy(device, host, std::size_t(bytes));
  }
  void copyToHost(void *host, const void *device, int64_t bytes) override {
    std::memcpy(host, device, std::size_t(bytes));
  }
  void fill(void *device, unsigned char value, int64_t bytes) override {
    std::memset(device, value, std::size_t(bytes));
  }

  tw::Report *allocateReport() override { return new tw::Report{}; }
  void releaseReport(tw::Report *report) noexcept override { delete report; }

  std::unique_ptr<DeviceStream> makeStream() override {
    return std::make_unique<EmulatorStream>(engine);
  }

  std::vector<PeerMemory> peerMechanisms() const override {
    return {PeerMemory::FileDescriptor};
  }
  std::unique_ptr<PeerRegion> reserve(int64_t bytes, PeerMemory mechanism,
                                      bool /*loopback*/) override {
    if (mechanism == PeerMemory::CudaIpc)
      throw MachineError(
          "expected file descriptors as peer memory, the only mechanism of the "
          "emulator, got CUDA IPC; choose fd or auto");
    return std::make_unique<MemfdRegion>(bytes);
  }

  std::string compileKey() const override { return compiler().key(); }
  std::string compile(const KernelSource &source) override {
    return compiler().compile(source);
  }
  std::unique_ptr<DeviceKernel> load(const std::string &image,
                                     const KernelSource &source) override {
    return std::make_unique<EmulatorKernel>(engine, image, source);
  }

private:
  /// Looked for when first needed: moving data takes no compiler.
  const HostCompiler &compiler() const {
    std::lock_guard lock(mutex);
    if (!hostCompiler)
      hostCompiler.emplace();
    return *hostCompiler;
  }

  int rank;
  std::shared_ptr<Engine> engine;
  mutable std::mutex mutex; ///< of what follows
  mutable std::optional<HostCompiler> hostCompiler;
  std::map<void *, GuardedMapping> mappings;
};

} // namespace

std::unique_ptr<Device> openEmulatorDevice(int rank, uint64_t seed,
                                           bool findsRaces) {
  return std::make_unique<EmulatorDevice>(rank, seed, findsRaces);
}

} // namespace tilewire
