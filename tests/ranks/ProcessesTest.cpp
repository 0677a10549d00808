//===- ProcessesTest.cpp - the programs as four processes -----------------===//
//
// "The reference" is that of examples/sequence_parallel/Programs.h.
//
//===----------------------------------------------------------------------===//

#include <tilewire/Launch.h>

#include <catch2/catch.hpp>

#include <filesystem>

using namespace tilewire;

TEST_CASE("four processes pass the reference's own test: B 1, H 8, S 64, D 16, "
          "fp16",
          "[programs]") {
  const std::string program =
      GENERATE("pre_attn_all2all", "pre_attn_all2all_transpose",
               "post_attn_all2all_transpose");
  const std::string level = GENERATE("block", "tensor");
  const std::filesystem::path path =
      std::filesystem::path(currentExecutable()).replace_filename(program);
  INFO(path << " --level " << level);
  // A program ends with 0 exactly when every rank's check passed.
  CHECK(launchRanks({.numRanks = 4, .prefixLines = true},
                    {path,   "--num-processes", "4",   "--batch-size",
                     "1",    "--num-heads",     "8",   "--seq-len",
                     "64",   "--head-dim",      "16",  "--dtype",
                     "fp16", "--warmup",        "1",   "--rep",
                     "2",    "--level",         level, "--share-gpu"}) == 0);
}
