//===- CudaKernel.cpp - a generated kernel loaded on one GPU --------------===//

#include "runtime/cuda/CudaKernel.h"

#include "runtime/cuda/CudaStream.h"

#include <tilewire/Error.h>

#include <array>
#include <bit>

namespace tilewire {
namespace {

CUmodule loadModule(const std::string &image, const std::string &entry) {
  std::array<char, 4096> log{};
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER,
                            CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  CUmodule module = nullptr;
  const CUresult result = driver().cuModuleLoadDataEx.result(
      &module, image.data(), 2, options, values);
  if (result == CUDA_SUCCESS)
    return module;
  const std::string details = log[0] ? "\n" + std::string(log.data()) : "";
  throw MachineError(describeFailure("cuModuleLoadDataEx", result) +
                     " for kernel " + entry + details);
}

} // namespace

CudaKernel::CudaKernel(SharedContext sharedContext, const std::string &image,
                       const KernelSource &source)
    : context(std::move(sharedContext)), policy(source.launch),
      waitsForPeers(!source.waits.empty()) {
  CurrentContext current(*context);
  module = loadModule(image, source.entry);
  try {
    prepare(source.entry);
  } catch (...) {
    driver().cuModuleUnload.orReport(module);
    throw;
  }
}

CudaKernel::~CudaKernel() {
  context->release(
      [module = module] { driver().cuModuleUnload.orReport(module); });
}

void CudaKernel::prepare(const std::string &entry) {
  driver().cuModuleGetFunction(&function, module, entry.c_str());
  driver().cuFuncLoad(function);
  const int sharedLimit =
      context->attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  if (policy.sharedBytes > sharedLimit)
    throw UserError("expected at most " + std::to_string(sharedLimit) +
                    " bytes of shared memory per block on this GPU, got " +
                    std::to_string(policy.sharedBytes) + " for kernel " +
                    entry + "; lower its LaunchPolicy::sharedBytes");
  if (policy.sharedBytes > 0)
    driver().cuFuncSetAttribute(function,
                                CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                int(policy.sharedBytes));
  int blocksPerSm = 0;
  driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(
      &blocksPerSm, function, policy.threads, size_t(policy.sharedBytes));
  residentBlocks = int64_t(blocksPerSm) *
                   context->attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
}

void CudaKernel::launch(DeviceStream &stream, int64_t numBlocks,
                        const tw::World &table, int64_t /*heapBytes*/,
                        const std::vector<LaunchArgument> &arguments,
                        const LaunchValues &values) {
  CurrentContext current(*context);
  // The driver copies what these point to before the launch returns.
  std::vector<void *> parameters = {const_cast<tw::World *>(&table)};
  for (const LaunchArgument &argument : arguments)
    parameters.push_back(const_cast<void **>(&argument.data));
  // It copies as many bytes as the kernel's parameter has, 4 or 8: the low
  // ones.
  static_assert(std::endian::native == std::endian::little);
  for (const LaunchValue &value : values)
    parameters.push_back(const_cast<int64_t *>(&value.value));

  // Blocks that wait for peers must all be resident: the driver then starts all
  // or refuses. Such grids of several streams do run side by side.
  //
  // $CUDA_LAUNCH_BLOCKING: read by the driver. With 1, a launch returns when
  // its kernel is done: ranks that are threads of one process then wait for
  // each other in vain and end, with an error, by their deadline.
  CUlaunchAttribute cooperative{};
  cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  cooperative.value.cooperative = 1;
  CUlaunchConfig config{};
  config.gridDimX = unsigned(numBlocks);
  config.gridDimY = config.gridDimZ = 1;
  config.blockDimX = unsigned(policy.threads);
  config.blockDimY = config.blockDimZ = 1;
  config.sharedMemBytes = unsigned(policy.sharedBytes);
  config.hStream = static_cast<CudaStream &>(stream).handle();
  config.attrs = &cooperative;
  config.numAttrs = waitsForPeers ? 1 : 0;
  driver().cuLaunchKernelEx(&config, function, parameters.data(), nullptr);
}

} // namespace tilewire
