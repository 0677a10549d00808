//===- Context.cpp - a GPU's primary context ------------------------------===//

#include "runtime/cuda/Context.h"

#include <tilewire/Error.h>

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

Context::~Context() { driver().cuDevicePrimaryCtxRelease.orReport(cuDevice); }

int Context::attribute(CUdevice_attribute which) const {
  int value = 0;
  driver().cuDeviceGetAttribute(&value, which, cuDevice);
  return value;
}

} // namespace tilewire
