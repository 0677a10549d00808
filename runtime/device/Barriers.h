//===- Barriers.h - how ranks meet inside kernels -------------------------===//
//
// Entry and exit of a collective and the barrier of all blocks of all ranks,
// written once over the primitives that each prelude provides: loadAcquire,
// storeRelease, addAcquireRelease, claim, onPeer, nanoseconds, pause, syncOr,
// __syncthreads and CUDA's indices. Every block of the grid is co-resident.
//
// Order: a block's stores, then __syncthreads, then one thread's release; the
// waiter acquires at system scope, then __syncthreads. Release is cumulative:
// what other blocks stored before the gpu-scope counter was acquired is
// released too, with no fence of its own. Epochs and rounds are compared by
// signed difference, so they wrap safely.
//
// BarrierOrdersTest holds that no block barrier and no wait is missing, under
// all orders of threads; PreludeOrderTest that every release, acquire, scope
// and block barrier is in the PTX, function by function.
//
// Every function is called by all threads of a block alike. Those that wait
// return false, uniformly over the block, when the wait was given up; the
// kernel then returns without touching anything else.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DEVICE_BARRIERS_H
#define TILEWIRE_DEVICE_BARRIERS_H

namespace tw {

TW_DEVICE unsigned threadInBlock() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
TW_DEVICE unsigned threadsInBlock() {
  return blockDim.x * blockDim.y * blockDim.z;
}
TW_DEVICE unsigned blockInGrid() { return blockIdx.x; }
TW_DEVICE unsigned blocksInGrid() { return gridDim.x; }

/// Tells the host what went wrong in a wait; the first to fail writes.
TW_DEVICE void report(const World &world, unsigned problem, int wait,
                      unsigned peer, unsigned expected, unsigned seen) {
  if (!claim(&world.flags->failed))
    return;
  world.report->problem = problem;
  world.report->wait = wait;
  world.report->peer = int(peer);
  world.report->expected = expected;
  world.report->seen = seen;
  storeRelease(&world.report->complete, 1u);
  storeRelease(&world.report->abort, 1u);
}

/// One thread waits until `*flag`, written by `peer`, reaches `expected`;
/// false when the world aborts or the wait outlasts `timeoutNs`.
TW_DEVICE bool waitFor(const World &world, int wait, unsigned peer,
                       const unsigned *flag, unsigned expected,
                       unsigned long long timeoutNs) {
  unsigned seen = loadAcquire(flag);
  if (int(seen - expected) >= 0)
    return true;
  // The abort word lives in host memory: look at it rarely.
  constexpr unsigned pollsPerLook = 256;
  const unsigned long long start = nanoseconds();
  for (unsigned poll = 1;; ++poll) {
    pause();
    seen = loadAcquire(flag);
    if (int(seen - expected) >= 0)
      return true;
    if (poll % pollsPerLook != 0)
      continue;
    if (loadAcquire(&world.report->abort) != 0)
      return false;
    if (nanoseconds() - start > timeoutNs) {
      report(world, waitOutlasted, wait, peer, expected, seen);
      return false;
    }
  }
}

/// Threads 0 .. numRanks - 1 of the block, or one thread after another when it
/// has fewer, wait for `flags[peer]` of every peer.
TW_DEVICE bool waitForPeers(const World &world, int wait, const unsigned *flags,
                            unsigned expected) {
  bool gaveUp = false;
  for (unsigned peer = threadInBlock(); peer < world.numRanks;
       peer += threadsInBlock())
    gaveUp = gaveUp || !waitFor(world, wait, peer, flags + peer, expected,
                                world.timeoutNs);
  return !syncOr(gaveUp);
}

/// Releases `value` to this rank's slot of `flags` on every peer, shared out
/// over the threads of the block.
TW_DEVICE void signalPeers(const World &world, unsigned *flags,
                           unsigned value) {
  for (unsigned peer = threadInBlock(); peer < world.numRanks;
       peer += threadsInBlock())
    storeRelease(onPeer(world, flags, peer) + world.rank, value);
}

/// Whether every peer, all of which have entered, did so with its symmetric
/// tensors and the values of parameters as they are here: a rank stores to
/// where they say that a peer's tensors lie.
TW_DEVICE bool haveSameLaunch(const World &world, int wait) {
  bool differ = false;
  for (unsigned peer = threadInBlock(); peer < world.numRanks;
       peer += threadsInBlock()) {
    const unsigned seen = world.flags->digests[peer];
    if (seen == world.digest)
      continue;
    report(world, launchesDiffer, wait, peer, world.digest, seen);
    differ = true;
  }
  // A peer that has heard of a failure may be in its next launch, which gives
  // another digest.
  return !syncOr(differ || world.flags->failed != 0);
}

/// Entry of a push collective: every rank has entered this launch, so whatever
/// consumed its outputs earlier on its stream is done. Each block looks whether
/// the ranks agree on the launch, so that no block stores anything if not.
TW_DEVICE bool enterAll(const World &world, int wait) {
  const unsigned epoch = world.flags->epoch + 1;
  // A launch that failed has counted no epoch: peers that are still in it must
  // not take the next one for it. Asked by all threads before one signals,
  // since from then on this launch may fail too.
  if (blockInGrid() == 0 && !syncOr(world.flags->failed != 0)) {
    for (unsigned peer = threadInBlock(); peer < world.numRanks;
         peer += threadsInBlock())
      onPeer(world, world.flags->digests, peer)[world.rank] = world.digest;
    signalPeers(world, world.flags->entered, epoch);
  }
  return waitForPeers(world, wait, world.flags->entered, epoch) &&
         haveSameLaunch(world, wait);
}

/// True in every thread of the block that arrives last at `*counter`, which it
/// leaves at zero. All that the blocks stored before is visible to that block.
TW_DEVICE bool isLastBlock(unsigned *counter) {
  __syncthreads();
  bool last = false;
  if (threadInBlock() == 0) {
    last = addAcquireRelease(counter, 1u) == blocksInGrid() - 1;
    if (last)
      *counter = 0;
  }
  return syncOr(last);
}

/// Exit of a push collective: the last block to arrive signals every peer that
/// this rank's data are all sent, and waits until all data have arrived here.
TW_DEVICE void leaveAll(const World &world, int wait) {
  if (!isLastBlock(&world.flags->arrived))
    return;
  const unsigned epoch = world.flags->epoch + 1;
  signalPeers(world, world.flags->left, epoch);
  if (waitForPeers(world, wait, world.flags->left, epoch) &&
      threadInBlock() == 0)
    world.flags->epoch = epoch;
}

/// Every block of every rank has arrived, and sees what all stored before.
TW_DEVICE bool barrierAll(const World &world, int wait) {
  // Read before arriving: the round can't advance until this block arrives.
  const unsigned round = loadAcquire(&world.flags->round) + 1;
  if (isLastBlock(&world.flags->gathered)) {
    signalPeers(world, world.flags->met, round);
    if (!waitForPeers(world, wait, world.flags->met, round))
      return false;
    if (threadInBlock() == 0)
      storeRelease(&world.flags->round, round);
    // The threads of this block read the round at the next barrier.
    __syncthreads();
    return true;
  }
  // Longer than the last block waits for the peers: it knows which is missing.
  const bool gaveUp = threadInBlock() == 0 &&
                      !waitFor(world, wait, world.rank, &world.flags->round,
                               round, 2 * world.timeoutNs);
  return !syncOr(gaveUp);
}

} // namespace tw

#endif // TILEWIRE_DEVICE_BARRIERS_H
