//===- CudaDevice.cpp - a GPU as a back end -------------------------------===//

#include "runtime/cuda/CudaDevice.h"

#include "runtime/cuda/CudaKernel.h"
#include "runtime/cuda/Nvrtc.h"
#include "runtime/cuda/PeerRegions.h"

#include <tilewire/Error.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace tilewire {

namespace {

CUdeviceptr address(const void *data) {
  return reinterpret_cast<CUdeviceptr>(data);
}

int64_t freeMemory() {
  size_t free = 0, total = 0;
  driver().cuMemGetInfo(&free, &total);
  return int64_t(free);
}

} // namespace

void requireFreeMemory(int64_t bytes) {
  if (const int64_t free = freeMemory(); bytes > free)
    throw UserError("expected at most " + std::to_string(free) +
                    " bytes (what is free on this GPU), got " +
                    std::to_string(bytes) +
                    "; use smaller tensors or a GPU with more memory");
}

CudaDevice::CudaDevice(int ordinal, bool checks)
    : context(std::make_shared<Context>(ordinal)), checks(checks),
      copies(context) {}

std::string CudaDevice::description() const {
  std::array<char, 256> name{};
  driver().cuDeviceGetName(name.data(), int(name.size()) - 1,
                           context->device());
  return std::string(name.data()) + ", sm_" + std::to_string(capability());
}

std::string CudaDevice::identity() const {
  CUuuid uuid{};
  driver().cuDeviceGetUuid(&uuid, context->device());
  std::string text = "GPU-";
  for (unsigned char byte : uuid.bytes) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", byte);
    text += digits.data();
  }
  return text;
}

int CudaDevice::numSms() const {
  return context->attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
}

int CudaDevice::capability() const {
  return 10 * context->attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
         context->attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

int64_t CudaDevice::freeBytes() const {
  CurrentContext current(*context);
  return freeMemory();
}

void *CudaDevice::allocate(int64_t bytes) {
  CurrentContext current(*context);
  requireFreeMemory(bytes);
  CUdeviceptr data = 0;
  // An empty tensor has an address of its own too.
  driver().cuMemAlloc(&data, size_t(std::max<int64_t>(bytes, 1)));
  return reinterpret_cast<void *>(data);
}

void CudaDevice::release(void *data) noexcept {
  context->release([data] { driver().cuMemFree.orReport(address(data)); });
}

void CudaDevice::copyToDevice(void *device, const void *host, int64_t bytes) {
  CurrentContext current(*context);
  driver().cuMemcpyHtoDAsync(address(device), host, size_t(bytes),
                             copies.handle());
  driver().cuStreamSynchronize(copies.handle());
}

void CudaDevice::copyToHost(void *host, const void *device, int64_t bytes) {
  CurrentContext current(*context);
  driver().cuMemcpyDtoHAsync(host, address(device), size_t(bytes),
                             copies.handle());
  driver().cuStreamSynchronize(copies.handle());
}

void CudaDevice::fill(void *device, unsigned char value, int64_t bytes) {
  CurrentContext current(*context);
  driver().cuMemsetD8Async(address(device), value, size_t(bytes),
                           copies.handle());
  driver().cuStreamSynchronize(copies.handle());
}

tw::Report *CudaDevice::allocateReport() {
  CurrentContext current(*context);
  void *report = nullptr;
  // Unified addressing: kernels use the same address.
  driver().cuMemHostAlloc(&report, sizeof(tw::Report),
                          CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  std::memset(report, 0, sizeof(tw::Report));
  return static_cast<tw::Report *>(report);
}

void CudaDevice::releaseReport(tw::Report *report) noexcept {
  context->release([report] { driver().cuMemFreeHost.orReport(report); });
}

std::unique_ptr<DeviceStream> CudaDevice::makeStream() {
  return std::make_unique<CudaStream>(context);
}

std::vector<PeerMemory> CudaDevice::peerMechanisms() const {
  return {PeerMemory::FileDescriptor, PeerMemory::CudaIpc};
}

std::unique_ptr<PeerRegion>
CudaDevice::reserve(int64_t bytes, PeerMemory mechanism, bool loopback) {
  CurrentContext current(*context);
  return mechanism == PeerMemory::CudaIpc
             ? reserveByIpc(context, bytes, loopback)
             : reserveByDescriptor(context, bytes, loopback);
}

CompileTarget CudaDevice::target() const {
  CompileTarget target = targetFor(capability());
  target.checks = checks;
  return target;
}

std::string CudaDevice::compileKey() const {
  std::string key = nvrtcVersion();
  for (const std::string &option : compileOptions(target()))
    key += " " + option;
  return key + "\n" + cudaPrelude;
}

std::string CudaDevice::compile(const KernelSource &source) {
  CompiledText compiled =
      compileForTarget(source.text, source.entry + ".cu", target());
  if (!compiled.succeeded)
    throw InternalError("the generated text of kernel " + source.entry +
                        " does not compile:\n" + compiled.log);
  return std::move(compiled.image);
}

std::unique_ptr<DeviceKernel> CudaDevice::load(const std::string &image,
                                               const KernelSource &source) {
  return std::make_unique<CudaKernel>(context, image, source);
}

std::unique_ptr<Device> openCudaDevice(int ordinal, bool checks) {
  return std::make_unique<CudaDevice>(ordinal, checks);
}

} // namespace tilewire
