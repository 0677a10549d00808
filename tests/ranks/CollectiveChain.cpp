//===- CollectiveChain.cpp - all-to-alls that depend on each other --------===//

#include "CollectiveChain.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <random>
#include <set>

namespace tilewire::test {

using Tensor = CollectiveChain::Tensor;
using Collective = CollectiveChain::Collective;

Tensor CollectiveChain::destinationOf(const Collective &collective) const {
  const Tensor &source = tensors[collective.source];
  Tensor destination;
  for (int64_t dim : collective.permutation) {
    int64_t extent = source.extents[size_t(dim)];
    if (size_t(dim) == collective.scatter)
      extent /= numRanks;
    if (size_t(dim) == collective.gather)
      extent *= numRanks;
    destination.names += source.names[size_t(dim)];
    destination.extents.push_back(extent);
  }
  return destination;
}

size_t CollectiveChain::add(Collective collective) {
  tensors.push_back(destinationOf(collective));
  add(std::move(collective), tensors.size() - 1);
  return tensors.size() - 1;
}

void CollectiveChain::add(Collective collective, size_t destination) {
  collective.destination = destination;
  collectives.push_back(std::move(collective));
}

size_t CollectiveChain::numBarriers() const {
  size_t count = 0;
  std::set<size_t> read, written; // since the last barrier
  for (const Collective &collective : collectives) {
    if (written.contains(collective.source) ||
        written.contains(collective.destination) ||
        read.contains(collective.destination)) {
      ++count;
      read.clear();
      written.clear();
    }
    read.insert(collective.source);
    written.insert(collective.destination);
  }
  return count;
}

//===----------------------------------------------------------------------===//
// At random
//===----------------------------------------------------------------------===//

namespace {

class Generator {
public:
  explicit Generator(uint64_t number) : random(number) {
    const int ranks[] = {1, 2, 3, 4, 8};
    chain.numRanks = ranks[number % 5];
    const DataType types[] = {DataType::U8, DataType::BF16, DataType::F32,
                              DataType::I64};
    chain.dtype = types[pick(4)];
    chain.completion = chance(80);
  }

  CollectiveChain make() {
    addSource();
    if (chance(50))
      addSource();
    for (int64_t left = 2 + pick(4); left > 0; --left)
      addCollective();
    return chain;
  }

private:
  int64_t pick(int64_t count) { return int64_t(random() % uint64_t(count)); }
  bool chance(int percent) { return pick(100) < percent; }

  void addSource() {
    const std::string names = "XYZ";
    Tensor tensor{names.substr(0, size_t(2 + pick(2))), {}, chance(70)};
    for (char name : tensor.names)
      tensor.extents.push_back(name == 'Z' ? 1 + pick(7)
                                           : (name == 'X' ? 1 + pick(2) : 2) *
                                                 chain.numRanks);
    chain.tensors.push_back(tensor);
  }

  void addCollective() {
    std::optional<Collective> collective;
    while (!collective)
      collective = anyCollective();
    const Tensor destination = chain.destinationOf(*collective);
    std::vector<size_t> alike;
    for (size_t i = 0; i < chain.tensors.size(); ++i)
      if (chain.tensors[i] == destination && i != collective->source)
        alike.push_back(i);
    if (alike.empty() || chance(30))
      chain.add(*collective);
    else
      chain.add(*collective, alike[size_t(pick(int64_t(alike.size())))]);
  }

  /// Nothing where the ranks don't divide what is scattered.
  std::optional<Collective> anyCollective() {
    Collective collective{};
    collective.source = !chain.collectives.empty() && chance(50)
                            ? chain.collectives.back().destination
                            : size_t(pick(int64_t(chain.tensors.size())));
    const Tensor &source = chain.tensors[collective.source];
    const int64_t numDims = int64_t(source.extents.size());
    collective.scatter = size_t(pick(numDims));
    collective.gather = size_t(pick(numDims));
    if (collective.scatter == collective.gather ||
        source.extents[collective.scatter] % chain.numRanks != 0)
      return std::nullopt;
    collective.permutation.resize(size_t(numDims));
    std::iota(collective.permutation.begin(), collective.permutation.end(), 0);
    if (chance(40))
      std::swap(collective.permutation[size_t(pick(numDims))],
                collective.permutation[size_t(pick(numDims))]);
    return collective;
  }

  std::mt19937_64 random;
  CollectiveChain chain;
};

} // namespace

CollectiveChain randomChain(uint64_t number) {
  return Generator(number).make();
}

//===----------------------------------------------------------------------===//
// In the language, and on the host
//===----------------------------------------------------------------------===//

Program buildChain(const CollectiveChain &chain) {
  ProgramBuilder p(
      "chain", {.numRanks = chain.numRanks, .completion = chain.completion});
  std::vector<TensorArgument> tensors;
  for (const Tensor &tensor : chain.tensors) {
    const std::string name = "t" + std::to_string(tensors.size());
    std::vector<Extent> extents;
    for (size_t dim = 0; dim < tensor.extents.size(); ++dim)
      extents.push_back({{tensor.names[dim]}, tensor.extents[dim]});
    tensors.push_back(tensor.symmetric
                          ? p.symmetricTensor(name, chain.dtype, extents)
                          : p.tensor(name, chain.dtype, extents));
  }
  for (const Collective &collective : chain.collectives) {
    const std::string &names = chain.tensors[collective.source].names;
    p.allToAll(tensors[collective.source], tensors[collective.destination],
               {.scatter = {names[collective.scatter]},
                .gather = {names[collective.gather]},
                .permute = collective.permutation});
  }
  return p.build();
}

namespace {

/// Number of the element at `position`.
int64_t elementAt(const std::vector<int64_t> &position,
                  const std::vector<int64_t> &extents) {
  int64_t element = 0;
  for (size_t dim = 0; dim < extents.size(); ++dim)
    element = element * extents[dim] + position[dim];
  return element;
}

/// Element by element of the source: its place along the scattered dimension
/// says to which rank it goes.
void sendFrom(int64_t rank, const CollectiveChain &chain,
              const Collective &collective, Memory &memory) {
  const Tensor &source = chain.tensors[collective.source];
  const Tensor &destination = chain.tensors[collective.destination];
  const Bytes &sent = memory[size_t(rank)][collective.source];
  const size_t width = size_t(byteWidth(chain.dtype));
  const int64_t share = source.extents[collective.scatter] / chain.numRanks;
  const int64_t count = int64_t(sent.size() / width);
  for (int64_t element = 0; element < count; ++element) {
    std::vector<int64_t> position(source.extents.size());
    int64_t rest = element;
    for (size_t dim = position.size(); dim-- > 0;) {
      position[dim] = rest % source.extents[dim];
      rest /= source.extents[dim];
    }
    const int64_t peer = position[collective.scatter] / share;
    position[collective.scatter] %= share;
    position[collective.gather] += rank * source.extents[collective.gather];
    std::vector<int64_t> permuted;
    for (int64_t dim : collective.permutation)
      permuted.push_back(position[size_t(dim)]);
    Bytes &arrived = memory[size_t(peer)][collective.destination];
    std::memcpy(arrived.data() +
                    width * size_t(elementAt(permuted, destination.extents)),
                sent.data() + width * size_t(element), width);
  }
}

} // namespace

void runOnHost(const CollectiveChain &chain, Memory &memory) {
  for (const Collective &collective : chain.collectives)
    for (int64_t rank = 0; rank < chain.numRanks; ++rank)
      sendFrom(rank, chain, collective, memory);
}

} // namespace tilewire::test
