//===- LinkKernels.h - kernels that load the links between GPUs -----------===//
//
// Written by hand, so that generated kernels are held against something that
// the compiler had no part in. Each rank sends one piece to every peer, all
// peers at once. Called by Links.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TOOLS_LINKS_LINKKERNELS_H
#define TILEWIRE_TOOLS_LINKS_LINKKERNELS_H

#include <tilewire/KernelSource.h>

namespace tilewire::links {

/// Moves of `bytesPerPeer` bytes, a multiple of 16, from `src` to each peer's
/// `dst`; both are [ranks, bytesPerPeer / 4] of 32 bits. Row p of `src` goes to
/// rank p, into the row of `dst` that has the sender's number.
struct PiecePlan {
  int numRanks;
  int64_t bytesPerPeer;
  int64_t blocks;
};

/// 16-byte stores of 512 threads a block, 4 loads in flight.
KernelSource storeKernel(const PiecePlan &plan);

/// Bulk copies (`cp.async.bulk`) of 16 KiB through shared memory by one thread
/// a block, 8 in flight. For GPUs only, sm_90 or newer.
KernelSource bulkKernel(const PiecePlan &plan);

} // namespace tilewire::links

#endif // TILEWIRE_TOOLS_LINKS_LINKKERNELS_H
