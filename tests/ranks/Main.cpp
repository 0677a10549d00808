//===- Main.cpp - entry of the tests of several ranks ---------------------===//

#define CATCH_CONFIG_RUNNER
#include "Ranks.h"

#include "runtime/Device.h"
#include "tests/HostCompiler.h"

#include <catch2/catch.hpp>

#include <iostream>

namespace {

/// Every GPU, opened: worlds then share its context, as they do in a program
/// that uses the GPU besides, and don't take a second each to make their own.
std::vector<std::unique_ptr<tilewire::Device>> keepGpus() {
  std::vector<std::unique_ptr<tilewire::Device>> gpus;
  for (int ordinal = 0; ordinal < tilewire::countCudaDevices(); ++ordinal)
    gpus.push_back(tilewire::openCudaDevice(ordinal));
  return gpus;
}

} // namespace

/// Where there is neither a GPU nor a compiler for the emulator, a run of
/// everything is skipped; tests that are asked for fail with the reason.
int main(int argc, char **argv) {
  Catch::Session session;
  if (const int status = session.applyCommandLine(argc, argv))
    return status;
  if (tilewire::test::isEmulated() && session.configData().testsOrTags.empty())
    if (const std::string reason = tilewire::test::whyNoHostCompiler();
        !reason.empty()) {
      std::cout << "skipped all tests: no GPU, and " << reason << std::endl;
      return 0;
    }
  const auto gpus = keepGpus();
  return session.run();
}
