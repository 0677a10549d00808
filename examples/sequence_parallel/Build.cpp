//===- Build.cpp - the three programs as tile programs --------------------===//

#include "Build.h"

#include <map>

using namespace sequence_parallel;
namespace tw = tilewire;

namespace {

/// Global extents by name.
int64_t wholeExtent(const Shape &shape, char name) {
  switch (name) {
  case 'B':
    return shape.batchSize;
  case 'H':
    return shape.numHeads;
  case 'K':
    return shape.kvHeads;
  case 'G':
    return shape.numHeads / shape.kvHeads;
  case 'S':
    return shape.seqLen;
  default:
    return shape.headDim;
  }
}

std::string nameOf(char dimension) {
  return dimension == 'K' ? "KV" : std::string(1, dimension);
}

/// `order` with other dimensions in place of the heads.
std::string withHeads(std::string order, const std::string &heads) {
  return order.replace(order.find('H'), 1, heads);
}

/// "32 query heads with 2 for keys and values on 4 ranks".
std::string describeHeads(const Shape &shape) {
  return std::to_string(shape.numHeads) + " query heads with " +
         std::to_string(shape.kvHeads) + " for keys and values on " +
         std::to_string(shape.numRanks) + " ranks";
}

void checkGroups(const Shape &shape) {
  const int64_t numRanks = shape.numRanks;
  if (shape.numHeads % shape.kvHeads != 0)
    throw tw::UserError("expected --num-heads to be a multiple of --kv-heads, "
                        "got " +
                        describeHeads(shape));
  if (shape.kvHeads >= numRanks)
    return;
  if (!shape.replicateKv)
    throw tw::UserError("expected at least one of --kv-heads for each rank, or "
                        "--replicate-kv, which gives each to several, got " +
                        describeHeads(shape));
  if (numRanks % shape.kvHeads != 0 || shape.numHeads % numRanks != 0)
    throw tw::UserError("expected with --replicate-kv the ranks to be a "
                        "multiple of --kv-heads, and --num-heads a multiple "
                        "of the ranks, got " +
                        describeHeads(shape));
}

/// Makes the extents of one program's tensors.
class Extents {
public:
  Extents(tw::ProgramBuilder &builder, const Options &options)
      : builder(builder), options(options) {}

  /// Of a tensor whose dimension `cut` is a share.
  std::vector<tw::Extent> of(const std::string &order, char cut) {
    std::vector<tw::Extent> list;
    for (char name : order)
      list.push_back(name == cut ? builder.share(whole(name)) : whole(name));
    return list;
  }

private:
  tw::Extent whole(char name) {
    const tw::Extent number(nameOf(name), wholeExtent(options.shape, name));
    // Parts that several ranks get have one size in all launches.
    const bool isNumber = !options.dynamic || name == 'D' ||
                          (name == 'K' && options.shape.hasReplicas());
    if (isNumber)
      return number;
    if (!parameters.contains(name))
      parameters.emplace(name, builder.parameter(number));
    return parameters.at(name);
  }

  tw::ProgramBuilder &builder;
  const Options &options;
  std::map<char, tw::Extent> parameters;
};

/// The heads' dimension that is cut where a program cuts `name`.
char cutAmong(const std::string &order, char name) {
  return name == 'H' && order.find('H') == std::string::npos ? 'K' : name;
}

/// One pair of tensors of a program whose heads are `heads`, at tensor level.
void addPair(tw::ProgramBuilder &builder, const AllToAllProgram &program,
             const Options &options, Extents &extents, const std::string &heads,
             const std::string &prefix, int replicas) {
  const std::string from = withHeads(program.inputOrder, heads);
  const std::string to = withHeads(program.outputOrder, heads);
  const char scattered = cutAmong(from, program.scattered);
  const char gathered = cutAmong(from, program.gathered);
  auto src = builder.tensor(prefix + "src", options.shape.dtype,
                            extents.of(from, gathered));
  // What several ranks get is as much on each.
  std::vector<tw::Extent> received =
      extents.of(to, replicas == 1 ? scattered : '\0');
  if (replicas != 1)
    received[to.find(scattered)].value /= options.shape.numRanks / replicas;
  auto dst =
      builder.symmetricTensor(prefix + "dst", options.shape.dtype, received);
  if (heads == "H")
    return program.fill(builder, src, dst, options);
  std::vector<int64_t> permutation;
  for (char name : to)
    permutation.push_back(int64_t(from.find(name)));
  builder.allToAll(src, dst,
                   {.scatter = nameOf(scattered),
                    .gather = nameOf(gathered),
                    .permute = permutation,
                    .replicas = replicas});
}

} // namespace

tw::Program sequence_parallel::buildProgram(const AllToAllProgram &program,
                                            const Options &options) {
  const Shape &shape = options.shape;
  if (shape.kvHeads > 0)
    checkGroups(shape);
  tw::ProgramBuilder builder(program.name, {.numRanks = shape.numRanks,
                                            .completion = options.completion});
  Extents extents(builder, options);
  const bool areGrouped = shape.kvHeads > 0 && !shape.hasReplicas();
  addPair(builder, program, options, extents, areGrouped ? "KG" : "H", "", 1);
  if (shape.kvHeads > 0 && program.movesKeysAndValues)
    addPair(builder, program, options, extents, "K", "kv_",
            shape.hasReplicas() ? int(shape.numRanks / shape.kvHeads) : 1);
  return builder.build();
}

std::vector<Exchange>
sequence_parallel::exchangesOf(const AllToAllProgram &program,
                               const tw::KernelSource &source) {
  std::vector<Exchange> exchanges;
  for (size_t i = 0; i + 1 < source.parameters.size(); i += 2) {
    const std::vector<tw::Extent> &from = source.parameters[i].extents;
    const std::vector<tw::Extent> &to = source.parameters[i + 1].extents;
    Exchange exchange{source.numRanks, "", "", 0, 0, {}};
    for (const tw::Extent &extent : from) {
      exchange.inputOrder += extent.name.front();
      exchange.extents.push_back(extent.value);
    }
    for (const tw::Extent &extent : to)
      exchange.outputOrder += extent.name.front();
    exchange.scattered = cutAmong(exchange.inputOrder, program.scattered);
    exchange.gathered = cutAmong(exchange.inputOrder, program.gathered);
    const tw::Extent &part = to[exchange.outputOrder.find(exchange.scattered)];
    if (!part.isShare)
      exchange.replicas =
          int(source.numRanks * part.value /
              exchange.extents[exchange.inputOrder.find(exchange.scattered)]);
    exchanges.push_back(exchange);
  }
  return exchanges;
}

tw::LaunchValues sequence_parallel::valuesOf(const tw::KernelSource &source,
                                             const Shape &shape) {
  tw::LaunchValues values;
  for (const tw::LaunchParameter &parameter : source.launchParameters)
    values.push_back(
        {parameter.name, wholeExtent(shape, parameter.name.front())});
  return values;
}

tw::KernelSource sequence_parallel::sourceAt(const tw::KernelSource &source,
                                             const tw::LaunchValues &values) {
  tw::KernelSource at = source;
  for (tw::TensorParameter &parameter : at.parameters)
    parameter = parameter.at(values);
  return at;
}
