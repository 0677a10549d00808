//===- KernelSource.h - what the compiler hands to the runtime ------------===//
//
// A generated kernel as a plain value: CUDA text, entry name, parameters and
// launch policy. The compiler makes it, a person may read or save it, and the
// runtime loads it. Knows neither MLIR nor CUDA.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_KERNELSOURCE_H
#define TILEWIRE_KERNELSOURCE_H

#include <tilewire/DataType.h>
#include <tilewire/Extent.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tilewire {

/// A number that each launch gives, the same on every rank. The kernel takes it
/// as `unsigned`, or as `size_t` where `most` is 2^32 or more.
struct LaunchParameter {
  std::string name;
  int64_t most; ///< values are from 0 to this
};

/// The value that a launch gives a parameter.
struct LaunchValue {
  std::string name; ///< of the parameter
  int64_t value;
};
using LaunchValues = std::vector<LaunchValue>;

/// A tensor that a launch must be given, in the order of the parameters that
/// follow the table of ranks. Sizes are of the tensor at the bound of each
/// run-time extent; those of one launch are of `at(values)`.
struct TensorParameter {
  std::string name;
  DataType dtype;
  std::vector<Extent> extents; ///< every rank knows the same
  bool symmetric;              ///< must live in the symmetric heap
  bool written;                ///< by this rank or a peer
  /// May share memory with the others of the launch that say so too.
  bool mayAlias = false;
  /// Elements from one index to the next of each dimension, on every rank
  /// alike; empty for a dense tensor.
  std::vector<int64_t> strides = {};

  /// "[2, share(32), 8192, 128] of f16", "[2, share(S)] of f16, S <= 4096".
  std::string describe() const;
  /// Whether the tensor is cut over the ranks.
  bool hasShare() const;
  /// Whether an extent is a parameter, or a share of one.
  bool hasRunTimeExtent() const;
  /// The tensor in a launch with these values, where all extents are numbers.
  /// Takes no notice of values for parameters of other tensors. UserError when
  /// one is missing, negative or above its bound.
  TensorParameter at(const LaunchValues &values) const;
  /// The shape that `rank` of `numRanks` has. Rank 0's is the largest.
  std::vector<int64_t> shapeOn(int rank, int numRanks) const;
  /// Bytes on `rank` of `numRanks`, from the first to the last. UserError, the
  /// same on every rank, when an extent is negative or the largest part exceeds
  /// 2^63 - 1 bytes.
  int64_t bytesOn(int rank, int numRanks) const;
  /// Bytes of the largest part: what a symmetric one takes of every heap.
  int64_t mostBytes(int numRanks) const { return bytesOn(0, numRanks); }
};

/// How many blocks to start. The text is grid-stride and holds no grid: the
/// runtime starts as many co-resident blocks as fit, never more than
/// `maxBlocks`, and every rank starts the same number.
struct LaunchPolicy {
  int threads = 128;           ///< threads per block, the text's launch bound
  int64_t maxBlocks = 1;       ///< blocks that have work
  int blocksPerSm = 0;         ///< upper limit per multiprocessor, 0 for none
  bool needsAllBlocks = false; ///< refuse unless maxBlocks are co-resident
  int64_t sharedBytes = 0;     ///< dynamic shared memory per block
};

/// A place in the text that waits for peers, for the report of a wait that did
/// not end. Its index in `KernelSource::waits` is the number in the text.
struct WaitSite {
  std::string what;     ///< "entry barrier", "exit barrier", "barrier_all"
  std::string location; ///< "file:line" of the builder's call
};

/// What a place in the text states must hold, for the emulator's error where it
/// does not. Its index in `KernelSource::checks` is the number in the text.
struct CheckSite {
  std::string expected; ///< "offset 0 of a tile of 'src' to be at most 60"
  std::string location; ///< "file:line" of the builder's call
};

/// A generated kernel: `entry(const tw::World, tensors..., numbers...)`. Every
/// rank must load the same: what is compared are the entry, the parameters,
/// what waits, and `program`, or, where that is empty, text and launch policy.
struct KernelSource {
  std::string text;  ///< needs no header beyond the embedded prelude
  std::string entry; ///< extern "C" name of the kernel
  int numRanks = 1;
  std::vector<TensorParameter> parameters;
  /// Those that extents name, and others that the text uses.
  std::vector<LaunchParameter> launchParameters;
  LaunchPolicy launch;
  std::vector<WaitSite> waits;
  std::vector<CheckSite> checks;
  /// Digest of the program that the compiler was given, without places and
  /// comments. Ranks that agree on it may have texts that differ, planned for
  /// different devices. Empty in a kernel written by hand; who changes the text
  /// of a compiled one clears it.
  std::string program;
};

} // namespace tilewire

#endif // TILEWIRE_KERNELSOURCE_H
