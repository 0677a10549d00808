//===- Main.cpp - entry of the unit tests ---------------------------------===//

#define CATCH_CONFIG_RUNNER
#include "tests/HostCompiler.h"

#include <catch2/catch.hpp>

#include <iostream>

/// A run of everything leaves out what this machine can't do, and says so; a
/// test that is asked for fails with the reason.
int main(int argc, char **argv) {
  Catch::Session session;
  if (const int status = session.applyCommandLine(argc, argv))
    return status;
  Catch::ConfigData &config = session.configData();
  const std::string reason = tilewire::test::whyNoHostCompiler();
  if (!reason.empty() && config.testsOrTags.empty()) {
    std::cout << "skipped the tests tagged [cxx]: " << reason << std::endl;
    config.testsOrTags.push_back("~[cxx]~[.]");
  }
  return session.run();
}
