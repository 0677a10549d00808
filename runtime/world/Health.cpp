//===- Health.cpp - whether a rank's world still works --------------------===//

#include "runtime/world/Health.h"

#include <atomic>

namespace tilewire {
namespace {

void abortWaits(tw::Report *report) {
  std::atomic_ref<unsigned>(report->abort).store(1, std::memory_order_release);
}

} // namespace

void Health::check() const {
  std::lock_guard lock(mutex);
  if (failure)
    failure->raise();
}

bool Health::isBroken() const {
  std::lock_guard lock(mutex);
  return failure.has_value();
}

bool Health::breakWith(Failure error) {
  std::lock_guard lock(mutex);
  if (failure)
    return false;
  failure = std::move(error);
  for (tw::Report *report : reports)
    abortWaits(report);
  return true;
}

void Health::noteGivingUp(std::optional<int> rank) {
  std::lock_guard lock(mutex);
  givingUp = rank;
  givingUpSince = std::chrono::steady_clock::now();
}

std::optional<int> Health::givingUpFor(std::chrono::milliseconds time) const {
  std::lock_guard lock(mutex);
  if (givingUp && std::chrono::steady_clock::now() - givingUpSince >= time)
    return givingUp;
  return std::nullopt;
}

void Health::addReport(tw::Report *report) {
  std::lock_guard lock(mutex);
  reports.insert(report);
  if (failure)
    abortWaits(report);
}

void Health::removeReport(tw::Report *report) {
  std::lock_guard lock(mutex);
  reports.erase(report);
}

} // namespace tilewire
