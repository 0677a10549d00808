//===- CudaKernel.h - a generated kernel loaded on one GPU ----------------===//
//
// Loads an image and launches its kernel. Everything is loaded when it is made:
// a first launch never waits for a kernel that waits for that launch. Made by
// CudaDevice; knows nothing of ranks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_CUDA_CUDAKERNEL_H
#define TILEWIRE_RUNTIME_CUDA_CUDAKERNEL_H

#include "runtime/Device.h"
#include "runtime/cuda/Context.h"

namespace tilewire {

class CudaKernel final : public DeviceKernel {
public:
  CudaKernel(SharedContext context, const std::string &image,
             const KernelSource &source);
  ~CudaKernel() override;

  int64_t maxResidentBlocks() const override { return residentBlocks; }
  void launch(DeviceStream &stream, int64_t numBlocks, const tw::World &table,
              int64_t heapBytes, const std::vector<LaunchArgument> &arguments,
              const LaunchValues &values) override;

private:
  void prepare(const std::string &entry);

  SharedContext context;
  LaunchPolicy policy;
  bool waitsForPeers;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  int64_t residentBlocks = 0;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_CUDA_CUDAKERNEL_H
