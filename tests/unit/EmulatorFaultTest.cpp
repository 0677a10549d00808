//===- EmulatorFaultTest.cpp - kernels that do what they must not ---------===//

#include "EmulatedRanks.h"

#include <tilewire/Error.h>

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

namespace {

/// What a kernel of one block whose thread 3 does `access` fails with, on rank
/// 1 of 2; `src` is local and `dst` symmetric, both of 64 elements of 2 bytes.
std::string failureOf(const std::string &access,
                      std::chrono::milliseconds timeout = 20s) {
  EmulatedRanks ranks(2, 4096, /*seed=*/0, timeout);
  const std::vector<TensorParameter> parameters = {
      localParameter("src", DataType::F16),
      symmetricParameter("dst", DataType::F16)};
  const std::string begin =
      "extern \"C\" __global__ void faulty(const tw::World "
      "world, const tw::b16 *src, tw::b16 *dst) {\n"
      "  if (threadIdx.x == 3 && blockIdx.x == 1) {";
  ranks.load(makeKernel("faulty",
                        begin + access +
                            "}\n  tw::store(dst, 0, "
                            "tw::load<1>(src, 1));\n}\n",
                        8, parameters));
  const std::vector<LaunchArgument> arguments = {
      ranks[1].local(std::vector<uint16_t>(64, 7)), ranks[1].symmetric(0, 128)};
  ranks.launch(1, 2, arguments);
  const std::string message = messageOf<UserError>([&] { ranks.finish(); });

  // The process, the device and the stream go on.
  ranks.load(makeKernel("good",
                        "extern \"C\" __global__ void good(const tw::World "
                        "world, const tw::b16 *src, tw::b16 *dst) {\n"
                        "  tw::store(dst, 5, tw::load<1>(src, 1));\n}\n",
                        8, parameters));
  ranks.launch(1, 2, arguments);
  ranks.finish();
  CHECK(contentOf<uint16_t>(ranks[1], arguments[1])[5] == 7);
  return message;
}

} // namespace

TEST_CASE("a load outside its tensor stops the launch with its place",
          "[emulator][cxx]") {
  const std::string message =
      failureOf("tw::store(dst, 0, tw::load<8>(src, 64));");
  CHECK_THAT(message, Contains("kernel 'faulty' on rank 1, block 1, thread 3"));
  CHECK_THAT(message, Contains("a load of 16 bytes"));
  CHECK_THAT(message, Contains("within the 128 bytes of tensor 'src', got "
                               "bytes [128, 144)"));
}

TEST_CASE("a store before a peer's tensor stops the launch with its place",
          "[emulator][cxx]") {
  const std::string message = failureOf(
      "tw::store(tw::onPeer(world, dst, 0), size_t(-8), tw::load<8>(src, 0));");
  CHECK_THAT(message, Contains("a store of 16 bytes"));
  CHECK_THAT(message, Contains("tensor 'dst' of rank 0, got bytes [-16, 0)"));
}

TEST_CASE("an access that crosses the end of its tensor stops the launch",
          "[emulator][cxx]") {
  CHECK_THAT(failureOf("tw::store(dst, 63, tw::load<1>(src, 63));"
                       "tw::store((tw::b64 *)(dst + 60), 1, "
                       "tw::Vector<tw::b64, 1>{});"),
             Contains("got bytes [128, 136)"));
}

TEST_CASE("an offset whose bytes wrap around to its tensor stops the launch",
          "[emulator][cxx]") {
  // Of 2-byte elements: bytes 0 and 4 modulo 2^64, and one beyond all.
  const auto [offset, element] = GENERATE(table<std::string, std::string>(
      {{"size_t(1) << 63", "-9223372036854775808"},
       {"(size_t(1) << 63) + 2", "-9223372036854775806"},
       {"size_t(1) << 62", "4611686018427387904"}}));
  CHECK_THAT(
      failureOf("tw::store(dst, 0, tw::load<1>(src, " + offset + "));"),
      Contains("within the 128 bytes of tensor 'src', got element " + element));
  CHECK_THAT(failureOf("tw::store(tw::onPeer(world, dst, 0), " + offset +
                       ", tw::load<1>(src, 0));"),
             Contains("tensor 'dst' of rank 0, got element " + element));
}

