//===- TileParameters.cpp - what launches give kernels beside tensors -----===//

#include "dialects/KernelRules.h"
#include "dialects/Tile/Tile.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tilewire;
using namespace tilewire::tile;

namespace {

/// Whether types can be written with it: a word, and none that begins a type.
bool isParameterName(StringRef name) {
  const auto isWordCharacter = [](char c) {
    return llvm::isAlnum(c) || c == '_';
  };
  if (name.empty() || llvm::isDigit(name.front()) || name == "share" ||
      !llvm::all_of(name, isWordCharacter))
    return false;
  if (llvm::StringSwitch<bool>(name)
          .Cases({"complex", "index", "memref", "none", "tensor"}, true)
          .Cases({"tf32", "tuple", "vector", "graph"}, true)
          .Default(false))
    return false;
  // f16, bf16, f8E4M3FN, i32, si8.
  for (StringRef kind : {"bf", "si", "ui", "f", "i"})
    if (StringRef rest = name; rest.consume_front(kind) && !rest.empty() &&
                               llvm::isDigit(rest.front()))
      return false;
  return true;
}

} // namespace

LogicalResult
ParameterAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      StringAttr name, int64_t most) {
  if (!isParameterName(name))
    return emitError() << "expected a parameter's name to be a word (letters, "
                          "digits and underscores) that is no type, got "
                       << name;
  if (most < 0)
    return emitError() << "expected a parameter " << name
                       << " of at most 0 or more, got " << most;
  return success();
}

LogicalResult tile::verifyParameters(Operation *kernel, ArrayAttr parameters) {
  if (!parameters)
    return success();
  for (Attribute parameter : parameters)
    if (!isa<ParameterAttr>(parameter))
      return kernel->emitOpError()
             << "expected 'parameters' to be of #tile.parameter, got "
             << parameter;
  llvm::StringSet<> names;
  for (auto parameter : parameters.getAsRange<ParameterAttr>()) {
    if (failed(
            verifyNameLength(kernel, "for a parameter", parameter.getName())))
      return failure();
    if (!names.insert(parameter.getName()).second)
      return kernel->emitOpError()
             << "expected parameters of different names, got "
             << parameter.getName() << " twice";
  }
  if (parameters.size() > maxParameters)
    return kernel->emitOpError() << "expected at most " << maxParameters
                                 << " parameters, got " << parameters.size();
  return success();
}

LogicalResult tile::verifyExtents(Operation *kernel, unsigned number,
                                  ArrayRef<TensorExtent> extents,
                                  ArrayAttr parameters) {
  for (const TensorExtent &extent : extents) {
    if (!extent.parameter)
      continue;
    auto wanted = ParameterAttr::get(kernel->getContext(), extent.parameter,
                                     extent.count);
    if (!parameters || !llvm::is_contained(parameters, wanted))
      return kernel->emitOpError()
             << "expected argument " << number
             << " to have extents of declared parameters, got " << wanted
             << " where the kernel's 'parameters' are "
             << (parameters ? Attribute(parameters)
                            : Builder(kernel->getContext()).getArrayAttr({}));
  }
  return success();
}
