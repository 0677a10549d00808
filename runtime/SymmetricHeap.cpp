//===- SymmetricHeap.cpp - memory that every rank can address -------------===//

#include "runtime/HeapState.h"

#include <tilewire/KernelSource.h>

#include <limits>
#include <thread>

namespace tilewire {
namespace {

/// What a rank asks of the heap.
struct Request {
  int64_t bytes;
  std::string text;
};

/// The same allocation must be asked for everywhere; refuses what does not
/// fit. Returns its offset.
int64_t allocateTogether(SymmetricHeap::State &heap,
                         const std::function<Request()> &makeRequest) {
  Request request;
  requireSame(exchangeTogether(heap.world->state(),
                               "allocating symmetric memory",
                               [&] {
                                 request = makeRequest();
                                 return Offer{request.text, {}};
                               }),
              "the same allocation in the same order");
  const int64_t offset = heap.next;
  if (request.bytes > heap.size - offset)
    throw UserError("expected at most " + std::to_string(heap.size - offset) +
                    " bytes, which are left in the symmetric heap, got " +
                    std::to_string(request.bytes) + " for " + request.text +
                    "; make the heap larger");
  heap.next = std::min(alignUp(offset + request.bytes), heap.size);
  return offset;
}

/// Kernels on this rank's streams end before its memory goes; why they did
/// not, if so.
std::optional<Failure> waitForStreams(const World::State &world) {
  const Clock::time_point limit = Clock::now() + world.options.timeout;
  try {
    for (DeviceStream *stream : world.streams)
      while (!stream->isIdle()) {
        if (Clock::now() > limit)
          return Failure{ErrorKind::Machine,
                         "expected the kernels of rank " +
                             std::to_string(world.identity.rank) +
                             " to end within " +
                             formatTime(world.options.timeout) +
                             " when its symmetric heap closed, they did not"};
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
  } catch (const Error &) {
    return describe(std::current_exception());
  }
  return std::nullopt;
}

} // namespace

PeerMemory parsePeerMemory(std::string_view text) {
  for (PeerMemory mechanism :
       {PeerMemory::Auto, PeerMemory::FileDescriptor, PeerMemory::CudaIpc})
    if (text == name(mechanism))
      return mechanism;
  throw UserError("expected a kind of peer memory (auto, fd, ipc), got '" +
                  std::string(text) + "'");
}

SymmetricHeap::SymmetricHeap(World &world, int64_t bytes,
                             PeerMemory mechanism) {
  requireSame(
      exchangeTogether(
          world.state(), "reserving a symmetric heap",
          [&] {
            if (bytes < 0 || bytes > std::numeric_limits<int64_t>::max() / 2)
              throw UserError("expected a symmetric heap of 0 to 2^62 - 1 "
                              "bytes, got " +
                              std::to_string(bytes));
            return Offer{std::to_string(bytes) + " bytes by " +
                             std::string(name(mechanism)),
                         {}};
          }),
      "a symmetric heap of the same size");
  const int64_t size = FlagSlots::totalBytes + alignUp(bytes);
  impl.reset(new State{
      &world, size, FlagSlots::totalBytes,
      std::make_shared<PeerMapping>(mapPeers(world.state(), size, mechanism)),
      std::make_shared<FlagSlots>()});
}

SymmetricHeap::SymmetricHeap(SymmetricHeap &&) noexcept = default;

SymmetricHeap::~SymmetricHeap() {
  if (!impl)
    return;
  const bool wasBroken = impl->world->state().health.isBroken();
  try {
    close();
  } catch (...) {
    // Whatever broke the world before has been thrown already, and an error
    // that is passing matters more.
    if (!wasBroken && !isErrorPassing(impl->world->state()))
      reportCurrentException();
  }
}

void SymmetricHeap::close() {
  if (!impl || !impl->mapping)
    return;
  // Unmapped on return, however the meeting ends.
  const std::shared_ptr<PeerMapping> mapping = std::move(impl->mapping);
  const World::State &world = impl->world->state();
  const std::optional<Failure> failure = waitForStreams(world);
  exchangeTogether(
      world, isErrorPassing(world) ? givingUpStep : closingStep,
      [&] {
        if (failure)
          failure->raise();
        return Offer{};
      },
      closingTimeout(world));
}

SymmetricHeap::State &SymmetricHeap::state() const {
  if (!impl->mapping)
    throw UserError("expected an open symmetric heap, got one that was closed");
  return *impl;
}

Tensor SymmetricHeap::tensor(DataType dtype, std::vector<int64_t> shape) {
  int64_t bytes = 0;
  const int64_t offset = allocateTogether(state(), [&] {
    bytes =
        checkedNumElements(shape, dtype, "symmetric tensor") * byteWidth(dtype);
    return Request{bytes, "tensor " + formatShape(shape) + " of " +
                              std::string(name(dtype))};
  });
  return {base(world().rank()) + offset,
          dtype,
          std::move(shape),
          /*symmetric=*/true,
          bytes,
          state().mapping};
}

Tensor SymmetricHeap::tensor(const TensorParameter &parameter) {
  const int numRanks = world().size();
  int64_t bytes = 0;
  const int64_t offset = allocateTogether(state(), [&] {
    bytes = parameter.mostBytes(numRanks);
    return Request{bytes, "tensor " + parameter.describe()};
  });
  return {base(world().rank()) + offset,
          parameter.dtype,
          parameter.shapeOn(world().rank(), numRanks),
          /*symmetric=*/true,
          bytes,
          state().mapping,
          parameter.strides};
}

int64_t SymmetricHeap::allocate(int64_t bytes, std::string_view what) {
  const int64_t offset = allocateTogether(state(), [&] {
    if (bytes < 0)
      throw UserError("expected 0 bytes or more for '" + std::string(what) +
                      "', got " + std::to_string(bytes));
    return Request{bytes, std::to_string(bytes) + " bytes for '" +
                              std::string(what) + "'"};
  });
  // No rank returns, and so none writes to a peer, before all are zero.
  world().together("zeroing symmetric memory", [&] {
    if (bytes > 0)
      world().device().fill(base(world().rank()) + offset, 0, bytes);
  });
  return offset;
}

World &SymmetricHeap::world() const { return *impl->world; }

char *SymmetricHeap::base(int rank) const {
  const std::vector<char *> &bases = state().mapping->bases;
  if (rank < 0 || rank >= int(bases.size()))
    throw UserError("expected a rank of 0 to " +
                    std::to_string(bases.size() - 1) + ", got " +
                    std::to_string(rank));
  return bases[size_t(rank)];
}

int64_t SymmetricHeap::size() const { return impl->size; }

bool SymmetricHeap::contains(const void *data, int64_t bytes) const {
  const char *own = base(impl->world->rank());
  const char *begin = static_cast<const char *>(data);
  return begin >= own && bytes >= 0 && begin <= own + impl->size &&
         bytes <= own + impl->size - begin;
}

std::string SymmetricHeap::mechanism() const {
  return state().mapping->mechanism;
}

} // namespace tilewire