TEST_CASE("an offset of wide elements wraps the sooner and stops the launch",
          "[emulator][cxx]") {
  const std::string offset = GENERATE("(size_t(1) << 61)", "(size_t(7) << 61)",
                                      "(size_t(1) << 62) + 1");
  CHECK_THAT(failureOf("tw::store((tw::b64 *)dst, " + offset +
                       ", tw::Vector<tw::b64, 1>{});"),
             Contains("tensor 'dst' of rank 1, got element"));
}

TEST_CASE("a misaligned vector stops the launch", "[emulator][cxx]") {
  CHECK_THAT(failureOf("tw::store(dst, 0, tw::load<8>(src, 4));"),
             Contains("at a multiple of 16") && Contains("bytes [8, 24)"));
}

TEST_CASE("a peer outside the world stops the launch", "[emulator][cxx]") {
  CHECK_THAT(failureOf("tw::store(tw::onPeer(world, dst, 2), 0, "
                       "tw::load<8>(src, 0));"),
             Contains("expected a peer from 0 to 1, as there are 2 ranks, got "
                      "2"));
}

TEST_CASE("a division by zero stops the launch with its place",
          "[emulator][cxx]") {
  const std::string message = failureOf(
      "\n    tw::store(dst, 4 / (threadIdx.x - 3), tw::load<8>(src, 0));");
  CHECK_THAT(message, Contains("kernel 'faulty' on rank 1, block 1, thread 3"));
  CHECK_THAT(message,
             Contains("expected a divisor other than 0 at faulty.cu:3, got 0"));
  CHECK_THAT(failureOf("tw::store(dst, size_t(threadIdx.x) % (blockIdx.x - 1), "
                       "tw::load<8>(src, 0));"),
             Contains("a divisor other than 0 at faulty.cu:2"));
}

TEST_CASE("a loop that does not end stops the launch with its place",
          "[emulator][cxx]") {
  const std::string loop =
      GENERATE("while (true) {}", "for (;;) ;", "do {} while (true);",
               "for (unsigned i = 1; i; i = i % 64 + 1)\n"
               "      tw::store(dst, i % 64, tw::load<1>(src, 0));",
               "for (size_t i = 0; i < size_t(1) << 40; ++i)\n"
               "      tw::store(tw::onPeer(world, dst, i % 2), 0, "
               "tw::load<1>(src, 0));");
  const std::string message = failureOf("\n    " + loop, 1s);
  CHECK_THAT(message, Contains("kernel 'faulty' on rank 1, block 1, thread 3"));
  CHECK_THAT(message, Contains("within 500 ms") && Contains("faulty.cu:3"));
}

TEST_CASE("a launch may last, as long as no thread keeps the others waiting",
          "[emulator][cxx]") {
  // 64 threads for 20 ms, or one and its block for 600 times 2 ms.
  const std::string body =
      GENERATE("spend(20);", "if (blockIdx.x == 0)\n"
                             "    for (unsigned i = 0; i < 600; ++i) {\n"
                             "      if (threadIdx.x == 0)\n        spend(2);\n"
                             "      __syncthreads();\n    }\n");
  EmulatedRanks ranks(1, 4096, /*seed=*/0, 1s);
  ranks.load(makeKernel("slow", R"(
TW_DEVICE void spend(unsigned ms) {
  const unsigned long long start = tw::nanoseconds();
  while (tw::nanoseconds() - start < ms * 1000000ull)
    ;
}
extern "C" __global__ void slow(const tw::World world, tw::b32 *out) {
  )" + body + R"(
  tw::store(out, 0, tw::Vector<tw::b32, 1>{{7}});
}
)",
                        32, {localParameter("out", DataType::I32)}));
  const LaunchArgument out = ranks[0].local(std::vector<uint32_t>(1));
  ranks.launch(0, 2, {out});
  ranks.finish();
  CHECK(contentOf<uint32_t>(ranks[0], out)[0] == 7);
}

