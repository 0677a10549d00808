//===- GpuFixture.h - tests that need a GPU -------------------------------===//
//
// Opens GPU 0, or warns why a test is skipped (Catch2 2 has no way to skip).
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_UNIT_GPUFIXTURE_H
#define TILEWIRE_TESTS_UNIT_GPUFIXTURE_H

#include "runtime/Device.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

/// GPU 0; null, with the reason printed, where there is none.
inline std::unique_ptr<tilewire::Device> openGpuOrSkip() {
  std::string reason;
  if (tilewire::countCudaDevices(&reason) == 0) {
    WARN("skipped: " << reason);
    return nullptr;
  }
  return tilewire::openCudaDevice(0);
}

/// Whether the stream's work ends within `limit`.
inline bool endsWithin(tilewire::DeviceStream &stream,
                       std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!stream.isIdle()) {
    if (std::chrono::steady_clock::now() > end)
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

#endif // TILEWIRE_TESTS_UNIT_GPUFIXTURE_H
