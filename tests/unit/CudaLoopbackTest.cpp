//===- CudaLoopbackTest.cpp - kernels of several ranks that meet ----------===//
//
// Four ranks as threads of this process on one GPU, each with a quarter of it,
// over the device interface alone.
//
//===----------------------------------------------------------------------===//

#include "GpuFixture.h"

#include <barrier>

using namespace tilewire;

namespace {

constexpr int numRanks = 4;
constexpr unsigned perPeer = 4096;
constexpr unsigned numWords = numRanks * perPeer;
constexpr int64_t numBytes = numWords * int64_t(sizeof(unsigned));
constexpr int64_t flagsBytes = 4096;
constexpr int64_t heapBytes = flagsBytes + numBytes;

static_assert(sizeof(tw::Flags) <= flagsBytes);

/// Rank r's words [p * perPeer, ...) go to rank p, slot r.
KernelSource exchangeSource() {
  KernelSource source;
  source.text = R"(
extern "C" __global__ void __launch_bounds__(128)
exchange(const tw::World world, const tw::b32 *src, tw::b32 *dst) {
  if (!tw::enterAll(world, 0))
    return;
  for (unsigned i = blockIdx.x * 128 + threadIdx.x; i < 16384;
       i += gridDim.x * 128)
    tw::store(tw::onPeer(world, dst, i / 4096),
              world.rank * 4096 + i % 4096, tw::load<1>(src, i));
  if (!tw::barrierAll(world, 1))
    return;
  tw::leaveAll(world, 2);
}
)";
  source.entry = "exchange";
  source.numRanks = numRanks;
  source.waits = {{"entry barrier", "exchange:1"},
                  {"barrier_all", "exchange:2"},
                  {"exit barrier", "exchange:3"}};
  return source;
}

unsigned wordOf(int rank, unsigned index, unsigned launch) {
  return index * 2654435761u + unsigned(rank) * 40503u + launch * 97u;
}

/// What the ranks share: a meeting point, and what each exported.
struct Job {
  std::barrier<> meeting{numRanks};
  std::vector<std::string> exported{numRanks};
};

/// One rank, its memory mapped by all.
class Rank {
public:
  Rank(Job &job, int rank, PeerMemory mechanism, uint64_t timeoutNs)
      : job(job), device(openCudaDevice(0)), stream(device->makeStream()),
        region(device->reserve(heapBytes, mechanism, /*loopback=*/true)),
        report(device->allocateReport()), src(device->allocate(numBytes)) {
    const KernelSource source = exchangeSource();
    kernel = device->load(device->compile(source), source);
    device->fill(region->base(), 0, flagsBytes);
    job.exported[rank] = region->exportPayload();
    meet();
    table.rank = rank;
    table.numRanks = numRanks;
    table.timeoutNs = timeoutNs;
    table.report = report;
    table.flags = reinterpret_cast<tw::Flags *>(region->base());
    for (int peer = 0; peer < numRanks; ++peer)
      table.bases[peer] =
          peer == rank
              ? region->base()
              : region->importPeer(peer, job.exported[peer], std::nullopt);
    meet();
  }
  ~Rank() {
    meet();
    device->release(src);
    device->releaseReport(report);
  }

  void meet() { job.meeting.arrive_and_wait(); }

  void fillSource(unsigned launch) {
    std::vector<unsigned> words(numWords);
    for (unsigned i = 0; i < numWords; ++i)
      words[i] = wordOf(table.rank, i, launch);
    device->copyToDevice(src, words.data(), numBytes);
    device->fill(dst(), 0xee, numBytes);
  }

  void launch() {
    const int64_t blocks =
        std::min<int64_t>(kernel->maxResidentBlocks() / numRanks, 33);
    kernel->launch(*stream, blocks, table, heapBytes,
                   {{src, numBytes, false}, {dst(), numBytes, true}}, {});
  }

  int64_t wrongWords(unsigned launch) {
    std::vector<unsigned> words(numWords);
    device->copyToHost(words.data(), dst(), numBytes);
    int64_t wrong = 0;
    for (unsigned i = 0; i < numWords; ++i)
      wrong += words[i] != wordOf(int(i / perPeer),
                                  table.rank * perPeer + i % perPeer, launch);
    return wrong;
  }

  char *dst() { return region->base() + flagsBytes; }

  Job &job;
  std::unique_ptr<Device> device;
  std::unique_ptr<DeviceStream> stream;
  std::unique_ptr<PeerRegion> region;
  tw::Report *report;
  void *src;
  std::unique_ptr<DeviceKernel> kernel;
  tw::World table{};
};

