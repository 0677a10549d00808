//===- Driver.h - the CUDA driver, opened at run time ---------------------===//
//
// The functions of libcuda.so.1 that the CUDA back end calls, found with dlopen
// on first use, so that every binary starts on a machine without a driver.
// Calling a member throws MachineError with the call's name when it fails.
// Used by runtime/cuda alone; knows nothing of ranks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_CUDA_DRIVER_H
#define TILEWIRE_RUNTIME_CUDA_DRIVER_H

#include <cuda.h>

#include <string>

namespace tilewire {

/// "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
std::string describeFailure(const char *call, CUresult result);

/// Throws MachineError with that description.
[[noreturn]] void throwFailure(const char *call, CUresult result);

/// Prints that description to stderr, for destructors. Says nothing when the
/// process is ending and the driver is already gone.
void reportFailure(const char *call, CUresult result) noexcept;

template <typename Function> class DriverCall;

/// One function of the driver.
template <typename... Parameters>
class DriverCall<CUresult (*)(Parameters...)> {
public:
  using Function = CUresult (*)(Parameters...);
  DriverCall(const char *name, void *address)
      : name(name), function(reinterpret_cast<Function>(address)) {}

  /// Calls; throws MachineError unless it succeeds.
  void operator()(Parameters... arguments) const {
    if (CUresult result = function(arguments...); result != CUDA_SUCCESS)
      throwFailure(name, result);
  }

  /// Calls and reports a failure to stderr.
  void orReport(Parameters... arguments) const noexcept {
    if (CUresult result = function(arguments...); result != CUDA_SUCCESS)
      reportFailure(name, result);
  }

  /// Calls where a failure is an answer; the caller judges the result.
  CUresult result(Parameters... arguments) const {
    return function(arguments...);
  }

  [[noreturn]] void fail(CUresult result) const { throwFailure(name, result); }

private:
  const char *name;
  Function function;
};

// Each name goes through cuda.h's macros, so that symbol and type are of the
// same version (cuMemAlloc is cuMemAlloc_v2).
#define TW_DRIVER_FUNCTIONS(X)                                                 \
  X(cuInit)                                                                    \
  X(cuDeviceGet)                                                               \
  X(cuDeviceGetCount)                                                          \
  X(cuDeviceGetName)                                                           \
  X(cuDeviceGetUuid)                                                           \
  X(cuDeviceGetAttribute)                                                      \
  X(cuDeviceCanAccessPeer)                                                     \
  X(cuDevicePrimaryCtxRetain)                                                  \
  X(cuDevicePrimaryCtxRelease)                                                 \
  X(cuCtxPushCurrent)                                                          \
  X(cuCtxPopCurrent)                                                           \
  X(cuCtxGetId)                                                                \
  X(cuCtxEnablePeerAccess)                                                     \
  X(cuMemGetInfo)                                                              \
  X(cuMemAlloc)                                                                \
  X(cuMemFree)                                                                 \
  X(cuMemHostAlloc)                                                            \
  X(cuMemFreeHost)                                                             \
  X(cuMemcpyHtoDAsync)                                                         \
  X(cuMemcpyDtoHAsync)                                                         \
  X(cuMemsetD8Async)                                                           \
  X(cuMemGetAllocationGranularity)                                             \
  X(cuMemCreate)                                                               \
  X(cuMemRelease)                                                              \
  X(cuMemAddressReserve)                                                       \
  X(cuMemAddressFree)                                                          \
  X(cuMemMap)                                                                  \
  X(cuMemUnmap)                                                                \
  X(cuMemSetAccess)                                                            \
  X(cuMemExportToShareableHandle)                                              \
  X(cuMemImportFromShareableHandle)                                            \
  X(cuIpcGetMemHandle)                                                         \
  X(cuIpcOpenMemHandle)                                                        \
  X(cuIpcCloseMemHandle)                                                       \
  X(cuStreamCreate)                                                            \
  X(cuStreamDestroy)                                                           \
  X(cuStreamQuery)                                                             \
  X(cuStreamSynchronize)                                                       \
  X(cuStreamBeginCapture)                                                      \
  X(cuStreamEndCapture)                                                        \
  X(cuGraphInstantiate)                                                        \
  X(cuGraphUpload)                                                             \
  X(cuGraphLaunch)                                                             \
  X(cuGraphExecDestroy)                                                        \
  X(cuGraphDestroy)                                                            \
  X(cuEventCreate)                                                             \
  X(cuEventDestroy)                                                            \
  X(cuEventRecord)                                                             \
  X(cuEventQuery)                                                              \
  X(cuEventElapsedTime)                                                        \
  X(cuModuleLoadDataEx)                                                        \
  X(cuModuleUnload)                                                            \
  X(cuModuleGetFunction)                                                       \
  X(cuFuncLoad)                                                                \
  X(cuFuncSetAttribute)                                                        \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor)                               \
  X(cuMemcpyDtoDAsync)                                                         \
  X(cuLaunchKernelEx)                                                          \
  X(cuGetErrorName)                                                            \
  X(cuGetErrorString)

/// The functions above, as members of the same names.
struct Driver {
#define TW_DECLARE(function) DriverCall<decltype(&::function)> function;
  TW_DRIVER_FUNCTIONS(TW_DECLARE)
#undef TW_DECLARE
};

/// The driver, opened and initialised by the first call in the process.
/// MachineError when there is none, it is too old, or it shows no GPU.
const Driver &driver();

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_CUDA_DRIVER_H
