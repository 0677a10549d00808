//===- FileSizeLimitTest.cpp - a process with a limit on file sizes -------===//

#include "EmulatedRanks.h"

#include "runtime/KernelCache.h"
#include "runtime/emulator/HostMemory.h"

#include <tilewire/Error.h>

#include <catch2/catch.hpp>

#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <unistd.h>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

constexpr rlim_t limitBytes = 4096;

/// What `action` fails with where files may not grow beyond `limitBytes`. That
/// the test goes on shows that no signal ended it.
template <typename Action> std::string failureOf(Action &&action) {
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{limitBytes, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = messageOf<MachineError>(action);
  ::setrlimit(RLIMIT_FSIZE, &before);
  return message;
}

/// Whether the signal of that limit would reach this thread as before.
bool isSignalAsBefore() {
  sigset_t blocked, pending;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  ::sigpending(&pending);
  return !::sigismember(&blocked, SIGXFSZ) && !::sigismember(&pending, SIGXFSZ);
}

} // namespace

TEST_CASE("memory that can't grow because of the limit on file sizes is an "
          "error that names it",
          "[emulator]") {
  const std::string reason = "File too large (27); raise the limit on file "
                             "sizes with ulimit -f";
  const auto device = openEmulatorDevice(0, 0);
  CHECK_THAT(failureOf([&] {
               device->reserve(1 << 20, PeerMemory::FileDescriptor, true);
             }),
             Contains("ftruncate to 1048576 bytes") && Contains(reason));
  CHECK(isSignalAsBefore());
  const FileDescriptor file = emulator::makeMemoryFile("test");
  CHECK_THAT(failureOf([&] {
               emulator::writeMemoryFile(file.get(), std::string(5000, 'x'));
             }),
             Contains(reason));
  CHECK(isSignalAsBefore());
  CHECK(failureOf([&] {
          emulator::writeMemoryFile(file.get(), std::string(4096, 'x'));
        }).empty());
}

TEST_CASE("a kernel that can't be cached because of the limit on file sizes is "
          "not cached",
          "[cache]") {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() /
      ("tilewire-limit-" + std::to_string(::getpid()));
  const KernelCache cache(directory);
  CHECK(failureOf([&] { cache.store("key", std::string(5000, 'x')); }).empty());
  CHECK(isSignalAsBefore());
  CHECK_FALSE(cache.find("key"));
  CHECK(std::filesystem::is_empty(directory));
  std::filesystem::remove_all(directory);
}
