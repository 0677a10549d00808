//===- LaunchArguments.cpp - do these tensors fit this kernel? ------------===//

#include "runtime/LoadedKernel.h"

namespace tilewire {
namespace {

// The widest access that generated text makes.
constexpr uintptr_t accessBytes = 16;

std::string describe(DataType dtype, const std::vector<int64_t> &shape) {
  return formatShape(shape) + " of " + std::string(name(dtype));
}

std::string names(const std::vector<TensorParameter> &parameters) {
  std::string text;
  for (const TensorParameter &parameter : parameters)
    text += (text.empty() ? "" : ", ") + parameter.name;
  return text;
}

LaunchArgument checkArgument(const KernelSource &source,
                             const TensorParameter &parameter,
                             const SymmetricHeap &heap, const Tensor &tensor) {
  const std::string subject =
      "for '" + parameter.name + "' of kernel '" + source.entry + "'";
  if (tensor.dtype != parameter.dtype || tensor.shape != parameter.shape)
    throw UserError("expected " + describe(parameter.dtype, parameter.shape) +
                    " " + subject + ", got " +
                    describe(tensor.dtype, tensor.shape));
  const int64_t bytes = tensor.numBytes();
  checkMemory(tensor, subject);
  if (reinterpret_cast<uintptr_t>(tensor.data) % accessBytes != 0)
    throw UserError("expected memory aligned to " +
                    std::to_string(accessBytes) + " bytes " + subject +
                    ", got an address that is not");
  const bool isSymmetric =
      tensor.symmetric && heap.contains(tensor.data, bytes);
  if (parameter.symmetric && !isSymmetric)
    throw UserError(
        "expected a tensor of the kernel's symmetric heap " + subject +
        ", got " + (tensor.symmetric ? "one of another heap" : "local memory") +
        "; make it with SymmetricHeap::tensor");
  return {tensor.data, bytes, isSymmetric};
}

} // namespace

void checkMemory(const Tensor &tensor, const std::string &subject) {
  if (!tensor.data && tensor.numBytes() > 0)
    throw UserError("expected memory " + subject + ", got a tensor " +
                    describe(tensor.dtype, tensor.shape) +
                    " without any; make it with World::tensor or "
                    "SymmetricHeap::tensor");
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
  return arguments;
}

} // namespace tilewire
