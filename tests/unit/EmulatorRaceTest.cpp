//===- EmulatorRaceTest.cpp - accesses that no barrier orders -------------===//

#include "EmulatedRanks.h"

#include <tilewire/Error.h>

#include <catch2/catch.hpp>

using namespace tilewire;
using namespace tilewire::test;
using Catch::Matchers::Contains;
using namespace std::chrono_literals;

namespace {

/// What a kernel with this body fails with where races are looked for; two
/// blocks of 8 threads, `a` local and `b` symmetric, of 64 elements of 2 bytes.
/// In whatever order threads run it must be the same.
std::string raceIn(const std::string &body) {
  const std::vector<TensorParameter> parameters = {
      localParameter("a", DataType::F16),
      symmetricParameter("b", DataType::F16)};
  std::string first;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    EmulatedRanks ranks(2, 4096, seed, 20s, /*findsRaces=*/true);
    ranks.load(
        makeKernel("racy",
                   "extern \"C\" __global__ void racy(const tw::World world, "
                   "tw::b16 *a, tw::b16 *b) {\n  const unsigned t = "
                   "threadIdx.x, r = blockIdx.x * 32;\n" +
                       body + "}\n",
                   8, parameters));
    ranks.launch(1, 2,
                 {ranks[1].local(std::vector<uint16_t>(64, 7)),
                  ranks[1].symmetric(0, 128)});
    const std::string message = messageOf<UserError>([&] { ranks.finish(); });
    if (seed == 0)
      first = message;
    CHECK(message.empty() == first.empty());
  }
  return first;
}

const std::string meet = "  __syncthreads();\n";
const std::string store = "  tw::store(b, r + t, tw::load<1>(b, r + t));\n";
const std::string loadNext = "  tw::load<1>(b, r + (t + 1) % 8);\n";

} // namespace

TEST_CASE("a load of what another thread stored needs a barrier between",
          "[emulator][cxx]") {
  const std::string message = raceIn(store + loadNext);
  CHECK_THAT(message, Contains("kernel 'racy' on rank 1, block "));
  CHECK_THAT(message, Contains("expected a block barrier before a "));
  CHECK_THAT(message, Contains(") of tensor 'b' of rank 1, got none since a "));
  CHECK_THAT(message, Contains(" of the same by thread "));
  CHECK(raceIn(store + meet + loadNext) == "");
}

TEST_CASE("a store to what another thread loaded needs a barrier between",
          "[emulator][cxx]") {
  CHECK_THAT(raceIn(loadNext + store), Contains("expected a block barrier"));
  CHECK(raceIn(loadNext + meet + store) == "");
}

TEST_CASE("of two stores by two threads the last must be known",
          "[emulator][cxx]") {
  CHECK_THAT(raceIn("  tw::store(b, r, tw::load<1>(a, 0));\n"),
             Contains("before a store of bytes [") &&
                 Contains("since a store"));
  CHECK(raceIn("  if (t == 0) tw::store(b, r, tw::load<1>(a, 0));\n" + meet +
               "  if (t == 1) tw::store(b, r, tw::load<1>(a, 0));\n") == "");
}

TEST_CASE("each turn of a loop needs its barriers", "[emulator][cxx]") {
  const auto loop = [](const std::string &body) {
    return "  for (unsigned i = 0; i < 3; ++i) {\n" + body + "  }\n";
  };
  CHECK(raceIn(loop(store + meet + loadNext + meet)) == "");
  CHECK_THAT(raceIn(loop(store + meet + loadNext)),
             Contains("expected a block"));
  CHECK_THAT(raceIn(loop(meet + store + loadNext)),
             Contains("expected a block"));
}

TEST_CASE("accesses of one byte alone race, by address and not by tensor",
          "[emulator][cxx]") {
  // Neighbours, a thread with itself, loads with loads.
  CHECK(raceIn("  tw::store(b, r + t, tw::load<1>(b, r + t));\n"
               "  tw::store(b, r + t, tw::load<1>(a, 0));\n") == "");
  // A vector that takes in what another thread stored; a peer's copy that is
  // this rank's own.
  CHECK_THAT(raceIn("  tw::store(b, r + t, tw::load<1>(a, 0));\n"
                    "  if (t == 3) tw::load<8>(b, r);\n"),
             Contains("expected a block barrier"));
  CHECK_THAT(
      raceIn("  tw::store(b, r + t, tw::load<1>(a, 0));\n"
             "  tw::load<1>(tw::onPeer(world, b, 1), r + (t + 1) % 8);\n"),
      Contains("expected a block barrier"));
  CHECK(raceIn("  tw::store(b, r + t, tw::load<1>(a, 0));\n"
               "  tw::load<1>(tw::onPeer(world, b, 0), r + (t + 1) % 8);\n") ==
        "");
}

TEST_CASE("blocks are not ordered, and not compared", "[emulator][cxx]") {
  CHECK(raceIn("  tw::store(b, t, tw::load<1>(a, 0));\n") == "");
}
