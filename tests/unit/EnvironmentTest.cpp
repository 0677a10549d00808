//===- EnvironmentTest.cpp - ranks as launchers describe them -------------===//

#include "runtime/world/Environment.h"

#include <tilewire/Error.h>

#include <catch2/catch.hpp>

#include <map>

using namespace tilewire;
using Catch::Matchers::Contains;

namespace {

using Variables = std::map<std::string, std::string>;

std::optional<RankIdentity> identityIn(const Variables &variables) {
  return identityFrom([&](const char *name) -> const char * {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

/// `variables` with some replaced; an empty value removes.
Variables with(Variables variables, const Variables &changes) {
  for (const auto &[name, value] : changes)
    if (value.empty())
      variables.erase(name);
    else
      variables[name] = value;
  return variables;
}

const Variables tilewireRun = {{"TILEWIRE_RANK", "2"},
                               {"TILEWIRE_SIZE", "4"},
                               {"TILEWIRE_LOCAL_RANK", "2"},
                               {"TILEWIRE_RENDEZVOUS", "tilewire-abc"}};
const Variables torchrun = {{"RANK", "1"},
                            {"WORLD_SIZE", "4"},
                            {"LOCAL_RANK", "1"},
                            {"MASTER_PORT", "2950"},
                            {"LOCAL_WORLD_SIZE", "4"}};
const Variables openMpi = {
    {"OMPI_COMM_WORLD_RANK", "3"},       {"OMPI_COMM_WORLD_SIZE", "4"},
    {"OMPI_COMM_WORLD_LOCAL_RANK", "3"}, {"OMPI_COMM_WORLD_LOCAL_SIZE", "4"},
    {"PMIX_NAMESPACE", "host-prte-1"},   {"PMIX_RANK", "3"}};
const Variables mpich = {{"PMI_RANK", "0"},
                         {"PMI_SIZE", "2"},
                         {"MPI_LOCALRANKID", "0"},
                         {"MPI_LOCALNRANKS", "2"}};
const Variables slurm = {{"SLURM_PROCID", "5"},
                         {"SLURM_STEP_NUM_TASKS", "8"},
                         {"SLURM_LOCALID", "5"},
                         {"SLURM_JOB_ID", "77"},
                         {"SLURM_STEP_ID", "0"}};

} // namespace

TEST_CASE("every launcher's variables give rank, size and launcher",
          "[environment]") {
  struct Case {
    Variables variables;
    const char *launcher;
    int rank, size;
  };
  for (const Case &expected :
       {Case{tilewireRun, "tilewire", 2, 4}, Case{torchrun, "torchrun", 1, 4},
        Case{openMpi, "open mpi", 3, 4}, Case{mpich, "mpich", 0, 2},
        Case{slurm, "slurm", 5, 8}}) {
    const auto identity = identityIn(expected.variables);
    REQUIRE(identity);
    CHECK(identity->launcher == expected.launcher);
    CHECK(identity->rank == expected.rank);
    CHECK(identity->localRank == expected.rank);
    CHECK(identity->size == expected.size);
    CHECK_FALSE(identity->rendezvous.empty());
    CHECK(identity->rendezvous.size() < 100);
  }
  CHECK(identityIn(tilewireRun)->rendezvous == "tilewire-abc");
}

TEST_CASE("no launcher's variables, or those of its surroundings, mean none",
          "[environment]") {
  CHECK_FALSE(identityIn({}));
  // A pod's variables count nodes; a batch script is no step.
  CHECK_FALSE(identityIn({{"RANK", "0"}, {"WORLD_SIZE", "2"}}));
  CHECK_FALSE(identityIn({{"SLURM_PROCID", "0"}, {"SLURM_JOB_ID", "7"}}));
}

TEST_CASE("Tilewire's own launcher wins over one around it", "[environment]") {
  CHECK(identityIn(with(slurm, tilewireRun))->launcher == "tilewire");
  CHECK(identityIn(with(slurm, torchrun))->launcher == "torchrun");
}

TEST_CASE("ranks of a job derive one rendezvous, other jobs another",
          "[environment]") {
  const auto rendezvous = [](const Variables &variables) {
    return identityIn(variables)->rendezvous;
  };
  CHECK(rendezvous(torchrun) ==
        rendezvous(with(torchrun, {{"RANK", "3"}, {"LOCAL_RANK", "3"}})));
  CHECK(rendezvous(torchrun) !=
        rendezvous(with(torchrun, {{"MASTER_PORT", "2951"}})));
  CHECK(rendezvous(torchrun) !=
        rendezvous(with(torchrun, {{"TORCHELASTIC_RUN_ID", "b"}})));
  CHECK(rendezvous(openMpi) !=
        rendezvous(with(openMpi, {{"PMIX_NAMESPACE", "host-prte-2"}})));
  CHECK(rendezvous(slurm) != rendezvous(with(slurm, {{"SLURM_STEP_ID", "1"}})));
  CHECK(rendezvous(mpich) == rendezvous(with(mpich, {{"PMI_RANK", "1"}})));
}

TEST_CASE("a local rank that is not told is the rank", "[environment]") {
  CHECK(identityIn(with(openMpi, {{"OMPI_COMM_WORLD_LOCAL_RANK", ""}}))
            ->localRank == 3);
  CHECK(identityIn(with(slurm, {{"SLURM_LOCALID", "1"}}))->localRank == 1);
}

TEST_CASE("garbage in a variable is refused with its name and value",
          "[environment]") {
  for (const char *garbage : {"x", "4x", "-1", " 4", "4 ", "0x4", "1e1",
                              "99999999999999999999", "2.0"}) {
    CHECK_THROWS_WITH(
        identityIn(with(tilewireRun, {{"TILEWIRE_SIZE", garbage}})),
        Contains("TILEWIRE_SIZE") && Contains(garbage));
    CHECK_THROWS_WITH(identityIn(with(mpich, {{"PMI_RANK", garbage}})),
                      Contains("PMI_RANK") && Contains(garbage));
    CHECK_THROWS_WITH(identityIn(with(slurm, {{"SLURM_LOCALID", garbage}})),
                      Contains("SLURM_LOCALID") && Contains(garbage));
  }
}

TEST_CASE("variables that contradict each other are refused, both named",
          "[environment]") {
  CHECK_THROWS_WITH(identityIn(with(tilewireRun, {{"TILEWIRE_RANK", "4"}})),
                    Contains("TILEWIRE_RANK=4") && Contains("TILEWIRE_SIZE=4"));
  CHECK_THROWS_WITH(identityIn(with(tilewireRun, {{"TILEWIRE_SIZE", ""}})),
                    Contains("TILEWIRE_SIZE") && Contains("not set"));
  CHECK_THROWS_WITH(identityIn(with(tilewireRun, {{"TILEWIRE_RANK", ""}})),
                    Contains("TILEWIRE_RANK"));
  CHECK_THROWS_WITH(
      identityIn(with(tilewireRun, {{"TILEWIRE_RENDEZVOUS", ""}})),
      Contains("TILEWIRE_RENDEZVOUS"));
  CHECK_THROWS_WITH(identityIn(with(torchrun, {{"LOCAL_WORLD_SIZE", "2"}})),
                    Contains("LOCAL_WORLD_SIZE=2") && Contains("WORLD_SIZE=4"));
  CHECK_THROWS_WITH(identityIn(with(torchrun, {{"WORLD_SIZE", ""}})),
                    Contains("WORLD_SIZE"));
}

TEST_CASE("a world has 1 to 72 ranks", "[environment]") {
  CHECK(identityIn(with(tilewireRun, {{"TILEWIRE_SIZE", "72"}})));
  for (const char *size : {"0", "73", "1000000"})
    CHECK_THROWS_WITH(identityIn(with(tilewireRun, {{"TILEWIRE_SIZE", size}})),
                      Contains("1 to 72") && Contains(size));
}
