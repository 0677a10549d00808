//===- Driver.cpp - the CUDA driver, opened at run time -------------------===//

#include "runtime/cuda/Driver.h"

#include "runtime/Device.h"

#include <tilewire/Error.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace tilewire {
namespace {

// Set once the functions are found, before the first of them is called.
const Driver *openDriver = nullptr;

void *openLibrary() {
  void *library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw MachineError("no libcuda.so.1 on the library path (is the NVIDIA "
                       "driver installed?)");
  return library;
}

void *findFunction(void *library, const char *name) {
  if (void *address = ::dlsym(library, name))
    return address;
  throw MachineError("the NVIDIA driver has no " + std::string(name) +
                     "; install a driver for CUDA " +
                     std::to_string(CUDA_VERSION / 1000) + "." +
                     std::to_string(CUDA_VERSION % 1000 / 10) + " or newer");
}

Driver findFunctions(void *library) {
#define TW_SPELL(function) #function
#define TW_FIND(function)                                                      \
  {TW_SPELL(function), findFunction(library, TW_SPELL(function))},
  return {TW_DRIVER_FUNCTIONS(TW_FIND)};
#undef TW_FIND
#undef TW_SPELL
}

// Never closed: threads may still be inside when the process ends.
const Driver &initialise() {
  static const Driver functions = findFunctions(openLibrary());
  openDriver = &functions;
  // $CUDA_DEVICE_MAX_CONNECTIONS: read by the driver, set to 32 where it is not
  // set. Ranks in one process wait for each other's kernels, so their streams
  // must not share a hardware queue; the driver makes 8 unless told otherwise.
  ::setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", /*overwrite=*/0);
  functions.cuInit(0);
  return functions;
}

} // namespace

std::string describeFailure(const char *call, CUresult result) {
  // A stub library sets neither text.
  const char *code = nullptr;
  const char *text = nullptr;
  if (openDriver) {
    openDriver->cuGetErrorName.result(result, &code);
    openDriver->cuGetErrorString.result(result, &text);
  }
  std::string message = std::string(call) + ": ";
  message += code ? code : "error " + std::to_string(int(result));
  if (result == CUDA_ERROR_STUB_LIBRARY)
    return message + " (libcuda.so.1 is the toolkit's stub, not a driver)";
  return text ? message + " (" + text + ")" : message;
}

void throwFailure(const char *call, CUresult result) {
  throw MachineError(describeFailure(call, result));
}

void reportFailure(const char *call, CUresult result) noexcept {
  if (result == CUDA_ERROR_DEINITIALIZED)
    return;
  std::fprintf(stderr, "%s%s\n", errorPrefix(ErrorKind::Machine),
               describeFailure(call, result).c_str());
}

const Driver &driver() {
  static const Driver &opened = initialise();
  return opened;
}

int countCudaDevices(std::string *reason) {
  try {
    int count = 0;
    driver().cuDeviceGetCount(&count);
    if (count == 0 && reason)
      *reason = "the NVIDIA driver shows no GPU (see CUDA_VISIBLE_DEVICES)";
    return count;
  } catch (const Error &error) {
    if (reason)
      *reason = error.what();
    return 0;
  }
}

} // namespace tilewire
