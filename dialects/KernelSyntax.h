//===- KernelSyntax.h - how the dialects' kernels read and print ----------===//
//
// A kernel has the syntax of a function. For the kernel ops of both dialects;
// knows neither.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DIALECTS_KERNELSYNTAX_H
#define TILEWIRE_DIALECTS_KERNELSYNTAX_H

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

namespace tilewire {

/// Refuses an attribute of another type than the op's own, which would be
/// dropped in silence. For ops that parse themselves.
inline mlir::ParseResult checkOwnAttributes(mlir::OpAsmParser &parser,
                                            mlir::OperationState &result) {
  const llvm::SMLoc place = parser.getNameLoc();
  return result.name.verifyInherentAttrs(
      result.attributes, [&] { return parser.emitError(place); });
}

template <typename KernelOp>
mlir::ParseResult parseKernel(mlir::OpAsmParser &parser,
                              mlir::OperationState &result) {
  auto buildType =
      [](mlir::Builder &builder, llvm::ArrayRef<mlir::Type> arguments,
         llvm::ArrayRef<mlir::Type> results,
         mlir::function_interface_impl::VariadicFlag,
         std::string &) { return builder.getFunctionType(arguments, results); };
  return mlir::failure(mlir::function_interface_impl::parseFunctionOp(
                           parser, result, /*allowVariadic=*/false,
                           KernelOp::getFunctionTypeAttrName(result.name),
                           buildType,
                           KernelOp::getArgAttrsAttrName(result.name),
                           KernelOp::getResAttrsAttrName(result.name)) ||
                       checkOwnAttributes(parser, result));
}

template <typename KernelOp>
void printKernel(mlir::OpAsmPrinter &printer, KernelOp kernel) {
  mlir::function_interface_impl::printFunctionOp(
      printer, kernel, /*isVariadic=*/false, kernel.getFunctionTypeAttrName(),
      kernel.getArgAttrsAttrName(), kernel.getResAttrsAttrName());
}

} // namespace tilewire

#endif // TILEWIRE_DIALECTS_KERNELSYNTAX_H
