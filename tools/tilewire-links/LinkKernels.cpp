//===- LinkKernels.cpp - kernels that load the links between GPUs ---------===//

#include "LinkKernels.h"

using namespace tilewire;
using namespace tilewire::links;

namespace {

constexpr int storeThreads = 512;
constexpr int bulkThreads = 32;
constexpr int64_t bulkStages = 8;
constexpr int64_t bulkBytes = 16384;

/// What the texts below compute with.
std::string constants(const PiecePlan &plan) {
  return "constexpr unsigned numRanks = " + std::to_string(plan.numRanks) +
         ";\nconstexpr unsigned numPeers = numRanks - 1;\n"
         "constexpr unsigned long long bytesPerPeer = " +
         std::to_string(plan.bytesPerPeer) + ";\n";
}

// Chunk after chunk takes the next peer, so that all are sent to at once.
const char *const storeText = R"(
constexpr unsigned threads = 512, unroll = 4;
constexpr unsigned vectorsPerPeer = bytesPerPeer / 16;
constexpr unsigned chunkVectors = threads * unroll;
constexpr unsigned numChunks =
    (vectorsPerPeer + chunkVectors - 1) / chunkVectors * numPeers;

extern "C" __global__ void __launch_bounds__(512)
store_to_peers(const tw::World world, const tw::b32 *src, tw::b32 *dst) {
  for (unsigned chunk = blockIdx.x; chunk < numChunks; chunk += gridDim.x) {
    const unsigned peer = (world.rank + 1 + chunk % numPeers) % numRanks;
    tw::b32 *const dstOnPeer = tw::onPeer(world, dst, peer);
    const unsigned first = chunk / numPeers * chunkVectors + threadIdx.x;
    tw::Vector<tw::b32, 4> held[unroll];
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i)
      if (const unsigned vector = first + i * threads; vector < vectorsPerPeer)
        held[i] = tw::load<4>(src, (peer * size_t(vectorsPerPeer) + vector) * 4);
#pragma unroll
    for (unsigned i = 0; i < unroll; ++i)
      if (const unsigned vector = first + i * threads; vector < vectorsPerPeer)
        tw::store(dstOnPeer,
                  (world.rank * size_t(vectorsPerPeer) + vector) * 4, held[i]);
  }
}
)";

// A ring of pieces in shared memory: half of it is being loaded while the other
// half is being stored.
const char *const bulkText = R"(
constexpr unsigned stages = 8, ahead = stages / 2, pieceBytes = 16384;
constexpr unsigned piecesPerPeer = (bytesPerPeer + pieceBytes - 1) / pieceBytes;
constexpr unsigned numPieces = piecesPerPeer * numPeers;

__device__ __forceinline__ unsigned sharedAddress(const void *pointer) {
  return unsigned(__cvta_generic_to_shared(pointer));
}

struct Piece {
  const char *from;
  char *to;
  unsigned bytes;
};

__device__ __forceinline__ Piece pieceAt(unsigned index, const tw::World &world,
                                         const tw::b32 *src, tw::b32 *dst) {
  const unsigned peer = (world.rank + 1 + index % numPeers) % numRanks;
  const size_t offset = size_t(index / numPeers) * pieceBytes;
  const size_t left = bytesPerPeer - offset;
  return {reinterpret_cast<const char *>(src) + peer * bytesPerPeer + offset,
          reinterpret_cast<char *>(tw::onPeer(world, dst, peer)) +
              world.rank * bytesPerPeer + offset,
          left < pieceBytes ? unsigned(left) : pieceBytes};
}

__device__ __forceinline__ void load(const Piece &piece, void *stage,
                                     unsigned long long *barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(
                   sharedAddress(barrier)),
               "r"(piece.bytes)
               : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier"
               "::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   sharedAddress(stage)),
               "l"(piece.from), "r"(piece.bytes), "r"(sharedAddress(barrier))
               : "memory");
}

__device__ __forceinline__ void waitFor(unsigned long long *barrier,
                                        unsigned phase) {
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p;"
                 " mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"
                 " selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(sharedAddress(barrier)), "r"(phase)
                 : "memory");
}

extern "C" __global__ void __launch_bounds__(32)
bulk_to_peers(const tw::World world, const tw::b32 *src, tw::b32 *dst) {
  extern __shared__ __align__(128) char ring[];
  __shared__ unsigned long long loaded[stages];
  if (threadIdx.x != 0)
    return;
  for (unsigned stage = 0; stage < stages; ++stage)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(
                     sharedAddress(&loaded[stage]))
                 : "memory");
  asm volatile("fence.proxy.async;" ::: "memory");
  const unsigned count =
      blockIdx.x < numPieces
          ? (numPieces - blockIdx.x + gridDim.x - 1) / gridDim.x
          : 0;
  auto start = [&](unsigned i) {
    const unsigned stage = i % stages;
    load(pieceAt(blockIdx.x + i * gridDim.x, world, src, dst),
         ring + stage * pieceBytes, &loaded[stage]);
  };
  for (unsigned i = 0; i < ahead && i < count; ++i)
    start(i);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned stage = i % stages;
    waitFor(&loaded[stage], i / stages % 2);
    const Piece piece = pieceAt(blockIdx.x + i * gridDim.x, world, src, dst);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::
                     "l"(piece.to),
                 "r"(sharedAddress(ring + stage * pieceBytes)), "r"(piece.bytes)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    if (i + ahead < count) {
      // The stage of that load was stored from `ahead` groups ago.
      asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(stages - ahead)
                   : "memory");
      start(i + ahead);
    }
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
)";

KernelSource makeSource(const PiecePlan &plan, std::string entry,
                        const char *text, int threads, int64_t sharedBytes) {
  const std::vector<Extent> extents = {plan.numRanks, plan.bytesPerPeer / 4};
  KernelSource source;
  source.text = constants(plan) + text;
  source.entry = std::move(entry);
  source.numRanks = plan.numRanks;
  source.parameters = {{"src", DataType::I32, extents, false, false},
                       {"dst", DataType::I32, extents, true, true}};
  source.launch = {
      .threads = threads, .maxBlocks = plan.blocks, .sharedBytes = sharedBytes};
  return source;
}

} // namespace

KernelSource links::storeKernel(const PiecePlan &plan) {
  return makeSource(plan, "store_to_peers", storeText, storeThreads, 0);
}

KernelSource links::bulkKernel(const PiecePlan &plan) {
  return makeSource(plan, "bulk_to_peers", bulkText, bulkThreads,
                    bulkStages * bulkBytes);
}
