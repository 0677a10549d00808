//===- Stream.cpp - a queue of work, and its waits ------------------------===//

#include "runtime/LoadedKernel.h"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace tilewire {
namespace {

// After the abort words are set, every wait gives up at its next look.
constexpr std::chrono::milliseconds abortTimeout{5000};

// So long a kernel gets to end without a rank that closes because of an error:
// it would wait for what that rank never launches.
constexpr std::chrono::milliseconds giveUpTimeout{500};

/// Sleeps longer the longer the wait has lasted, up to 100 us.
class Backoff {
public:
  void pause() {
    if (time.count() == 0)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(time);
    time = std::min(time + std::chrono::microseconds(1),
                    std::chrono::microseconds(100));
  }

private:
  std::chrono::microseconds time{0};
};

/// How long the host waits for work that makes no progress: ten minutes, unless
/// told otherwise. Waits in kernels, and loops on the emulator, end long
/// before, by deadlines of their own, and can say more.
std::chrono::milliseconds stallTimeout(const World::State &world) {
  return world.options.timeout * 20;
}

/// Whether work has made no progress for too long.
class Stall {
public:
  Stall(DeviceStream &stream, std::chrono::milliseconds timeout)
      : stream(stream), timeout(timeout) {}

  bool isOverdue() {
    const uint64_t progress = stream.progress();
    if (progress != seen) {
      seen = progress;
      limit = Clock::now() + timeout;
    }
    return Clock::now() > limit;
  }

private:
  DeviceStream &stream;
  const std::chrono::milliseconds timeout;
  uint64_t seen = stream.progress();
  Clock::time_point limit = Clock::now() + timeout;
};

/// Waits until the stream is idle or `giveUp` says so; whether it is idle.
bool waitUntilIdle(DeviceStream &stream, const std::function<bool()> &giveUp) {
  Backoff backoff;
  while (!stream.isIdle()) {
    if (giveUp())
      return false;
    backoff.pause();
  }
  return true;
}

bool waitUntilIdle(DeviceStream &stream, std::chrono::milliseconds timeout) {
  const Clock::time_point limit = Clock::now() + timeout;
  return waitUntilIdle(stream, [&] { return Clock::now() > limit; });
}

} // namespace

Stream::State::State(World &world)
    : world(world), stream(world.device().makeStream()) {
  world.state().streams.insert(stream.get());
}

Stream::State::~State() {
  World::State &state = world.state();
  try {
    if (!waitUntilIdle(*stream, state.options.timeout + abortTimeout))
      std::fprintf(stderr,
                   "%srank %d: a stream was closed while %s "
                   "still ran on it\n",
                   errorPrefix(ErrorKind::Machine), state.identity.rank,
                   kernelNames().c_str());
  } catch (...) {
    reportCurrentException();
  }
  state.streams.erase(stream.get());
}

std::string Stream::State::kernelNames() const {
  std::set<std::string> names;
  for (const auto &kernel : running)
    names.insert("'" + kernel->source.entry + "'");
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "kernel " : " or ") + name;
  return text.empty() ? "a copy" : text;
}

void Stream::State::checkNotRecording(const std::string &what) const {
  if (isRecording)
    throw UserError("expected launches and copies within the device alone in "
                    "a benchmark's launch, got " +
                    what + "; do that before or after the benchmark");
}

Failure Stream::State::stalled() const {
  const World::State &state = world.state();
  return {ErrorKind::Machine, kernelNames() + " on rank " +
                                  std::to_string(state.identity.rank) +
                                  ": expected work to get done within " +
                                  formatTime(stallTimeout(state)) +
                                  ", none was; make its loops and waits end"};
}

void Stream::State::checkKernels(bool isIdle) {
  for (const auto &kernel : running)
    if (const auto failure = kernel->failedWait())
      world.state().channel->breakWith(*failure);
  if (isIdle) {
    running.clear();
    tensors.clear();
  }
  world.checkHealthy();
}

Stream::Stream(World &world) {
  world.checkHealthy();
  impl = std::make_unique<State>(world);
}

Stream::Stream(Stream &&) noexcept = default;
Stream::~Stream() = default;

void Stream::copy(const Tensor &destination, const Tensor &source) {
  checkDense(source, "for the source of a copy");
  checkDense(destination, "for the destination of a copy");
  if (destination.numBytes() != source.numBytes())
    throw UserError("expected a copy between tensors of equal size, got " +
                    std::to_string(source.numBytes()) + " bytes to " +
                    std::to_string(destination.numBytes()));
  checkSeparate(destination, source, "a copy");
  impl->world.checkHealthy();
  for (const Tensor *tensor : {&destination, &source})
    impl->tensors.insert(tensor->owner);
  if (source.numBytes() > 0)
    impl->stream->copy(destination.data, source.data, source.numBytes());
}

void Stream::synchronize() {
  impl->checkNotRecording("a wait for its stream");
  World::State &world = impl->world.state();
  bool isIdle = true; // nothing runs on a device that failed, either
  try {
    Stall stall(*impl->stream, stallTimeout(world));
    isIdle = waitUntilIdle(*impl->stream, [&] {
      if (stall.isOverdue())
        world.channel->breakWith(impl->stalled());
      if (const auto rank = world.health.givingUpFor(giveUpTimeout))
        world.channel->breakWith(gaveUp(*rank));
      return world.health.isBroken() ||
             std::any_of(impl->running.begin(), impl->running.end(),
                         [](const auto &kernel) {
                           return kernel->failedWait().has_value();
                         });
    });
    if (!isIdle) {
      // Tell the others first, so that their waits end too.
      for (const auto &kernel : impl->running)
        if (const auto failure = kernel->failedWait())
          world.channel->breakWith(*failure);
      isIdle = waitUntilIdle(*impl->stream, abortTimeout);
      if (!isIdle)
        world.health.check();
    }
  } catch (const Error &error) {
    world.channel->breakWith({error.kind(), error.what()});
  }
  impl->checkKernels(isIdle);
}

} // namespace tilewire
