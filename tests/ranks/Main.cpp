//===- Main.cpp - entry of the tests of several ranks ---------------------===//

#define CATCH_CONFIG_RUNNER
#include "Ranks.h"

#include "tests/HostCompiler.h"

#include <catch2/catch.hpp>

#include <iostream>

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
  return session.run();
}