/// Runs `body(rank)` on every rank at once.
void onAllRanks(PeerMemory mechanism, std::chrono::milliseconds timeout,
                const std::function<void(Rank &)> &body) {
  Job job;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < numRanks; ++rank)
    threads.emplace_back([&, rank] {
      Rank member(job, rank, mechanism, uint64_t(timeout.count()) * 1000000);
      body(member);
    });
  for (std::thread &thread : threads)
    thread.join();
}

// Catch2's assertions belong to one thread; ranks keep what they saw.
struct Seen {
  bool ended = true;
  int64_t wrong = 0;
  double seconds = 0;
  tw::Report report{};
};

} // namespace

TEST_CASE("four ranks on one GPU exchange the right words in 1000 launches "
          "without a reset",
          "[cuda][gpu]") {
  if (!openGpuOrSkip())
    return;
  const auto mechanism =
      GENERATE(PeerMemory::FileDescriptor, PeerMemory::CudaIpc);
  std::array<Seen, numRanks> seen;
  onAllRanks(mechanism, std::chrono::seconds(20), [&](Rank &rank) {
    Seen &mine = seen[rank.table.rank];
    for (unsigned round = 0; round < 10; ++round) {
      rank.fillSource(round);
      rank.meet();
      for (int i = 0; i < 100; ++i)
        rank.launch();
      mine.ended &= endsWithin(*rank.stream, std::chrono::seconds(30));
      mine.wrong += rank.wrongWords(round);
      rank.meet();
    }
    mine.report = *rank.report;
  });
  for (const Seen &mine : seen) {
    CHECK(mine.ended);
    CHECK(mine.wrong == 0);
    CHECK(mine.report.abort == 0);
  }
}

TEST_CASE("ranks that wait for each other can be timed together",
          "[cuda][gpu]") {
  if (!openGpuOrSkip())
    return;
  std::array<Seen, numRanks> seen;
  onAllRanks(PeerMemory::FileDescriptor, std::chrono::seconds(5),
             [&](Rank &rank) {
               Seen &mine = seen[rank.table.rank];
               rank.fillSource(0);
               rank.meet();
               for (int sample = 0; sample < 5; ++sample)
                 mine.seconds += rank.stream->time(
                     [&] {
                       for (int i = 0; i < 20; ++i)
                         rank.launch();
                     },
                     [&] { rank.meet(); });
               mine.wrong = rank.wrongWords(0);
               mine.report = *rank.report;
             });
  for (const Seen &mine : seen) {
    CHECK(mine.wrong == 0);
    CHECK(mine.report.abort == 0);
    CHECK(mine.seconds > 0);
    CHECK(mine.seconds < 1);
  }
}

TEST_CASE("a rank whose peers never launch reports the wait within its time",
          "[cuda][gpu]") {
  if (!openGpuOrSkip())
    return;
  std::array<Seen, numRanks> seen;
  onAllRanks(PeerMemory::FileDescriptor, std::chrono::milliseconds(100),
             [&](Rank &rank) {
               rank.meet();
               if (rank.table.rank != 2)
                 return;
               rank.fillSource(0);
               rank.launch();
               seen[2].ended =
                   endsWithin(*rank.stream, std::chrono::seconds(5));
               seen[2].report = *rank.report;
             });
  CHECK(seen[2].ended);
  CHECK(seen[2].report.complete == 1);
  CHECK(seen[2].report.abort == 1);
  CHECK(seen[2].report.wait == 0);
  CHECK(seen[2].report.peer != 2);
  CHECK(seen[2].report.expected == 1);
  CHECK(seen[2].report.seen == 0);
}

TEST_CASE("the host ends a wait by the abort word", "[cuda][gpu]") {
  if (!openGpuOrSkip())
    return;
  std::array<Seen, numRanks> seen;
  onAllRanks(
      PeerMemory::FileDescriptor, std::chrono::seconds(60), [&](Rank &rank) {
        rank.meet();
        if (rank.table.rank != 0)
          return;
        rank.launch();
        seen[0].ended = endsWithin(*rank.stream, std::chrono::milliseconds(50));
        __atomic_store_n(&rank.report->abort, 1u, __ATOMIC_RELEASE);
        seen[1].ended = endsWithin(*rank.stream, std::chrono::seconds(5));
        seen[0].report = *rank.report;
      });
  CHECK_FALSE(seen[0].ended);
  CHECK(seen[1].ended);
  CHECK(seen[0].report.complete == 0);
}
