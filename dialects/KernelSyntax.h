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

template <typename KernelOp>
mlir::ParseResult parseKernel(mlir::OpAsmParser &parser,
                              mlir::OperationState &result) {
  auto buildType =
      [](mlir::Builder &builder, llvm::ArrayRef<mlir::Type> arguments,
         llvm::ArrayRef<mlir::Type> results,
         mlir::function_interface_impl::VariadicFlag,
         std::string &) { return builder.getFunctionType(arguments, results); };
  return mlir::function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      KernelOp::getFunctionTypeAttrName(result.name), buildType,
      KernelOp::getArgAttrsAttrName(result.name),
      KernelOp::getResAttrsAttrName(result.name));
}

template <typename KernelOp>
void printKernel(mlir::OpAsmPrinter &printer, KernelOp kernel) {
  mlir::function_interface_impl::printFunctionOp(
      printer, kernel, /*isVariadic=*/false, kernel.getFunctionTypeAttrName(),
      kernel.getArgAttrsAttrName(), kernel.getResAttrsAttrName());
}

} // namespace tilewire

#endif // TILEWIRE_DIALECTS_KERNELSYNTAX_H
