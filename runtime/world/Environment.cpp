//===- Environment.cpp - what launchers tell a rank -----------------------===//

#include "runtime/world/Environment.h"

#include "runtime/Digest.h"
#include "runtime/world/Channel.h"

#include <tilewire/Error.h>
#include <tilewire/Partition.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace tilewire {
namespace {

/// The variables of one launcher.
struct Launcher {
  const char *name;
  /// Any of these tells that this launcher started the process.
  std::vector<const char *> marks;
  const char *rank;
  const char *size;
  const char *localRank;
  /// Ranks on this machine; null when the launcher does not tell.
  const char *localSize;
  /// Those that tell this job from others on the machine, where set.
  std::vector<const char *> job;
};

const std::vector<Launcher> &launchers() {
  static const std::vector<Launcher> all = {
      // $TILEWIRE_RANK, $TILEWIRE_SIZE, $TILEWIRE_LOCAL_RANK,
      // $TILEWIRE_RENDEZVOUS: set by tilewire-run, and by programs that start
      // their own ranks, all four for every rank. Set by hand, the last is any
      // name that no other job on the machine has.
      {ownLauncher,
       {rankVariable, sizeVariable},
       rankVariable,
       sizeVariable,
       localRankVariable,
       nullptr,
       {rendezvousVariable}},
      // $LOCAL_RANK, $RANK, $WORLD_SIZE, $LOCAL_WORLD_SIZE: set by torchrun.
      // `RANK` and `WORLD_SIZE` alone may mean nodes to a cluster's scheduler,
      // so `LOCAL_RANK` is the mark.
      {"torchrun",
       {"LOCAL_RANK"},
       "RANK",
       "WORLD_SIZE",
       "LOCAL_RANK",
       "LOCAL_WORLD_SIZE",
       {"TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT", "MASTER_PORT"}},
      // $OMPI_COMM_WORLD_RANK, $OMPI_COMM_WORLD_SIZE,
      // $OMPI_COMM_WORLD_LOCAL_RANK, $OMPI_COMM_WORLD_LOCAL_SIZE: set by mpirun
      // of Open MPI 3 to 5.
      {"open mpi",
       {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
       "OMPI_COMM_WORLD_RANK",
       "OMPI_COMM_WORLD_SIZE",
       "OMPI_COMM_WORLD_LOCAL_RANK",
       "OMPI_COMM_WORLD_LOCAL_SIZE",
       {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"}},
      // $PMI_RANK, $PMI_SIZE, $MPI_LOCALRANKID, $MPI_LOCALNRANKS: set by
      // mpiexec of MPICH and its kin (Hydra).
      {"mpich",
       {"PMI_RANK", "PMI_SIZE"},
       "PMI_RANK",
       "PMI_SIZE",
       "MPI_LOCALRANKID",
       "MPI_LOCALNRANKS",
       {"PMIX_NAMESPACE", "PMI_JOBID"}},
      // $SLURM_STEP_ID, $SLURM_PROCID, $SLURM_STEP_NUM_TASKS, $SLURM_LOCALID:
      // set by srun. `SLURM_PROCID` is set in batch scripts too, where no step
      // runs, so `SLURM_STEP_ID` is the mark.
      {"slurm",
       {"SLURM_STEP_ID"},
       "SLURM_PROCID",
       "SLURM_STEP_NUM_TASKS",
       "SLURM_LOCALID",
       nullptr,
       {"SLURM_JOB_ID", "SLURM_STEP_ID"}},
  };
  return all;
}

int parseNumber(const char *name, const char *text) {
  int value = 0;
  const char *end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, value);
  if (error != std::errc() || rest != end || value < 0)
    throw UserError("expected a whole number of 0 or more in " +
                    std::string(name) + ", got '" + text + "'");
  return value;
}

int readNumber(const LookUp &lookUp, const Launcher &launcher,
               const char *name) {
  const char *text = lookUp(name);
  if (!text)
    throw UserError("expected " + std::string(name) +
                    " beside the other variables of " + launcher.name +
                    ", it is not set");
  return parseNumber(name, text);
}

std::string assignment(const char *name, int value) {
  return std::string(name) + "=" + std::to_string(value);
}

/// A socket name that all ranks of the job derive alike.
std::string deriveRendezvous(const LookUp &lookUp, const Launcher &launcher) {
  // $TORCHELASTIC_RUN_ID, $TORCHELASTIC_RESTART_COUNT, $MASTER_PORT,
  // $PMIX_NAMESPACE, $OMPI_MCA_ess_base_jobid, $PMI_JOBID, $SLURM_JOB_ID: set
  // by those launchers; they tell a job from others on the machine, so that its
  // ranks meet under a name of their own.
  std::string job = launcher.name;
  bool isNamed = false;
  for (const char *name : launcher.job)
    if (const char *value = lookUp(name)) {
      job += std::string("\n") + name + "=" + value;
      isNamed = true;
    }
  // The ranks of an unnamed job are children of one daemon of the launcher.
  if (!isNamed)
    job += "\nparent=" + std::to_string(::getppid());
  return "tilewire-" + std::to_string(::geteuid()) + "-" + digest(job);
}

RankIdentity identityOf(const LookUp &lookUp, const Launcher &launcher) {
  RankIdentity identity;
  identity.launcher = launcher.name;
  identity.size = readNumber(lookUp, launcher, launcher.size);
  identity.rank = readNumber(lookUp, launcher, launcher.rank);
  identity.localRank = lookUp(launcher.localRank)
                           ? readNumber(lookUp, launcher, launcher.localRank)
                           : identity.rank;
  if (identity.size < 1 || identity.size > maxRanks)
    throw UserError("expected 1 to " + std::to_string(maxRanks) +
                    " ranks, got " + assignment(launcher.size, identity.size));
  if (identity.rank >= identity.size)
    throw UserError("expected " + std::string(launcher.rank) + " below " +
                    launcher.size + ", got " +
                    assignment(launcher.rank, identity.rank) + " and " +
                    assignment(launcher.size, identity.size));
  if (launcher.localSize && lookUp(launcher.localSize)) {
    const int local = readNumber(lookUp, launcher, launcher.localSize);
    if (local != identity.size)
      throw UserError("expected all ranks on one machine, got " +
                      assignment(launcher.localSize, local) + " and " +
                      assignment(launcher.size, identity.size));
  }
  return identity;
}

/// Empty where it is not told.
std::string rendezvousOf(const LookUp &lookUp, const Launcher &launcher) {
  if (launcher.name != std::string_view(ownLauncher))
    return deriveRendezvous(lookUp, launcher);
  const char *name = lookUp(rendezvousVariable);
  return name ? name : "";
}

/// The launcher that started this process, if any did.
const Launcher *launcherIn(const LookUp &lookUp) {
  for (const Launcher &launcher : launchers())
    for (const char *mark : launcher.marks)
      if (lookUp(mark))
        return &launcher;
  return nullptr;
}

} // namespace

std::optional<RankIdentity> identityFrom(const LookUp &lookUp) {
  const Launcher *launcher = launcherIn(lookUp);
  if (!launcher)
    return std::nullopt;
  RankIdentity identity = identityOf(lookUp, *launcher);
  identity.rendezvous = rendezvousOf(lookUp, *launcher);
  if (identity.rendezvous.empty())
    throw UserError("expected " + std::string(rendezvousVariable) + " beside " +
                    rankVariable +
                    ", it is not set; start ranks with tilewire-run");
  return identity;
}

std::optional<RankIdentity> rankFromEnvironment() {
  const LookUp lookUp = [](const char *name) { return std::getenv(name); };
  try {
    return identityFrom(lookUp);
  } catch (const UserError &error) {
    // Others wait for this rank.
    callOff(rendezvousOf(lookUp, *launcherIn(lookUp)),
            {error.kind(), error.what()});
    throw;
  }
}

} // namespace tilewire
