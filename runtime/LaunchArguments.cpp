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

std::string describe(DataType dtype, const std::vector<int64_t> &shape) {
  return formatShape(shape) + " of " + std::string(name(dtype));
}

std::string names(const std::vector<TensorParameter> &parameters) {
  std::string text;
  for (const TensorParameter &parameter : parameters)
    text += (text.empty() ? "" : ", ") + parameter.name;
  return text;
}

/// The type and shape that a parameter has on this rank, with the reason where
/// that is not the same on all.
void checkShape(const TensorParameter &parameter, const World &world,
                const Tensor &tensor, std::string subject) {
  const int rank = world.rank(), numRanks = world.size();
  const std::vector<int64_t> shape = parameter.shapeOn(rank, numRanks);
  if (tensor.dtype == parameter.dtype && tensor.shape == shape)
    return;
  if (parameter.shapeOn(0, numRanks) !=
      parameter.shapeOn(numRanks - 1, numRanks))
    subject += " (because rank " + std::to_string(rank) + " of " +
               std::to_string(numRanks) + " has that part of " +
               formatExtents(parameter.extents) + ")";
  throw UserError("expected " + describe(parameter.dtype, shape) + " " +
                  subject + ", got " + describe(tensor.dtype, tensor.shape));
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

LaunchArgument checkArgument(const KernelSource &source,
                             const TensorParameter &parameter,
                             const SymmetricHeap &heap, const Tensor &tensor) {
  const std::string subject =
      "for '" + parameter.name + "' of kernel '" + source.entry + "'";
  checkShape(parameter, heap.world(), tensor, subject);
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
                    describe(tensor.dtype, tensor.shape) +
                    " without any; make it with World::tensor or "
                    "SymmetricHeap::tensor");
}

void checkSeparate(const Tensor &destination, const Tensor &source,
                   const std::string &what) {
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
                                           const std::vector<Tensor> &tensors) {
  if (tensors.size() != source.parameters.size())
    throw UserError("expected " + std::to_string(source.parameters.size()) +
                    " tensors (" + names(source.parameters) + ") for kernel '" +
                    source.entry + "', got " + std::to_string(tensors.size()));
  std::vector<LaunchArgument> arguments;
  for (size_t i = 0; i < tensors.size(); ++i)
    arguments.push_back(
        checkArgument(source, source.parameters[i], heap, tensors[i]));
  checkOverlap(source, arguments);
  return arguments;
}

} // namespace tilewire
