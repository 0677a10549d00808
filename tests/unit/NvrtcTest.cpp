//===- NvrtcTest.cpp - compiling without a GPU ----------------------------===//

#include "runtime/cuda/Nvrtc.h"

#include <tilewire/Error.h>

#include <catch2/catch.hpp>

using namespace tilewire;

namespace {

bool nvrtcOrSkip() {
  std::string reason;
  if (hasNvrtc(&reason))
    return true;
  WARN("skipped: " << reason);
  return false;
}

// Calls what the prelude defines, and waits.
const char *const meetingText = R"(
extern "C" __global__ void __launch_bounds__(128)
meet(const tw::World world, const tw::b16 *src, tw::b16 *dst) {
  if (!tw::enterAll(world, 0))
    return;
  TW_SHARED(tw::b32, scratch, 128);
  scratch[threadIdx.x] = threadIdx.x;
  const unsigned peer = (world.rank + 1) % world.numRanks;
  tw::store(tw::onPeer(world, dst, peer), threadIdx.x * 8,
            tw::load<8>(src, threadIdx.x * 8));
  if (!tw::barrierAll(world, 1))
    return;
  tw::leaveAll(world, 2);
}
)";

} // namespace

TEST_CASE("a text that uses the prelude compiles for every architecture that "
          "NVRTC knows, without local memory",
          "[nvrtc]") {
  if (!nvrtcOrSkip())
    return;
  for (int architecture : nvrtcArchitectures()) {
    const CompiledText compiled = compileForTarget(
        meetingText, "meet.cu", {architecture, /*machineCode=*/true},
        /*verbose=*/true);
    INFO(compiled.log);
    CHECK(compiled.succeeded);
    CHECK(compiled.image.substr(1, 3) == "ELF");
    CHECK(compiled.log.find(" 0 bytes stack frame, 0 bytes spill stores") !=
          std::string::npos);
  }
}

TEST_CASE("a faulty text is refused with its own line number and the line",
          "[nvrtc]") {
  if (!nvrtcOrSkip())
    return;
  const CompiledText compiled =
      compileForTarget("\nextern \"C\" __global__ void faulty() {\n"
                       "  undeclared = 1;\n}\n",
                       "faulty.cu", targetFor(90));
  CHECK_FALSE(compiled.succeeded);
  CHECK(compiled.image.empty());
  CHECK(compiled.log.find("faulty.cu(3): error") != std::string::npos);
  CHECK(compiled.log.find("  undeclared = 1;") != std::string::npos);
}

TEST_CASE("a device newer than NVRTC gets PTX of the newest architecture "
          "before it",
          "[nvrtc]") {
  if (!nvrtcOrSkip())
    return;
  const CompileTarget target = targetFor(999);
  CHECK_FALSE(target.machineCode);
  CHECK(target.architecture == nvrtcArchitectures().back());
  const CompiledText compiled =
      compileForTarget(meetingText, "meet.cu", target);
  INFO(compiled.log);
  CHECK(compiled.image.find(".entry meet") != std::string::npos);
}

TEST_CASE("a device older than NVRTC is refused with both versions",
          "[nvrtc]") {
  if (!nvrtcOrSkip())
    return;
  CHECK_THROWS_AS(targetFor(30), MachineError);
  CHECK_THROWS_WITH(targetFor(30),
                    Catch::Contains("30") && Catch::Contains(nvrtcVersion()));
}

TEST_CASE("targets use the features of one architecture from 9.0 on",
          "[nvrtc]") {
  CHECK(parseTarget("sm_90").name() == "sm_90a");
  CHECK(parseTarget("sm_90a").name() == "sm_90a");
  CHECK(parseTarget("sm_80").name() == "sm_80");
  CHECK(parseTarget("compute_90").name() == "compute_90");
  for (const char *text : {"", "90", "sm_", "sm_x", "sm_9x", "compute_90a"})
    CHECK_THROWS_AS(parseTarget(text), UserError);
}
