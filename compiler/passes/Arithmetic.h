//===- Arithmetic.h - index arithmetic of lowered transfers ---------------===//
//
// Sums, products and divisions by counts, with names for the text. For the
// lowering of transfers; knows no transfer.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PASSES_ARITHMETIC_H
#define TILEWIRE_COMPILER_PASSES_ARITHMETIC_H

#include "compiler/Locations.h"
#include "compiler/passes/Counts.h"
#include "dialects/Cuda/Cuda.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilewire {

/// Index arithmetic whose results carry names for the text.
class Arithmetic {
public:
  Arithmetic(mlir::OpBuilder &builder, mlir::Operation *op)
      : builder(builder), loc(op->getLoc()),
        numRanks(tile::numRanksAround(op)) {}

  /// The location that names a value.
  mlir::Location named(llvm::StringRef name) const {
    return name.empty() ? loc : generatedName(builder.getStringAttr(name), loc);
  }
  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  mlir::Value add(mlir::Value lhs, mlir::Value rhs, llvm::StringRef name = "") {
    return mlir::arith::AddIOp::create(builder, named(name), lhs, rhs);
  }
  mlir::Value multiply(mlir::Value lhs, const Count &rhs,
                       llvm::StringRef name = "") {
    return rhs.isConstant(1) ? lhs
                             : mlir::arith::MulIOp::create(builder, named(name),
                                                           lhs, value(rhs))
                                   .getResult();
  }
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::MulIOp::create(builder, loc, lhs, rhs);
  }
  /// `known` is the value of `rhs`, if it was computed before.
  mlir::Value divide(mlir::Value lhs, const Count &rhs, mlir::Value known = {},
                     llvm::StringRef name = "") {
    if (rhs.isConstant(1))
      return lhs;
    return marked(mlir::arith::DivUIOp::create(builder, named(name), lhs,
                                               known ? known : value(rhs)),
                  rhs);
  }
  mlir::Value divideCeil(mlir::Value lhs, int64_t rhs,
                         llvm::StringRef name = "") {
    return divide(add(lhs, constant(rhs - 1)), rhs, mlir::Value(), name);
  }
  mlir::Value remainder(mlir::Value lhs, const Count &rhs,
                        mlir::Value known = {}, llvm::StringRef name = "") {
    return marked(mlir::arith::RemUIOp::create(builder, named(name), lhs,
                                               known ? known : value(rhs)),
                  rhs);
  }
  mlir::Value isBelow(mlir::Value lhs, mlir::Value rhs) {
    return mlir::arith::CmpIOp::create(
        builder, loc, mlir::arith::CmpIPredicate::ult, lhs, rhs);
  }

  /// A count in the text.
  mlir::Value value(const Count &count) {
    mlir::Value product;
    for (const CountTerm &term : count.terms) {
      mlir::Value factor = value(term);
      product = product
                    ? mlir::arith::MulIOp::create(builder, loc, product, factor)
                    : factor;
    }
    return product ? multiply(product, count.factor) : constant(count.factor);
  }

private:
  /// The result of `division` by a count, which may be the same all along.
  mlir::Value marked(mlir::Operation *division, const Count &by) {
    if (by.isInvariant())
      division->setAttr(cuda::invariantAttrName, builder.getUnitAttr());
    return division->getResult(0);
  }
  mlir::Value value(const CountTerm &term) {
    if (!term.extent)
      return term.value;
    mlir::Type index = builder.getIndexType();
    const tile::TensorExtent &extent = *term.extent;
    mlir::Value total =
        extent.parameter
            ? cuda::ParameterOp::create(builder, loc, index, extent.parameter)
            : constant(extent.count);
    if (!extent.isShare)
      return total;
    if (term.isLargest)
      return divideCeil(total, numRanks, extent.parameter.str() + "Most");
    mlir::Value rank =
        term.value ? term.value : cuda::RankOp::create(builder, loc, index);
    return shareSize(builder, loc, total, rank, numRanks);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  int64_t numRanks;
};

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PASSES_ARITHMETIC_H
