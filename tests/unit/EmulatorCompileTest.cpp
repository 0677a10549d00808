//===- EmulatorCompileTest.cpp - the host's compiler as back end ----------===//

#include "EmulatedRanks.h"
#include "ScopedVariable.h"
#include "WorldFixture.h"

#include "runtime/emulator/HostCompiler.h"

#include <tilewire/Error.h>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>

namespace tilewire {
extern const char *const cudaPrelude;
extern const char *const emulatorPrelude;
} // namespace tilewire

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;

namespace {

/// A kernel that stores `value`.
KernelSource expressionKernel(const std::string &value) {
  return makeKernel("constant",
                    "extern \"C\" __global__ void constant(const tw::World "
                    "world, tw::b32 *out) {\n"
                    "  tw::store(out, 0, tw::Vector<tw::b32, 1>{{" +
                        value + "}});\n}\n",
                    1, {localParameter("out", DataType::I32)});
}

KernelSource constantKernel(int value) {
  return expressionKernel(std::to_string(value));
}

uint32_t runConstant(EmulatedRanks &ranks) {
  const LaunchArgument out = ranks[0].local(std::vector<uint32_t>(1));
  ranks.launch(0, 1, {out});
  ranks.finish();
  return contentOf<uint32_t>(ranks[0], out)[0];
}

/// A compiler that answers --version and runs `script` instead of compiling,
/// for as long as this lives.
class FakeCompiler {
public:
  explicit FakeCompiler(const std::string &script)
      : file(std::filesystem::temp_directory_path() /
             ("tilewire-fake-" + std::to_string(::getpid()))) {
    std::ofstream(file) << "#!/bin/sh\n"
                           "for word; do\n"
                           "  [ $word = --version ] && exec c++ --version\n"
                           "done\n"
                        << script << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    variable.emplace("TILEWIRE_CXX", file);
  }
  ~FakeCompiler() { std::filesystem::remove(file); }

  const std::filesystem::path file;

private:
  std::optional<ScopedVariable> variable;
};

/// Functions and macros that a prelude offers to generated text.
std::set<std::string> namesIn(const std::string &prelude) {
  const std::regex pattern(
      R"((?:\n#define (TW_[A-Z]+)|\nTW_DEVICE [^;{]*?(\w+)\())");
  std::set<std::string> names;
  for (std::sregex_iterator at(prelude.begin(), prelude.end(), pattern), end;
       at != end; ++at)
    names.insert((*at)[1].matched ? (*at)[1].str() : (*at)[2].str());
  return names;
}

} // namespace

TEST_CASE("the emulator's prelude has every name of the GPU's", "[emulator]") {
  const std::set<std::string> offered = namesIn(emulatorPrelude);
  const std::set<std::string> wanted = namesIn(cudaPrelude);
  CHECK(wanted.count("load") + wanted.count("TW_SHARED") +
            wanted.count("barrierAll") ==
        3);
  for (const std::string &name : wanted) {
    INFO(name);
    CHECK(offered.count(name) == 1);
  }
}

TEST_CASE("min and max are those of CUDA, at both widths", "[emulator][cxx]") {
  EmulatedRanks ranks(1, 4096);
  const KernelSource source =
      expressionKernel("min(threadIdx.x + 5, 7u) + max(threadIdx.x, 20u) + "
                       "unsigned(min(size_t(1) << 40, size_t(300)) + "
                       "(max(size_t(1) << 40, size_t(3)) >> 30))");
  ranks[0].kernel =
      ranks[0].device->load(ranks[0].device->compile(source), source);
  CHECK(runConstant(ranks) == 5u + 20u + 300u + 1024u);
}

TEST_CASE("a kernel may have any name that CUDA's prelude leaves free",
          "[emulator][cxx]") {
  const std::string name = GENERATE("tilewire_call", "tilewire_current",
                                    "current", "world", "arguments", "iterate");
  EmulatedRanks ranks(1, 4096);
  const KernelSource source =
      makeKernel(name,
                 "extern \"C\" __global__ void " + name +
                     "(const tw::World world, tw::b32 *out) {\n"
                     "  tw::store(out, 0, tw::Vector<tw::b32, 1>{{7}});\n}\n",
                 1, {localParameter("out", DataType::I32)});
  ranks[0].kernel =
      ranks[0].device->load(ranks[0].device->compile(source), source);
  CHECK(runConstant(ranks) == 7);
}