TEST_CASE("threads of a block at different barriers are an error",
          "[emulator][cxx]") {
  EmulatedRanks ranks(1, 4096);
  ranks.load(makeKernel("split", R"(
extern "C" __global__ void split(const tw::World world) {
  if (threadIdx.x < 8)
    __syncthreads();
  else
    __syncthreads();
}
)",
                        32, {}));
  ranks.launch(0, 1, {});
  CHECK_THAT(messageOf<UserError>([&] { ranks.finish(); }),
             Contains("all threads of a block at one barrier") &&
                 Contains("split.cu:4") && Contains("split.cu:6"));
}

TEST_CASE("threads that have returned do not hold up a barrier",
          "[emulator][cxx]") {
  EmulatedRanks ranks(1, 4096);
  ranks.load(makeKernel("early", R"(
extern "C" __global__ void early(const tw::World world, tw::b32 *out) {
  if (threadIdx.x % 3 == 0)
    return;
  const bool any = tw::syncOr(threadIdx.x == 31);
  tw::store(out, threadIdx.x, tw::Vector<tw::b32, 1>{{any ? 1u : 2u}});
}
)",
                        32, {localParameter("out", DataType::I32)}));
  const LaunchArgument out = ranks[0].local(std::vector<uint32_t>(32));
  ranks.launch(0, 1, {out});
  ranks.finish();
  const auto got = contentOf<uint32_t>(ranks[0], out);
  for (std::size_t i = 0; i < 32; ++i)
    CHECK(got[i] == (i % 3 == 0 ? 0u : 1u));
}

TEST_CASE("work queued after a failed launch is skipped until the error is "
          "taken",
          "[emulator][cxx]") {
  EmulatedRanks ranks(1, 4096);
  ranks.load(makeKernel("add_or_fail", R"(
extern "C" __global__ void add_or_fail(const tw::World world, tw::b32 *count) {
  tw::Vector<tw::b32, 1> value = tw::load<1>(count, 0);
  value.elements[0] += 1;
  tw::store(count, 0, value);
}
)",
                        1, {localParameter("count", DataType::I32)}));
  const LaunchArgument count = ranks[0].local(std::vector<uint32_t>(1));
  ranks.launch(0, 1, {count});
  ranks.launch(0, 1, {{nullptr, 0, false}});
  ranks.launch(0, 1, {count});
  CHECK_THROWS_AS(ranks.finish(), UserError);
  CHECK(contentOf<uint32_t>(ranks[0], count)[0] == 1);
  ranks.launch(0, 1, {count});
  ranks.finish();
  CHECK(contentOf<uint32_t>(ranks[0], count)[0] == 2);
}

TEST_CASE("a launch that does not fit its kernel is refused before it runs",
          "[emulator][cxx]") {
  EmulatedRanks ranks(1, 4096);
  ranks.load(makeKernel("take_one",
                        "extern \"C\" __global__ void take_one(const tw::World "
                        "world, tw::b32 *x) {}",
                        256, {symmetricParameter("x", DataType::I32)}));
  const LaunchArgument good = ranks[0].symmetric(0, 4096);
  const int64_t most = ranks[0].kernel->maxResidentBlocks();
  CHECK_NOTHROW(ranks.launch(0, most, {good}));
  CHECK_THROWS_AS(ranks.launch(0, most + 1, {good}), InternalError);
  CHECK_THROWS_AS(ranks.launch(0, 0, {good}), InternalError);
  CHECK_THROWS_AS(ranks.launch(0, 1, {}), InternalError);
  CHECK_THROWS_AS(ranks.launch(0, 1, {ranks[0].symmetric(256, 4096)}),
                  UserError);
  const uint32_t elsewhere = 0;
  CHECK_THROWS_AS(
      ranks.launch(0, 1, {{const_cast<uint32_t *>(&elsewhere), 4, true}}),
      UserError);
  ranks.finish();
}
