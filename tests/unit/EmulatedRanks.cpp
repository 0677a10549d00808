//===- EmulatedRanks.cpp - ranks of the emulator in one test --------------===//

#include "EmulatedRanks.h"

#include <fcntl.h>
#include <stdexcept>
#include <thread>

namespace tilewire::test {

EmulatedRanks::EmulatedRanks(int numRanks, int64_t symmetricBytes,
                             uint64_t seed, std::chrono::milliseconds timeout,
                             bool findsRaces)
    : heapBytes(firstTensorOffset + symmetricBytes) {
  for (int rank = 0; rank < numRanks; ++rank) {
    EmulatedRank made;
    made.device = openEmulatorDevice(rank, seed, findsRaces);
    made.region =
        made.device->reserve(heapBytes, PeerMemory::FileDescriptor, true);
    made.stream = made.device->makeStream();
    Device *owner = made.device.get();
    made.report = std::shared_ptr<tw::Report>(
        made.device->allocateReport(),
        [owner](tw::Report *report) { owner->releaseReport(report); });
    made.table = {};
    made.table.rank = rank;
    made.table.numRanks = numRanks;
    made.table.timeoutNs = uint64_t(std::chrono::nanoseconds(timeout).count());
    made.table.report = made.report.get();
    made.table.flags = reinterpret_cast<tw::Flags *>(made.region->base());
    ranks.push_back(std::move(made));
  }
  for (EmulatedRank &here : ranks)
    for (EmulatedRank &peer : ranks) {
      char *&base = here.table.bases[peer.table.rank];
      if (&here == &peer)
        base = here.region->base();
      else
        base = here.region->importPeer(
            peer.table.rank, peer.region->exportPayload(),
            FileDescriptor(
                ::fcntl(*peer.region->exportDescriptor(), F_DUPFD_CLOEXEC, 0)));
    }
}

void EmulatedRanks::load(const KernelSource &source) {
  load(source, ranks[0].device->compile(source));
}

void EmulatedRanks::load(const KernelSource &source, const std::string &image) {
  for (EmulatedRank &rank : ranks) {
    rank.kernel = rank.device->load(image, source);
    rank.device->fill(rank.table.flags, 0, sizeof(tw::Flags));
  }
}

void EmulatedRanks::launch(int rank, int64_t numBlocks,
                           const std::vector<LaunchArgument> &arguments) {
  EmulatedRank &on = (*this)[rank];
  on.kernel->launch(*on.stream, numBlocks, on.table, heapBytes, arguments, {});
}

void EmulatedRanks::finish() {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (EmulatedRank &rank : ranks)
    while (!rank.stream->isIdle()) {
      if (std::chrono::steady_clock::now() > deadline)
        throw std::runtime_error("a launch did not end");
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}

KernelSource makeKernel(std::string entry, std::string text, int threads,
                        std::vector<TensorParameter> parameters) {
  KernelSource source;
  source.entry = std::move(entry);
  source.text = std::move(text);
  source.parameters = std::move(parameters);
  source.launch.threads = threads;
  return source;
}

TensorParameter localParameter(std::string name, DataType dtype) {
  return {std::move(name), dtype, {}, false, true};
}

TensorParameter symmetricParameter(std::string name, DataType dtype) {
  return {std::move(name), dtype, {}, true, true};
}

} // namespace tilewire::test
