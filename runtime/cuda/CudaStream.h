//===- CudaStream.h - a queue of work on one GPU --------------------------===//
//
// A non-blocking stream: it never waits for the legacy default stream, nor
// makes others wait. Made by CudaDevice; knows nothing of ranks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_CUDA_CUDASTREAM_H
#define TILEWIRE_RUNTIME_CUDA_CUDASTREAM_H

#include "runtime/Device.h"
#include "runtime/cuda/Context.h"

namespace tilewire {

class CudaStream final : public DeviceStream {
public:
  explicit CudaStream(SharedContext context);
  ~CudaStream() override;

  bool isIdle() override;
  void copy(void *destination, const void *source, int64_t bytes) override;
  double time(const std::function<void()> &queue,
              const std::function<void()> &ready) override;

  CUstream handle() const { return stream; }

private:
  SharedContext context;
  CUstream stream = nullptr;
  CUevent start = nullptr;
  CUevent stop = nullptr;
};

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_CUDA_CUDASTREAM_H
