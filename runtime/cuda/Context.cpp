//===- Context.cpp - a GPU's primary context ------------------------------===//

#include "runtime/cuda/Context.h"

#include <tilewire/Error.h>

#include <exception>
#include <utility>

namespace tilewire {

Context::Context(int ordinal) {
  int count = 0;
  driver().cuDeviceGetCount(&count);
  if (ordinal < 0 || ordinal >= count)
    throw UserError("expected a GPU from 0 to " + std::to_string(count - 1) +
                    " (the driver shows " + std::to_string(count) + "), got " +
                    std::to_string(ordinal));
  driver().cuDeviceGet(&cuDevice, ordinal);
  driver().cuDevicePrimaryCtxRetain(&context, cuDevice);
}

Context::~Context() {
  releaseDeferred();
  driver().cuDevicePrimaryCtxRelease.orReport(cuDevice);
}

void Context::release(std::function<void()> release) const noexcept {
  if (std::uncaught_exceptions() > 0) {
    std::lock_guard lock(mutex);
    deferred.push_back(std::move(release));
    return;
  }
  releaseDeferred();
  CurrentContext current(*this);
  release();
}

void Context::releaseDeferred() const {
  std::vector<std::function<void()>> due;
  {
    std::lock_guard lock(mutex);
    due.swap(deferred);
  }
  CurrentContext current(*this);
  for (const std::function<void()> &release : due)
    release();
}

int Context::attribute(CUdevice_attribute which) const {
  int value = 0;
  driver().cuDeviceGetAttribute(&value, which, cuDevice);
  return value;
}

} // namespace tilewire
