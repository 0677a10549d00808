//===- StreamPool.cpp - streams that are used again -----------------------===//

#include "runtime/cuda/StreamPool.h"

#include <exception>
#include <map>
#include <mutex>
#include <vector>

namespace tilewire {
namespace {

struct Pool {
  std::mutex mutex;
  /// By the context's id, which no later context has: a context that is gone
  /// took its streams with it.
  std::map<unsigned long long, std::vector<CUstream>> idle;
};

/// Never destroyed: streams may be returned while the process ends.
Pool &pool() {
  static Pool &pool = *new Pool;
  return pool;
}

unsigned long long idOf(const Context &context) {
  unsigned long long id = 0;
  driver().cuCtxGetId(context.handle(), &id);
  return id;
}

} // namespace

CUstream takeStream(const Context &context) {
  {
    std::lock_guard lock(pool().mutex);
    std::vector<CUstream> &idle = pool().idle[idOf(context)];
    if (!idle.empty()) {
      CUstream stream = idle.back();
      idle.pop_back();
      return stream;
    }
  }
  CUstream stream = nullptr;
  driver().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  return stream;
}

void returnStream(const Context &context, CUstream stream) noexcept {
  if (driver().cuStreamQuery.result(stream) != CUDA_SUCCESS) {
    driver().cuStreamDestroy.orReport(stream);
    return;
  }
  try {
    std::lock_guard lock(pool().mutex);
    pool().idle[idOf(context)].push_back(stream);
  } catch (const std::exception &) {
    driver().cuStreamDestroy.orReport(stream);
  }
}

} // namespace tilewire
