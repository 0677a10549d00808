//===- World.cpp - the ranks of one job -----------------------------------===//

#include "runtime/world/Environment.h"
#include "runtime/world/Socket.h"
#include "runtime/world/WorldState.h"

#include <tilewire/KernelSource.h>

namespace tilewire {
namespace {

// Others that have met the same error close at once; more patience only
// delays its report.
constexpr std::chrono::milliseconds closingTimeoutAfterError{5000};

/// A hub for ranks that no launcher of ours serves.
std::unique_ptr<Hub> hostHub(const RankIdentity &identity) {
  try {
    return std::make_unique<Hub>(identity.rendezvous, identity.size,
                                 HubHost::RankZero);
  } catch (const MachineError &) {
    // Our launcher listens there, or another process that takes itself for
    // rank 0: either answers.
    if (connectTo(identity.rendezvous))
      return nullptr;
    throw;
  }
}

} // namespace

Backend parseBackend(std::string_view text) {
  if (text == "auto")
    return Backend::Auto;
  if (text == "cuda")
    return Backend::Cuda;
  if (text == "emulator")
    return Backend::Emulator;
  throw UserError("expected a back end (auto, cuda, emulator), got '" +
                  std::string(text) + "'");
}

World::World(std::unique_ptr<State> state) : impl(std::move(state)) {}

World World::join(const WorldOptions &options) {
  const std::optional<RankIdentity> found = rankFromEnvironment();
  if (!found) {
    const RankIdentity alone{0, 1, 0, "", uniqueSocketName()};
    auto hub = std::make_unique<Hub>(alone.rendezvous, 1, HubHost::Process);
    return World(
        joinAs(alone, options, /*isLoopback=*/true, "rank 0", std::move(hub)));
  }
  std::unique_ptr<Hub> hub;
  if (found->rank == 0)
    hub = hostHub(*found);
  // Variables of our own launcher may be set by hand too.
  const std::string host =
      found->launcher == ownLauncher ? "the launcher or rank 0" : "rank 0";
  return World(
      joinAs(*found, options, /*isLoopback=*/false, host, std::move(hub)));
}

World::World(World &&) noexcept = default;

World &World::operator=(World &&other) noexcept {
  World taken(std::move(other));
  std::swap(impl, taken.impl);
  return *this;
}

World::~World() {
  if (!impl || impl->health.isBroken())
    return;
  if (isErrorPassing(*impl)) {
    impl->channel->breakWith(gaveUp(rank()));
    return;
  }
  try {
    impl->channel->leave(hostTimeout(*impl));
  } catch (...) {
    reportCurrentException();
  }
}

int World::rank() const { return impl->identity.rank; }
int World::size() const { return impl->identity.size; }
const WorldOptions &World::options() const { return impl->options; }
Device &World::device() const { return *impl->device; }
std::string World::deviceDescription() const {
  return impl->device->description();
}
Backend World::backend() const { return impl->device->backend(); }
int World::ranksOnDevice() const { return impl->ranksOnDevice; }
bool World::isLoopback() const { return impl->isLoopback; }

Tensor World::tensor(const TensorParameter &parameter) const {
  parameter.mostBytes(size()); // what no rank can have is refused on all
  return allocate(parameter.dtype, parameter.shapeOn(rank(), size()),
                  parameter.strides);
}

Tensor World::tensor(DataType dtype, std::vector<int64_t> shape) const {
  return allocate(dtype, std::move(shape), {});
}

Tensor World::allocate(DataType dtype, std::vector<int64_t> shape,
                       std::vector<int64_t> strides) const {
  checkHealthy();
  const int64_t bytes =
      checkedSpan(shape, strides, dtype, "tensor") * byteWidth(dtype);
  std::shared_ptr<Device> device = impl->device;
  // An empty tensor has an address too.
  void *data = device->allocate(std::max<int64_t>(bytes, 1));
  std::shared_ptr<void> owner(
      data, [device](void *memory) { device->release(memory); });
  return {data,
          dtype,
          std::move(shape),
          /*symmetric=*/false,
          bytes,
          std::move(owner),
          std::move(strides)};
}

void World::barrier() const { allGather("barrier", ""); }

std::vector<std::string> World::allGather(std::string_view what,
                                          std::string payload) const {
  std::vector<std::string> payloads;
  for (Contribution &contribution : exchangeTogether(*impl, what, [&] {
         return Offer{payload, {}};
       }))
    payloads.push_back(std::move(contribution.payload));
  return payloads;
}

void World::together(std::string_view what,
                     const std::function<void()> &step) const {
  exchangeTogether(*impl, what, [&] {
    requireCallable(step, "'" + std::string(what) + "'");
    try {
      step();
    } catch (...) {
      describeThrown(std::current_exception(), rank()).raise();
    }
    return Offer{};
  });
}

void World::checkHealthy() const { impl->health.check(); }

void World::breakWith(const std::exception_ptr &error) const {
  impl->channel->breakWith(describeThrown(error, rank()));
}

std::chrono::milliseconds hostTimeout(const World::State &world) {
  return world.options.timeout * 5 / 4;
}

std::vector<Contribution> exchangeTogether(const World::State &world,
                                           std::string_view what,
                                           const std::function<Offer()> &step) {
  return exchangeTogether(world, what, step, hostTimeout(world));
}

std::vector<Contribution> exchangeTogether(const World::State &world,
                                           std::string_view what,
                                           const std::function<Offer()> &step,
                                           std::chrono::milliseconds timeout) {
  world.health.check();
  Offer offer;
  std::optional<Failure> failure;
  try {
    offer = step();
  } catch (...) {
    failure = describe(std::current_exception());
  }
  Packer packer;
  packer.number(failure.has_value());
  if (failure)
    packer.failure(*failure);
  else
    packer.text(offer.payload);
  std::vector<Contribution> contributions = world.channel->exchange(
      what, packer.take(), failure ? std::nullopt : offer.descriptor, timeout);
  for (Contribution &contribution : contributions) {
    Unpacker unpacker(contribution.payload);
    if (unpacker.number())
      unpacker.failure().raise();
    contribution.payload = unpacker.text();
  }
  return contributions;
}

void requireSame(const std::vector<Contribution> &contributions,
                 const std::string &what) {
  for (size_t rank = 1; rank < contributions.size(); ++rank)
    if (contributions[rank].payload != contributions[0].payload)
      throw UserError("expected " + what + " on every rank, got " +
                      contributions[0].payload + " on rank 0 and " +
                      contributions[rank].payload + " on rank " +
                      std::to_string(rank));
}

bool isErrorPassing(const World::State &world) {
  return std::uncaught_exceptions() > world.exceptionsAtJoin;
}

std::chrono::milliseconds closingTimeout(const World::State &world) {
  if (isErrorPassing(world))
    return std::min(hostTimeout(world), closingTimeoutAfterError);
  return hostTimeout(world);
}

} // namespace tilewire
