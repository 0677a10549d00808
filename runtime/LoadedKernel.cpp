//===- LoadedKernel.cpp - a kernel on this rank's device ------------------===//

#include "runtime/LoadedKernel.h"

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

tw::World LoadedKernel::table() const {
  tw::World table{};
  table.rank = world.identity.rank;
  table.numRanks = world.identity.size;
  table.timeoutNs =
      (unsigned long long)(std::chrono::nanoseconds(world.options.timeout)
                               .count());
  table.report = report;
  table.flags = reinterpret_cast<tw::Flags *>(
      mapping->bases[size_t(table.rank)] + slot * FlagSlots::slotBytes);
  std::copy(mapping->bases.begin(), mapping->bases.end(), table.bases);
  return table;
}

std::optional<Failure> LoadedKernel::failedWait() const {
  if (std::atomic_ref<unsigned>(report->complete)
          .load(std::memory_order_acquire) == 0)
    return std::nullopt;
  std::string site = "wait " + std::to_string(report->wait);
  if (report->wait >= 0 && size_t(report->wait) < source.waits.size()) {
    const WaitSite &wait = source.waits[size_t(report->wait)];
    site = wait.what + " at " + wait.location;
  }
  return Failure{ErrorKind::Machine,
                 "kernel '" + source.entry + "', " + site + ": rank " +
                     std::to_string(world.identity.rank) + " waited for rank " +
                     std::to_string(report->peer) + " longer than " +
                     formatTime(world.options.timeout) + ": expected epoch " +
                     std::to_string(report->expected) + ", got " +
                     std::to_string(report->seen)};
}

} // namespace tilewire
