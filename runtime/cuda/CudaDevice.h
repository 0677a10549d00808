//===- CudaDevice.h - a GPU as a back end ---------------------------------===//
//
// The Device of one GPU. Every method may be called from any thread: it makes
// the GPU's primary context current for its own duration. Nothing runs on the
// legacy default stream. Made by openCudaDevice; knows nothing of ranks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_CUDA_CUDADEVICE_H
#define TILEWIRE_RUNTIME_CUDA_CUDADEVICE_H

#include "runtime/cuda/CudaStream.h"
#include "runtime/cuda/Nvrtc.h"

namespace tilewire {

class CudaDevice final : public Device {
public:
  /// `checks`: whether kernels check what the compiler could not prove.
  CudaDevice(int ordinal, bool checks);

  Backend backend() const override { return Backend::Cuda; }
  std::string description() const override;
  std::string identity() const override;
  int numSms() const override;
  int64_t freeBytes() const override;

  void *allocate(int64_t bytes) override;
  void release(void *data) noexcept override;
  void copyToDevice(void *device, const void *host, int64_t bytes) override;
  void copyToHost(void *host, const void *device, int64_t bytes) override;
  void fill(void *device, unsigned char value, int64_t bytes) override;

  tw::Report *allocateReport() override;
  void releaseReport(tw::Report *report) noexcept override;

  std::unique_ptr<DeviceStream> makeStream() override;

  std::vector<PeerMemory> peerMechanisms() const override;
  std::unique_ptr<PeerRegion> reserve(int64_t bytes, PeerMemory mechanism,
                                      bool loopback) override;

  std::string compileKey() const override;
  std::string compile(const KernelSource &source) override;
  std::unique_ptr<DeviceKernel> load(const std::string &image,
                                     const KernelSource &source) override;

  const Context &primaryContext() const { return *context; }

private:
  CompileTarget target() const;
  /// 90 for compute capability 9.0.
  int capability() const;

  SharedContext context;
  const bool checks;
  CudaStream copies; ///< of copies and fills, apart from all kernels
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_CUDA_CUDADEVICE_H
