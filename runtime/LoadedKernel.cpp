//===- LoadedKernel.cpp - a kernel on this rank's device ------------------===//

#include "runtime/LoadedKernel.h"

#include "runtime/Digest.h"
#include "runtime/world/Message.h"

#include <tilewire/Partition.h>

#include <atomic>

namespace tilewire {

LoadedKernel::LoadedKernel(SymmetricHeap &heap, KernelSource source,
                           const std::string &image, int slot)
    : source(std::move(source)), heapBytes(heap.size()),
      world(heap.world().state()), mapping(heap.state().mapping),
      slots(heap.state().slots), slot(slot) {
  char *flags =
      mapping->bases[size_t(world.identity.rank)] + slot * FlagSlots::slotBytes;
  world.device->fill(flags, 0, FlagSlots::slotBytes);
  module = world.device->load(image, this->source);
  report = world.device->allocateReport();
  world.health.addReport(report);
  slots->take(slot);
}

LoadedKernel::~LoadedKernel() {
  module.reset(); // before the report that its kernels write
  slots->release(slot);
  world.health.removeReport(report);
  world.device->releaseReport(report);
}

static_assert(tw::maxRanks == maxRanks);

unsigned LoadedKernel::digestOf(const std::vector<LaunchArgument> &arguments,
                                const LaunchValues &values,
                                const char *base) const {
  Packer offsets;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (source.parameters[i].symmetric && arguments[i].bytes > 0)
      offsets.number(static_cast<const char *>(arguments[i].data) - base);
  unsigned digest = unsigned(checksum(offsets.take()));
  // FNV-1a by words, each step of which is one to one: where a single value
  // below 2^32 differs, so does the digest.
  for (const LaunchValue &value : values)
    for (const uint64_t word :
         {uint64_t(value.value), uint64_t(value.value) >> 32})
      digest = (digest ^ unsigned(word)) * 0x01000193u;
  return digest;
}

tw::World LoadedKernel::table(const std::vector<LaunchArgument> &arguments,
                              const LaunchValues &values) const {
  tw::World table{};
  table.rank = unsigned(world.identity.rank);
  table.numRanks = unsigned(world.identity.size);
  table.timeoutNs =
      (unsigned long long)(std::chrono::nanoseconds(world.options.timeout)
                               .count());
  table.report = report;
  table.flags = reinterpret_cast<tw::Flags *>(mapping->bases[table.rank] +
                                              slot * FlagSlots::slotBytes);
  std::copy(mapping->bases.begin(), mapping->bases.end(), table.bases);
  table.digest = digestOf(arguments, values, table.bases[table.rank]);
  return table;
}

Failure LoadedKernel::failedCheck() const {
  CheckSite site{"check " + std::to_string(report->wait) + " to hold", ""};
  if (report->wait >= 0 && size_t(report->wait) < source.checks.size())
    site = source.checks[size_t(report->wait)];
  const uint64_t value = uint64_t(report->expected) << 32 | report->seen;
  return {ErrorKind::User,
          "kernel '" + source.entry + "' on rank " +
              std::to_string(report->peer) + ": expected " + site.expected +
              (site.location.empty() ? "" : " at " + site.location) + ", got " +
              std::to_string(int64_t(value))};
}

std::optional<Failure> LoadedKernel::failedWait() const {
  if (std::atomic_ref<unsigned>(report->complete)
          .load(std::memory_order_acquire) == 0)
    return std::nullopt;
  if (report->problem == tw::checkFailed)
    return failedCheck();
  std::string counted = "epoch";
  std::string site = "wait " + std::to_string(report->wait);
  if (report->wait >= 0 && size_t(report->wait) < source.waits.size()) {
    const WaitSite &wait = source.waits[size_t(report->wait)];
    site = wait.what + " at " + wait.location;
    if (wait.what == "barrier_all")
      counted = "round";
  }
  const std::string subject = "kernel '" + source.entry + "', " + site + ": ";
  const std::string here = "rank " + std::to_string(world.identity.rank);
  const std::string peer = "rank " + std::to_string(report->peer);
  if (report->problem == tw::launchesDiffer) {
    const bool hasValues = !source.launchParameters.empty();
    return Failure{
        ErrorKind::User,
        subject + "expected every rank to launch with the same symmetric " +
            "tensors" +
            (hasValues
                 ? " and parameters (" + names(source.launchParameters) + ")"
                 : "") +
            ", got others on " + peer + " than on " + here +
            "; give tensors that all ranks made in the same order" +
            (hasValues ? ", and the same values on every rank" : "")};
  }
  return Failure{ErrorKind::Machine,
                 subject + here + " waited for " + peer + " longer than " +
                     formatTime(world.options.timeout) + ": expected " +
                     counted + " " + std::to_string(report->expected) +
                     ", got " + std::to_string(report->seen)};
}

} // namespace tilewire