TEST_CASE("an image needs no sanitizer's library", "[emulator][cxx]") {
  const auto device = openEmulatorDevice(0, 0);
  const std::string image =
      device->compile(expressionKernel("7 / threadIdx.x"));
  CHECK(image.find("libubsan") == std::string::npos);
}

TEST_CASE("a compile error holds the log and the line", "[emulator][cxx]") {
  const auto device = openEmulatorDevice(0, 0);
  KernelSource source = constantKernel(1);
  source.text = "// first\nextern \"C\" __global__ void constant(const "
                "tw::World world, tw::b32 *out) {\n  undeclared = 3;\n}\n";
  const std::string message =
      messageOf<InternalError>([&] { device->compile(source); });
  CHECK_THAT(message, Contains("kernel 'constant'") &&
                          Contains("constant.cu:3:") && Contains("undeclared"));
  CHECK_THAT(message, Contains("line 3:   undeclared = 3;"));
}

TEST_CASE("parameters that differ from the text are a compile error",
          "[emulator][cxx]") {
  const auto device = openEmulatorDevice(0, 0);
  KernelSource source = constantKernel(1);
  source.parameters[0].dtype = DataType::F64;
  CHECK_THROWS_AS(device->compile(source), InternalError);
}

TEST_CASE("a frame too large for a fiber is a compile error",
          "[emulator][cxx]") {
  const auto device = openEmulatorDevice(0, 0);
  const KernelSource source =
      makeKernel("large", R"(
extern "C" __global__ void large(const tw::World world, tw::b32 *out) {
  tw::b32 values[20000];
  for (unsigned i = 0; i < 20000; ++i)
    values[i] = out[i];
  __syncthreads();
  for (unsigned i = 0; i < 20000; ++i)
    out[i] = values[19999 - i];
}
)",
                 1, {localParameter("out", DataType::I32)});
  CHECK_THAT(messageOf<InternalError>([&] { device->compile(source); }),
             Contains("frame"));
}

TEST_CASE("images are never confused, whatever order they come and go in",
          "[emulator][cxx]") {
  EmulatedRanks ranks(1, 4096);
  const std::string images[] = {ranks[0].device->compile(constantKernel(10)),
                                ranks[0].device->compile(constantKernel(11))};
  for (int round = 0; round < 6; ++round) {
    // Freed before the next is loaded, so that its descriptor is used again.
    ranks[0].kernel.reset();
    ranks[0].kernel =
        ranks[0].device->load(images[round % 2], constantKernel(0));
    CHECK(runConstant(ranks) == 10u + unsigned(round % 2));
  }
}

TEST_CASE("an image that is none is an error", "[emulator]") {
  const auto device = openEmulatorDevice(0, 0);
  CHECK_THROWS_AS(device->load("not an image", constantKernel(0)),
                  MachineError);
}

