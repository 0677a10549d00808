//===- HostCopy.cpp - copies between host and device memory ---------------===//

#include "runtime/LoadedKernel.h"

namespace tilewire {
namespace {

/// Refuses what makes no sense, and waits for the stream's turn. The driver's
/// own order would not do: its copy of pageable memory waits for the stream
/// inside of the call, where nobody sees that a kernel failed or a peer died.
void awaitTurn(Stream &stream, const Tensor &tensor, const void *host,
               int64_t hostBytes) {
  Stream::State &state = stream.state();
  state.world.checkHealthy();
  state.checkNotRecording("a copy from or to the host");
  checkDense(tensor, "for a copy from or to the host");
  if (hostBytes != tensor.numBytes())
    throw UserError("expected " + std::to_string(tensor.numBytes()) +
                    " host bytes for a tensor " + formatShape(tensor.shape) +
                    " of " + std::string(name(tensor.dtype)) + ", got " +
                    std::to_string(hostBytes));
  checkMemory(tensor, "for a copy from or to the host");
  if (!host && hostBytes > 0)
    throw UserError("expected " + std::to_string(hostBytes) +
                    " bytes of host memory for a copy, got a null pointer");
  stream.synchronize();
}

} // namespace

void copyToDevice(Stream &stream, const Tensor &tensor, const void *host,
                  int64_t hostBytes) {
  awaitTurn(stream, tensor, host, hostBytes);
  if (hostBytes > 0)
    stream.state().world.device().copyToDevice(tensor.data, host, hostBytes);
}

void copyToHost(Stream &stream, void *host, const Tensor &tensor,
                int64_t hostBytes) {
  awaitTurn(stream, tensor, host, hostBytes);
  if (hostBytes > 0)
    stream.state().world.device().copyToHost(host, tensor.data, hostBytes);
}

} // namespace tilewire
