//===- IpcRegion.cpp - GPU memory shared by CUDA IPC handle ---------------===//

#include "runtime/cuda/PeerRegions.h"

namespace tilewire {
namespace {

// The driver places smaller allocations beside others in one page of this
// size, and a handle would open them all.
constexpr int64_t pageBytes = 2 << 20;

struct Exported {
  CUdeviceptr address; ///< with `context`, for ranks of the same process
  CUcontext context;
  CUipcMemHandle handle; ///< for ranks of other processes
};

class IpcRegion final : public PeerRegion {
public:
  IpcRegion(SharedContext sharedContext, int64_t bytes, bool loopback)
      : context(std::move(sharedContext)), loopback(loopback) {
    driver().cuMemAlloc(&own, bytes);
    if (loopback)
      return;
    const CUresult result = driver().cuIpcGetMemHandle.result(&handle, own);
    if (result == CUDA_SUCCESS)
      return;
    driver().cuMemFree.orReport(own);
    driver().cuIpcGetMemHandle.fail(result);
  }

  ~IpcRegion() override {
    context->release([peers = peers, own = own] {
      for (CUdeviceptr peer : peers)
        driver().cuIpcCloseMemHandle.orReport(peer);
      driver().cuMemFree.orReport(own);
    });
  }

  char *base() override { return reinterpret_cast<char *>(own); }

  std::string exportPayload() override {
    const Exported exported{own, context->handle(), handle};
    return {reinterpret_cast<const char *>(&exported), sizeof(exported)};
  }

  std::optional<int> exportDescriptor() override { return std::nullopt; }

  char *importPeer(int peer, const std::string &payload,
                   std::optional<FileDescriptor> /*descriptor*/) override {
    const Exported exported = readExported<Exported>(payload);
    CurrentContext current(*context);
    return importFrom(peer, [&] {
      const CUdeviceptr address =
          loopback ? reachInProcess(exported) : openHandle(exported.handle);
      return reinterpret_cast<char *>(address);
    });
  }

  std::string mechanism() const override {
    return loopback ? "same process" : "CUDA IPC";
  }

private:
  CUdeviceptr reachInProcess(const Exported &exported) {
    if (exported.context == context->handle())
      return exported.address;
    const CUresult result =
        driver().cuCtxEnablePeerAccess.result(exported.context, 0);
    if (result != CUDA_SUCCESS &&
        result != CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED)
      driver().cuCtxEnablePeerAccess.fail(result);
    return exported.address;
  }

  CUdeviceptr openHandle(const CUipcMemHandle &peerHandle) {
    CUdeviceptr address = 0;
    driver().cuIpcOpenMemHandle(&address, peerHandle,
                                CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    peers.push_back(address);
    return address;
  }

  SharedContext context;
  bool loopback;
  CUdeviceptr own = 0;
  CUipcMemHandle handle{};
  std::vector<CUdeviceptr> peers;
};

} // namespace

std::unique_ptr<PeerRegion> reserveByIpc(SharedContext context, int64_t bytes,
                                         bool loopback) {
  CurrentContext current(*context);
  const int64_t rounded = (bytes + pageBytes - 1) / pageBytes * pageBytes;
  requireFreeMemory(rounded);
  return std::make_unique<IpcRegion>(std::move(context), rounded, loopback);
}

} // namespace tilewire
