//===- CudaDeviceTest.cpp - memory, streams and kernels of one GPU --------===//

#include "GpuFixture.h"

#include <tilewire/Error.h>

#include <numeric>

using namespace tilewire;

namespace {

KernelSource sourceOf(const std::string &text, const std::string &entry) {
  KernelSource source;
  source.text = text;
  source.entry = entry;
  return source;
}

KernelSource incrementSource() {
  return sourceOf(R"(
extern "C" __global__ void __launch_bounds__(128)
increment(const tw::World world, tw::b32 *data) {
  for (unsigned i = blockIdx.x * 128 + threadIdx.x; i < 100000;
       i += gridDim.x * 128)
    data[i] += 1;
}
)",
                  "increment");
}

} // namespace

TEST_CASE("without a GPU the count is zero and says what was looked for",
          "[cuda]") {
  std::string reason;
  if (countCudaDevices(&reason) > 0)
    return;
  CHECK_FALSE(reason.empty());
  CHECK_THROWS_AS(openCudaDevice(0), MachineError);
}

TEST_CASE("a GPU says who it is, and refuses an ordinal that is not there",
          "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  CHECK(device->backend() == Backend::Cuda);
  CHECK(device->description().find(", sm_") != std::string::npos);
  CHECK(device->identity() == openCudaDevice(0)->identity());
  CHECK(device->numSms() > 0);
  CHECK_THROWS_AS(openCudaDevice(countCudaDevices()), UserError);
  CHECK_THROWS_AS(openCudaDevice(-1), UserError);
}

TEST_CASE("bytes come back from the GPU as they went", "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  std::vector<unsigned> sent(100003), received(sent.size());
  std::iota(sent.begin(), sent.end(), 7u);
  const int64_t bytes = int64_t(sent.size() * sizeof(unsigned));
  void *data = device->allocate(bytes);
  CHECK(reinterpret_cast<uintptr_t>(data) % 256 == 0);
  device->copyToDevice(data, sent.data(), bytes);
  device->copyToHost(received.data(), data, bytes);
  CHECK(received == sent);
  device->fill(data, 0xab, bytes);
  device->copyToHost(received.data(), data, bytes);
  CHECK(received == std::vector<unsigned>(sent.size(), 0xababababu));
  device->release(data);
}

TEST_CASE("nothing is copied and nothing refused for empty tensors",
          "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  void *data = device->allocate(0);
  CHECK(data != nullptr);
  device->fill(data, 1, 0);
  device->copyToDevice(data, nullptr, 0);
  device->copyToHost(nullptr, data, 0);
  device->release(data);
}

TEST_CASE("more memory than is free is refused with both numbers",
          "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  const int64_t bytes = int64_t(1) << 50;
  CHECK_THROWS_AS(device->allocate(bytes), UserError);
  CHECK_THROWS_WITH(device->allocate(bytes),
                    Catch::Contains(std::to_string(bytes)) &&
                        Catch::Contains("free"));
  CHECK_THROWS_AS(device->reserve(bytes, PeerMemory::FileDescriptor, true),
                  UserError);
  CHECK_THROWS_AS(device->reserve(bytes, PeerMemory::CudaIpc, true), UserError);
}

TEST_CASE("memory is free again once its holders are gone", "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  const auto holdAndDrop = [&] {
    void *data = device->allocate(64 << 20);
    device->reserve(64 << 20, PeerMemory::FileDescriptor, false);
    device->reserve(64 << 20, PeerMemory::CudaIpc, false);
    device->makeStream();
    device->release(data);
  };
  holdAndDrop();
  const int64_t before = device->freeBytes();
  for (int round = 0; round < 20; ++round)
    holdAndDrop();
  CHECK(std::abs(device->freeBytes() - before) <= 2 << 20);
}

TEST_CASE("launches run in order, from any thread, queued or timed",
          "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  const KernelSource source = incrementSource();
  auto kernel = device->load(device->compile(source), source);
  auto stream = device->makeStream();
  CHECK(kernel->maxResidentBlocks() >= device->numSms());
  std::vector<unsigned> counts(100000);
  const int64_t bytes = int64_t(counts.size() * sizeof(unsigned));
  void *data = device->allocate(bytes);
  device->fill(data, 0, bytes);
  const auto launch = [&] {
    kernel->launch(*stream, 64, tw::World{}, 0, {{data, bytes, false}}, {});
  };
  std::thread([&] {
    for (int i = 0; i < 10; ++i)
      launch();
  }).join();
  const double seconds = stream->time(
      [&] {
        for (int i = 0; i < 20; ++i)
          launch();
      },
      [] {});
  CHECK(seconds > 0);
  CHECK(seconds < 1);
  CHECK(stream->isIdle());
  device->copyToHost(counts.data(), data, bytes);
  CHECK(counts == std::vector<unsigned>(counts.size(), 30u));
  device->release(data);
}

TEST_CASE("a timed run that throws leaves the stream usable", "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  auto stream = device->makeStream();
  CHECK_THROWS_AS(stream->time([] { throw UserError("stop"); }, [] {}),
                  UserError);
  CHECK(stream->isIdle());
  CHECK(stream->time([] {}, [] {}) >= 0);
}

TEST_CASE("a text that does not compile is our error, with the line shown",
          "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  const KernelSource source = sourceOf("int faulty(", "faulty");
  CHECK_THROWS_AS(device->compile(source), InternalError);
  CHECK_THROWS_WITH(device->compile(source), Catch::Contains("int faulty("));
}

TEST_CASE("an image that is none is refused by name", "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  CHECK_THROWS_AS(device->load("garbage", incrementSource()), MachineError);
  CHECK_THROWS_WITH(device->load("garbage", incrementSource()),
                    Catch::Contains("increment") &&
                        Catch::Contains("cuModuleLoadDataEx"));
}

TEST_CASE("more shared memory than a block can have is refused with both "
          "numbers",
          "[cuda][gpu]") {
  auto device = openGpuOrSkip();
  if (!device)
    return;
  KernelSource source = incrementSource();
  const std::string image = device->compile(source);
  source.launch.sharedBytes = 10 << 20;
  CHECK_THROWS_AS(device->load(image, source), UserError);
  CHECK_THROWS_WITH(device->load(image, source), Catch::Contains("10485760"));
}
