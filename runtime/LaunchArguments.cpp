//===- LaunchArguments.cpp - do these tensors fit this kernel? ------------===//

#include "runtime/LoadedKernel.h"

#include <algorithm>

namespace tilewire {
namespace {

// The widest access that generated text makes: plans give vectors of so many
// bytes, whatever the tensor, as far as extents and offsets allow.
constexpr uintptr_t accessBytes = 16;

uintptr_t addressOf(const void *data) {
  return reinterpret_cast<uintptr_t>(data);
}

/// The greatest power of two that divides the address.
uintptr_t alignmentOf(uintptr_t address) { return address & -address; }

std::string describe(DataType dtype, const std::vector<int64_t> &shape,
                     const std::vector<int64_t> &strides) {
  return formatShape(shape) + " of " + std::string(name(dtype)) +
         (strides.empty() ? "" : " with strides " + formatShape(strides));
}

void checkCount(const KernelSource &source,
                const std::vector<Tensor> &tensors) {
  if (tensors.size() != source.parameters.size())
    throw UserError("expected " + std::to_string(source.parameters.size()) +
                    " tensors (" + names(source.parameters) + ") for kernel '" +
                    source.entry + "', got " + std::to_string(tensors.size()));
}

/// "for 'dst' of kernel 'exchange'".
std::string subjectOf(const KernelSource &source,
                      const TensorParameter &parameter) {
  return "for '" + parameter.name + "' of kernel '" + source.entry + "'";
}

/// "S = 4096, B = 2": what a launch gives the extents of `declared`.
std::string formatValues(const TensorParameter &declared,
                         const LaunchValues &values) {
  std::string text;
  for (const LaunchValue &value : values)
    if (std::ranges::find(declared.extents, value.name, &Extent::parameter) !=
        declared.extents.end())
      text += (text.empty() ? "" : ", ") + value.name + " = " +
              std::to_string(value.value);
  return text;
}

/// The type and shape that a parameter has on this rank in this launch, with
/// the reason where that is not the same on all ranks, or in all launches.
void checkShape(const TensorParameter &declared,
                const TensorParameter &parameter, const LaunchValues &values,
                const World &world, const Tensor &tensor,
                const std::string &subject) {
  const int rank = world.rank(), numRanks = world.size();
  const std::vector<int64_t> shape = parameter.shapeOn(rank, numRanks);
  if (tensor.dtype == parameter.dtype && tensor.shape == shape &&
      areSameStrides(shape, parameter.strides, tensor.strides))
    return;
  std::string reason, remedy;
  if (parameter.shapeOn(0, numRanks) !=
      parameter.shapeOn(numRanks - 1, numRanks))
    reason = "rank " + std::to_string(rank) + " of " +
             std::to_string(numRanks) + " has that part of " +
             formatExtents(declared.extents);
  if (declared.hasRunTimeExtent()) {
    reason += (reason.empty() ? "" : " and ") + formatValues(declared, values);
    remedy = "; shape it for the launch with Kernel::shaped";
  }
  throw UserError(
      "expected " + describe(parameter.dtype, shape, parameter.strides) + " " +
      subject + (reason.empty() ? "" : " (because " + reason + ")") + ", got " +
      describe(tensor.dtype, tensor.shape, tensor.strides) + remedy);
}

/// Where this rank's part is not the largest, the tensor must have been
/// allocated for that all the same: it lies at the same place of every rank,
/// and what is not there has been given to another tensor.
void checkRoom(const TensorParameter &parameter, int64_t mostBytes,
               const SymmetricHeap &heap, const Tensor &tensor,
               const std::string &subject) {
  if (tensor.numBytes() == mostBytes ||
      (tensor.capacity >= mostBytes && heap.contains(tensor.data, mostBytes)))
    return;
  throw UserError("expected room for " + std::to_string(mostBytes) + " bytes " +
                  subject + " (because rank 0 has so many of " +
                  formatExtents(parameter.extents) + "), got " +
                  std::to_string(tensor.capacity) +
                  "; make it with SymmetricHeap::tensor from the parameter");
}

/// `parameter`: what `declared` is in this launch.
LaunchArgument checkArgument(const KernelSource &source,
                             const TensorParameter &declared,
                             const TensorParameter &parameter,
                             const LaunchValues &values,
                             const SymmetricHeap &heap, const Tensor &tensor) {
  const std::string subject = subjectOf(source, parameter);
  checkShape(declared, parameter, values, heap.world(), tensor, subject);
  checkMemory(tensor, subject);
  const int64_t bytes = parameter.symmetric
                            ? parameter.mostBytes(heap.world().size())
                            : tensor.numBytes();
  const uintptr_t address = addressOf(tensor.data);
  if (bytes > 0 && address % accessBytes != 0)
    throw UserError("expected memory aligned to " +
                    std::to_string(accessBytes) + " bytes " + subject +
                    ", got an address aligned to " +
                    std::to_string(alignmentOf(address)) +
                    "; make it with World::tensor or SymmetricHeap::tensor");
  const bool isSymmetric =
      tensor.symmetric && heap.contains(tensor.data, tensor.numBytes());
  if (parameter.symmetric && !isSymmetric)
    throw UserError(
        "expected a tensor of the kernel's symmetric heap " + subject +
        ", got " + (tensor.symmetric ? "one of another heap" : "local memory") +
        "; make it with SymmetricHeap::tensor");
  if (parameter.symmetric)
    checkRoom(parameter, bytes, heap, tensor, subject);
  return {tensor.data, bytes, isSymmetric};
}

/// Bytes that lie in both.
int64_t sharedBytes(const LaunchArgument &lhs, const LaunchArgument &rhs) {
  const uintptr_t begin = std::max(addressOf(lhs.data), addressOf(rhs.data));
  const uintptr_t end = std::min(addressOf(lhs.data) + uintptr_t(lhs.bytes),
                                 addressOf(rhs.data) + uintptr_t(rhs.bytes));
  return end > begin ? int64_t(end - begin) : 0;
}

/// The compiler takes tensors for separate, and orders nothing between them.
/// Peers write at the same offsets, so what is separate here is so everywhere.
void checkOverlap(const KernelSource &source,
                  const std::vector<LaunchArgument> &arguments) {
  for (size_t i = 0; i < arguments.size(); ++i)
    for (size_t j = i + 1; j < arguments.size(); ++j) {
      const TensorParameter &first = source.parameters[i];
      const TensorParameter &second = source.parameters[j];
      if (!(first.written || second.written) ||
          (first.mayAlias && second.mayAlias))
        continue;
      if (const int64_t shared = sharedBytes(arguments[i], arguments[j]))
        throw UserError(
            "expected '" + first.name + "' and '" + second.name +
            "' of kernel '" + source.entry + "' in separate memory (because '" +
            (second.written ? second : first).name + "' is written), got " +
            std::to_string(shared) +
            " bytes that belong to both; give separate tensors, or declare "
            "both parameters tile.may_alias");
    }
}

} // namespace

void checkMemory(const Tensor &tensor, const std::string &subject) {
  if (!tensor.data && tensor.numBytes() > 0)
    throw UserError("expected memory " + subject + ", got a tensor " +
                    describe(tensor.dtype, tensor.shape, tensor.strides) +
                    " without any; make it with World::tensor or "
                    "SymmetricHeap::tensor");
}

void checkDense(const Tensor &tensor, const std::string &subject) {
  if (!areSameStrides(tensor.shape, tensor.strides, {}))
    throw UserError("expected a dense tensor " + subject +
                    " (because its bytes are moved as they lie), got " +
                    describe(tensor.dtype, tensor.shape, tensor.strides) +
                    "; give the tensor that it is a view of");
}

void checkSeparate(const Tensor &destination, const Tensor &source,
                   const std::string &what) {
  checkDense(source, "for the source of " + what);
  checkDense(destination, "for the destination of " + what);
  checkMemory(source, "for the source of " + what);
  checkMemory(destination, "for the destination of " + what);
  if (const int64_t shared =
          sharedBytes({destination.data, destination.numBytes(), false},
                      {source.data, source.numBytes(), false}))
    throw UserError("expected source and destination of " + what +
                    " in separate memory, got " + std::to_string(shared) +
                    " bytes that belong to both; give separate tensors");
}

std::vector<LaunchArgument> checkArguments(const KernelSource &source,
                                           const SymmetricHeap &heap,
                                           const std::vector<Tensor> &tensors,
                                           const LaunchValues &values) {
  checkCount(source, tensors);
  std::vector<LaunchArgument> arguments;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorParameter &declared = source.parameters[i];
    // Launches are frequent: only what changes is made anew.
    arguments.push_back(declared.hasRunTimeExtent()
                            ? checkArgument(source, declared,
                                            declared.at(values), values, heap,
                                            tensors[i])
                            : checkArgument(source, declared, declared, values,
                                            heap, tensors[i]));
  }
  checkOverlap(source, arguments);
  return arguments;
}

std::vector<Tensor> shapeArguments(const KernelSource &source,
                                   const World &world,
                                   const std::vector<Tensor> &tensors,
                                   const LaunchValues &values) {
  checkCount(source, tensors);
  std::vector<Tensor> shaped;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorParameter parameter = source.parameters[i].at(values);
    const int64_t bytes =
        parameter.bytesOn(parameter.symmetric ? 0 : world.rank(), world.size());
    const int64_t capacity =
        std::max(tensors[i].capacity, tensors[i].numBytes());
    if (bytes > capacity)
      throw UserError(
          "expected memory of " + std::to_string(bytes) + " bytes " +
          subjectOf(source, parameter) + " (because it is " +
          parameter.describe() + " in this launch), got " +
          std::to_string(capacity) +
          "; make it with World::tensor or SymmetricHeap::tensor from the "
          "parameter");
    shaped.push_back(
        tensors[i].shaped(parameter.shapeOn(world.rank(), world.size())));
  }
  return shaped;
}

} // namespace tilewire
