//===- Kernel.cpp - a generated kernel, loaded and launched ---------------===//

#include "runtime/Digest.h"
#include "runtime/KernelCache.h"
#include "runtime/LoadedKernel.h"

#include <algorithm>
#include <limits>

namespace tilewire {

struct Kernel::State {
  SymmetricHeap *heap;
  std::shared_ptr<LoadedKernel> loaded;
};

namespace {

/// All that an image depends on. Lengths keep the parts apart.
std::string cacheKey(Device &device, const KernelSource &source) {
  return Packer()
      .text(device.compileKey())
      .text(source.entry)
      .text(source.text)
      .number(source.launch.threads)
      .number(source.launch.sharedBytes)
      .take();
}

std::string findOrCompile(Device &device, const KernelSource &source,
                          const std::string &key) {
  const KernelCache cache = KernelCache::fromEnvironment();
  if (std::optional<std::string> image = cache.find(key))
    return std::move(*image);
  std::string image = device.compile(source);
  cache.store(key, image);
  return image;
}

/// Digest of what every rank must load alike; lengths keep the parts apart.
std::string programDigest(const KernelSource &source) {
  Packer packer;
  packer.number(int64_t(source.parameters.size()));
  for (const TensorParameter &parameter : source.parameters) {
    packer.text(parameter.name)
        .number(int64_t(parameter.dtype))
        .number(parameter.symmetric)
        .number(parameter.written)
        .number(parameter.mayAlias)
        .number(int64_t(parameter.strides.size()));
    for (int64_t stride : parameter.strides)
      packer.number(stride);
    packer.number(int64_t(parameter.extents.size()));
    for (const Extent &extent : parameter.extents)
      packer.number(extent.value).number(extent.isShare).text(extent.parameter);
  }
  packer.number(int64_t(source.launchParameters.size()));
  for (const LaunchParameter &parameter : source.launchParameters)
    packer.text(parameter.name).number(parameter.most);
  packer.number(int64_t(source.waits.size()));
  for (const WaitSite &wait : source.waits)
    packer.text(wait.what);
  packer.text(source.program);
  if (source.program.empty())
    packer.text(source.text)
        .number(source.launch.threads)
        .number(source.launch.maxBlocks)
        .number(source.launch.blocksPerSm)
        .number(source.launch.needsAllBlocks)
        .number(source.launch.sharedBytes);
  return digest(packer.take());
}

/// What ranks tell each other before they load.
struct Intent {
  std::string entry;
  std::string program; ///< programDigest
  std::string image;   ///< digest of what the image depends on
  std::string slots;   ///< FlagSlots::taken
};

/// Also makes this rank's cache key, which may fail.
std::vector<Intent> exchangeIntents(SymmetricHeap &heap,
                                    const KernelSource &source,
                                    std::string &key) {
  std::vector<Intent> intents;
  for (const Contribution &contribution :
       exchangeTogether(heap.world().state(), "loading a kernel", [&] {
         if (source.numRanks != heap.world().size())
           throw UserError("expected kernel '" + source.entry +
                           "', which is for " +
                           std::to_string(source.numRanks) +
                           " ranks, in a world of as many, got " +
                           std::to_string(heap.world().size()));
         checkLaunchParameters(source);
         key = cacheKey(heap.world().device(), source);
         return Offer{Packer()
                          .text(source.entry)
                          .text(programDigest(source))
                          .text(digest(key))
                          .text(heap.state().slots->taken())
                          .take(),
                      {}};
       })) {
    Unpacker unpacker(contribution.payload);
    Intent &intent = intents.emplace_back();
    for (std::string *part :
         {&intent.entry, &intent.program, &intent.image, &intent.slots})
      *part = unpacker.text();
  }
  return intents;
}

/// Kernels that differ would write where peers do not expect it, or wait for
/// what never comes. Every rank sees the same intents, and so throws alike.
void requireSameProgram(const std::vector<Intent> &intents) {
  const Intent &first = intents.front();
  for (size_t rank = 1; rank < intents.size(); ++rank) {
    const Intent &other = intents[rank];
    const std::string where = " on rank " + std::to_string(rank);
    if (other.entry != first.entry)
      throw UserError("expected every rank to load the same kernel, got '" +
                      other.entry + "'" + where + " and '" + first.entry +
                      "' on rank 0; load the same kernels in the same order on "
                      "every rank");
    if (other.program != first.program)
      throw UserError("expected every rank to load the same program, got "
                      "another as '" +
                      first.entry + "'" + where +
                      " than on rank 0; build it with the same shapes, options "
                      "and body on every rank");
  }
}

/// The first slot that is free on every rank.
int chooseSlot(const std::vector<Intent> &intents) {
  for (int slot = 0; slot < FlagSlots::numSlots; ++slot)
    if (std::all_of(intents.begin(), intents.end(), [&](const Intent &intent) {
          return intent.slots[size_t(slot)] == '0';
        }))
      return slot;
  throw UserError("expected at most " + std::to_string(FlagSlots::numSlots) +
                  " kernels on one symmetric heap at a time, got one more; "
                  "drop one first");
}

/// The image, compiled by the lowest rank of those that need the same.
std::string compileTogether(const World::State &world,
                            const KernelSource &source, const std::string &key,
                            const std::vector<Intent> &intents) {
  const std::string &wanted = intents[size_t(world.identity.rank)].image;
  const auto sameImage = [&](const Intent &intent) {
    return intent.image == wanted;
  };
  const size_t compiler =
      size_t(std::find_if(intents.begin(), intents.end(), sameImage) -
             intents.begin());
  // The others wait for as long as compiling may take, so that what they hear
  // of is the compiler's end. None is missing: all have just met.
  std::vector<Contribution> images = exchangeTogether(
      world, "compiling kernel '" + source.entry + "'",
      [&] {
        if (compiler != size_t(world.identity.rank))
          return Offer{};
        return Offer{findOrCompile(*world.device, source, key), {}};
      },
      hostTimeout(world) + compileLimit);
  return std::move(images[compiler].payload);
}

/// Blocks of a launch that this rank has work and room for.
int64_t countBlocks(const World::State &world, const LaunchPolicy &policy,
                    int64_t maxResident) {
  int64_t count = std::min(policy.maxBlocks, maxResident / world.ranksOnDevice);
  if (policy.blocksPerSm > 0)
    count = std::min(count, int64_t(policy.blocksPerSm) *
                                world.device->numSms() / world.ranksOnDevice);
  return std::max<int64_t>(count, 1);
}

/// Loads everywhere and agrees on the number of blocks.
std::shared_ptr<LoadedKernel> loadTogether(SymmetricHeap &heap,
                                           const KernelSource &source,
                                           const std::string &image, int slot) {
  const World::State &world = heap.world().state();
  std::shared_ptr<LoadedKernel> loaded;
  const std::vector<Contribution> counts =
      exchangeTogether(world, "placing kernel '" + source.entry + "'", [&] {
        loaded = std::make_shared<LoadedKernel>(heap, source, image, slot);
        const int64_t count = countBlocks(world, source.launch,
                                          loaded->kernel().maxResidentBlocks());
        if (source.launch.needsAllBlocks && count < source.launch.maxBlocks)
          throw UserError(
              "expected room for all " +
              std::to_string(source.launch.maxBlocks) + " blocks of kernel '" +
              source.entry +
              "' at once, because they wait for each other, got room for " +
              std::to_string(count) + " on rank " +
              std::to_string(world.identity.rank) + "; make the grid smaller");
        return Offer{Packer().number(count).take(), {}};
      });
  loaded->numBlocks = std::numeric_limits<int64_t>::max();
  for (const Contribution &count : counts)
    loaded->numBlocks =
        std::min(loaded->numBlocks, Unpacker(count.payload).number());
  return loaded;
}

} // namespace

Kernel::Kernel(SymmetricHeap &heap, const KernelSource &source) {
  const World::State &world = heap.world().state();
  std::string key;
  const std::vector<Intent> intents = exchangeIntents(heap, source, key);
  requireSameProgram(intents);
  const int slot = chooseSlot(intents);
  const std::string image = compileTogether(world, source, key, intents);
  impl.reset(new State{&heap, loadTogether(heap, source, image, slot)});
}

Kernel::Kernel(Kernel &&) noexcept = default;
Kernel::~Kernel() = default;

void Kernel::launch(Stream &stream, const std::vector<Tensor> &tensors,
                    const LaunchValues &values) {
  SymmetricHeap &heap = *impl->heap;
  heap.world().checkHealthy();
  LoadedKernel &loaded = *impl->loaded;
  const LaunchValues ordered = checkValues(loaded.source, values);
  const std::vector<LaunchArgument> arguments =
      checkArguments(loaded.source, heap, tensors, ordered);
  // What the launch touches stays alive until the stream is seen idle.
  stream.state().running.insert(impl->loaded);
  for (const Tensor &tensor : tensors)
    stream.state().tensors.insert(tensor.owner);
  loaded.kernel().launch(*stream.state().stream, loaded.numBlocks,
                         loaded.table(arguments, ordered), loaded.heapBytes,
                         arguments, ordered);
}

std::vector<Tensor> Kernel::shaped(const std::vector<Tensor> &tensors,
                                   const LaunchValues &values) const {
  const KernelSource &source = impl->loaded->source;
  return shapeArguments(source, impl->heap->world(), tensors,
                        checkValues(source, values));
}

const KernelSource &Kernel::source() const { return impl->loaded->source; }
int64_t Kernel::numBlocks() const { return impl->loaded->numBlocks; }

} // namespace tilewire
