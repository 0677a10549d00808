//===- LoadedKernel.h - a kernel on this rank's device --------------------===//
//
// What lives as long as any launch of a kernel may run: its module, its report
// and its slot of flags. Shared by Kernel and the streams it was launched on.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_LOADEDKERNEL_H
#define TILEWIRE_RUNTIME_LOADEDKERNEL_H

#include "runtime/HeapState.h"

#include <tilewire/Kernel.h>

namespace tilewire {

class LoadedKernel {
public:
  /// Loads `image` and zeroes the flags in `slot`, which is taken until this
  /// is destroyed.
  LoadedKernel(SymmetricHeap &heap, KernelSource source,
               const std::string &image, int slot);
  ~LoadedKernel();

  LoadedKernel(const LoadedKernel &) = delete;
  LoadedKernel &operator=(const LoadedKernel &) = delete;

  DeviceKernel &kernel() const { return *module; }

  /// The table of a launch with these arguments.
  tw::World table(const std::vector<LaunchArgument> &arguments,
                  const LaunchValues &values) const;

  /// The error of a wait that did not end well, if the kernel reported one.
  std::optional<Failure> failedWait() const;

  const KernelSource source;
  const int64_t heapBytes;
  int64_t numBlocks = 1; ///< agreed by all ranks after loading

private:
  /// The error of the check that the report is of.
  Failure failedCheck() const;
  /// A digest of where the tensors that peers write lie in a heap at `base`,
  /// and of the values of parameters.
  unsigned digestOf(const std::vector<LaunchArgument> &arguments,
                    const LaunchValues &values, const char *base) const;

  World::State &world;
  const std::shared_ptr<PeerMapping> mapping;
  const std::shared_ptr<FlagSlots> slots;
  const int slot;
  tw::Report *report;
  std::unique_ptr<DeviceKernel> module;
};

/// The inside of Stream.
struct Stream::State {
  explicit State(World &world);
  ~State();

  World &world;
  /// Launched since the stream was last seen idle.
  std::set<std::shared_ptr<LoadedKernel>> running;
  std::set<std::shared_ptr<void>> tensors; ///< that queued work may touch
  /// What is queued may go into a graph, and not run: a benchmark's launches.
  bool isRecording = false;
  /// Gone before what its work uses.
  std::unique_ptr<DeviceStream> stream;

  /// "kernel 'a' or 'b'": what may be running.
  std::string kernelNames() const;
  /// UserError when `what` waits for work that may only be recorded.
  void checkNotRecording(const std::string &what) const;
  /// The error of work that makes no progress.
  Failure stalled() const;

  /// Throws, and breaks the world, when a kernel that ran here failed. What the
  /// work uses is let go when the stream is idle.
  void checkKernels(bool isIdle);
};

/// "src, dst".
template <typename Parameter>
std::string names(const std::vector<Parameter> &parameters) {
  std::string text;
  for (const Parameter &parameter : parameters)
    text += (text.empty() ? "" : ", ") + parameter.name;
  return text;
}

/// UserError when a tensor that is not empty has no memory; `subject`: "for
/// 'src' of kernel 'exchange'".
void checkMemory(const Tensor &tensor, const std::string &subject);
/// UserError when a view is not dense, where only dense ones make sense.
void checkDense(const Tensor &tensor, const std::string &subject);

/// UserError when either tensor of `what`, "a copy", has no memory, or both
/// share some.
void checkSeparate(const Tensor &destination, const Tensor &source,
                   const std::string &what);

/// UserError when the parameters that launches of `source` give values to make
/// no sense, or nothing would compare the values.
void checkLaunchParameters(const KernelSource &source);

/// The values in the order of the launch parameters of `source`. UserError when
/// one is missing, given twice, out of its range or of no parameter.
LaunchValues checkValues(const KernelSource &source,
                         const LaunchValues &values);

/// Refuses tensors that do not fit the parameters of `source` at `values`,
/// which are checked, or each other, with a message that names the parameters.
/// `heap`: where symmetric ones must live.
std::vector<LaunchArgument> checkArguments(const KernelSource &source,
                                           const SymmetricHeap &heap,
                                           const std::vector<Tensor> &tensors,
                                           const LaunchValues &values);

/// The memory of tensors for `source` in the shapes of a launch with `values`,
/// which are checked. UserError, the same on every rank, where it is too small.
std::vector<Tensor> shapeArguments(const KernelSource &source,
                                   const World &world,
                                   const std::vector<Tensor> &tensors,
                                   const LaunchValues &values);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_LOADEDKERNEL_H
