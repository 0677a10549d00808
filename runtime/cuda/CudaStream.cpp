//===- CudaStream.cpp - a queue of work on one GPU ------------------------===//

#include "runtime/cuda/CudaStream.h"

#include "runtime/cuda/StreamPool.h"

#include <tilewire/Error.h>

#include <chrono>
#include <memory>
#include <thread>
#include <type_traits>

namespace tilewire {
namespace {

using Clock = std::chrono::steady_clock;

// Waits inside kernels end by their own, shorter time; this one bounds a GPU
// that stopped answering.
constexpr auto longestTimedRun = std::chrono::minutes(10);

struct DestroyGraph {
  void operator()(CUgraph graph) const {
    driver().cuGraphDestroy.orReport(graph);
  }
  void operator()(CUgraphExec graph) const {
    driver().cuGraphExecDestroy.orReport(graph);
  }
};
using Graph = std::unique_ptr<std::remove_pointer_t<CUgraph>, DestroyGraph>;
using PreparedGraph =
    std::unique_ptr<std::remove_pointer_t<CUgraphExec>, DestroyGraph>;

/// The work that `queue` queues on `stream`, recorded and not run.
Graph capture(CUstream stream, const std::function<void()> &queue) {
  // Other threads' calls stay allowed meanwhile: they are other ranks.
  driver().cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  CUgraph graph = nullptr;
  try {
    queue();
  } catch (...) {
    driver().cuStreamEndCapture.result(stream, &graph);
    Graph dropped(graph);
    throw;
  }
  driver().cuStreamEndCapture(stream, &graph);
  return Graph(graph);
}

void waitFor(CUevent event) {
  for (const auto end = Clock::now() + longestTimedRun; Clock::now() < end;) {
    const CUresult result = driver().cuEventQuery.result(event);
    if (result == CUDA_SUCCESS)
      return;
    if (result != CUDA_ERROR_NOT_READY)
      driver().cuEventQuery.fail(result);
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  throw MachineError("cuEventQuery: a timed run did not end within 10 minutes");
}

} // namespace

CudaStream::CudaStream(SharedContext sharedContext)
    : context(std::move(sharedContext)) {
  CurrentContext current(*context);
  stream = takeStream(*context);
  driver().cuEventCreate(&start, CU_EVENT_DEFAULT);
  driver().cuEventCreate(&stop, CU_EVENT_DEFAULT);
}

CudaStream::~CudaStream() {
  CurrentContext current(*context);
  driver().cuEventDestroy.orReport(start);
  driver().cuEventDestroy.orReport(stop);
  returnStream(*context, stream);
}

bool CudaStream::isIdle() {
  CurrentContext current(*context);
  const CUresult result = driver().cuStreamQuery.result(stream);
  if (result != CUDA_SUCCESS && result != CUDA_ERROR_NOT_READY)
    driver().cuStreamQuery.fail(result);
  return result == CUDA_SUCCESS;
}

void CudaStream::copy(void *destination, const void *source, int64_t bytes) {
  CurrentContext current(*context);
  driver().cuMemcpyDtoDAsync(reinterpret_cast<CUdeviceptr>(destination),
                             reinterpret_cast<CUdeviceptr>(source),
                             size_t(bytes), stream);
}

double CudaStream::time(const std::function<void()> &queue,
                        const std::function<void()> &ready) {
  CurrentContext current(*context);
  const Graph graph = capture(stream, queue);
  CUgraphExec instantiated = nullptr;
  driver().cuGraphInstantiate(&instantiated, graph.get(), 0);
  const PreparedGraph prepared(instantiated);
  driver().cuGraphUpload(prepared.get(), stream);
  driver().cuStreamSynchronize(stream);
  ready();
  driver().cuEventRecord(start, stream);
  driver().cuGraphLaunch(prepared.get(), stream);
  driver().cuEventRecord(stop, stream);
  waitFor(stop);
  float milliseconds = 0;
  driver().cuEventElapsedTime(&milliseconds, start, stop);
  return milliseconds / 1e3;
}

} // namespace tilewire