TEST_CASE("compiling leaves no file behind", "[emulator][cxx]") {
  const std::string folder = std::filesystem::temp_directory_path() /
                             ("tilewire-unit-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  {
    ScopedVariable variable("TMPDIR", folder);
    const auto device = openEmulatorDevice(0, 0);
    const std::string image = device->compile(constantKernel(1));
    device->load(image, constantKernel(1));
    KernelSource wrong = constantKernel(1);
    wrong.text = "wrong";
    CHECK_THROWS_AS(device->compile(wrong), InternalError);
  }
  CHECK(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST_CASE("the compiler is taken from the environment and named when missing",
          "[emulator][cxx]") {
  {
    ScopedVariable variable("TILEWIRE_CXX", "/nowhere/c++ -g");
    const auto device = openEmulatorDevice(0, 0);
    CHECK_THAT(messageOf<UserError>([&] { device->compileKey(); }),
               Contains("TILEWIRE_CXX") && Contains("/nowhere/c++"));
  }
  {
    ScopedVariable none("TILEWIRE_CXX", ""), noneEither("CXX", "");
    ScopedVariable path("PATH", "/nowhere");
    const auto device = openEmulatorDevice(0, 0);
    CHECK_THAT(messageOf<UserError>([&] { device->compileKey(); }),
               Contains("clang++") && Contains("install g++"));
  }
  ScopedVariable variable("TILEWIRE_CXX", "c++ -DTILEWIRE_TEST=1");
  const auto device = openEmulatorDevice(0, 0);
  CHECK_THAT(device->compileKey(), Contains("-DTILEWIRE_TEST=1") &&
                                       Contains("-ffp-contract=off") &&
                                       Contains("barrierAll"));
  KernelSource source = constantKernel(1);
  source.text = "#if TILEWIRE_TEST\n" + source.text + "#endif\n";
  CHECK_NOTHROW(device->compile(source));
}

TEST_CASE("a compiler that fails by itself is the machine's error, with the "
          "command, its end and its log",
          "[emulator][cxx]") {
  const auto failure = [] {
    return messageOf<MachineError>(
        [] { emulator::HostCompiler().compile(constantKernel(1)); });
  };
  SECTION("killed by a signal") {
    const FakeCompiler fake("echo so far so good; kill -9 $$");
    CHECK_THAT(failure(), Contains("expected '" + fake.file.string() +
                                   "' to compile kernel 'constant'") &&
                              Contains("got signal 9 (Killed)") &&
                              Contains("so far so good"));
  }
  SECTION("one of its parts was") {
    const FakeCompiler fake("echo 'c++: fatal error: Killed signal terminated "
                            "program cc1plus' >&2; exit 1");
    CHECK_THAT(failure(), Contains("got exit code 1") &&
                              Contains("Killed signal terminated"));
  }
  SECTION("by a bug of its own at a line of the text") {
    const FakeCompiler fake(
        "echo 'constant.cu:1:1: internal compiler error'; exit 4");
    CHECK_THAT(failure(), Contains("got exit code 4") &&
                              Contains("internal compiler error"));
  }
  SECTION("an option that it does not know") {
    const ScopedVariable variable("TILEWIRE_CXX", "c++ --no-such-option");
    CHECK_THAT(failure(), Contains("c++ --no-such-option' to compile") &&
                              Contains("got exit code 1") &&
                              Contains("check the compiler and the options in "
                                       "TILEWIRE_CXX"));
  }
  SECTION("an option that breaks the prelude") {
    const ScopedVariable variable("TILEWIRE_CXX", "c++ -Dnamespace=0");
    CHECK_THAT(failure(), Contains("c++ -Dnamespace=0' to compile") &&
                              Contains("Prelude.h:"));
  }
  SECTION("no compiler at all") {
    const ScopedVariable variable("TILEWIRE_CXX", "true");
    CHECK_THAT(failure(), Contains("true' to compile") &&
                              Contains("got exit code 0 and no image"));
  }
}

TEST_CASE("a compiler that does not end is stopped at its limit and named",
          "[emulator][cxx]") {
  const FakeCompiler fake("sleep 100");
  const emulator::HostCompiler compiler(std::chrono::milliseconds(500));
  CHECK_THAT(
      messageOf<MachineError>([&] { compiler.compile(constantKernel(1)); }),
      Contains("expected " + fake.file.string() + " to end within 500 ms"));
}

TEST_CASE("ranks wait for a compiler that takes longer than they would wait "
          "for each other",
          "[emulator][cxx]") {
  const ScopedVariable noCache("TILEWIRE_CACHE_DIR", "");
  const FakeCompiler fake("sleep 3; exec c++ \"$@\"");
  runLoopback(2, emulated(std::chrono::milliseconds(1500)), [](World &world) {
    SymmetricHeap heap(world, 1 << 16);
    const Kernel kernel(heap, exchangeKernel(2));
  });
}
