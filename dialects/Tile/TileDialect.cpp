//===- TileDialect.cpp - the tile dialect, its types and attributes -------===//

#include "dialects/KernelRules.h"
#include "dialects/Tile/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewire::tile;

#include "dialects/Tile/TileDialect.cpp.inc"
#include "dialects/Tile/TileEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Tile/TileAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Tile/TileTypes.cpp.inc"

void TileDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Tile/TileAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Tile/TileTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/TileOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Questions about tensors
//===----------------------------------------------------------------------===//

bool tilewire::tile::isElementType(Type type) {
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float8E4M3FNType,
          Float8E5M2Type>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.isSigned())
    return false;
  const unsigned width = integer.getWidth();
  if (integer.isUnsigned())
    return width == 8;
  return width == 8 || width == 16 || width == 32 || width == 64;
}

namespace {

/// Whether the tensor has fewer than 2^63 bytes, and its strides too: an extent
/// of 0 hides none of the others.
bool isAddressable(MemRefType tensor) {
  int64_t bytes = tensor.getElementTypeBitWidth() / 8;
  for (int64_t extent : tensor.getShape())
    if (llvm::MulOverflow(bytes, std::max<int64_t>(extent, 1), bytes))
      return false;
  return true;
}

} // namespace

bool tilewire::tile::isTensorType(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && memref.hasStaticShape() && memref.getRank() > 0 &&
         memref.getRank() <= maxTensorRank && memref.getLayout().isIdentity() &&
         isElementType(memref.getElementType()) && isAddressable(memref) &&
         (!memref.getMemorySpace() ||
          isa<SymmetricAttr>(memref.getMemorySpace()));
}

bool tilewire::tile::isSymmetric(MemRefType tensor) {
  return isa_and_nonnull<SymmetricAttr>(tensor.getMemorySpace());
}

bool tilewire::tile::mayAlias(Value tensor, Value other) {
  auto saysSo = [](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    auto kernel =
        argument
            ? dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp())
            : FunctionOpInterface();
    return kernel &&
           kernel.getArgAttr(argument.getArgNumber(), mayAliasAttrName);
  };
  return tensor == other || (saysSo(tensor) && saysSo(other));
}

bool tilewire::tile::isPermutation(ArrayRef<int64_t> permutation,
                                   int64_t rank) {
  if (int64_t(permutation.size()) != rank)
    return false;
  llvm::SmallBitVector seen(rank);
  for (int64_t dim : permutation) {
    if (dim < 0 || dim >= rank || seen[dim])
      return false;
    seen.set(dim);
  }
  return true;
}

SmallVector<int64_t> tilewire::tile::permute(ArrayRef<int64_t> values,
                                             ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> permuted;
  for (int64_t dim : permutation)
    permuted.push_back(values[dim]);
  return permuted;
}

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t vector, int64_t unroll, Order) {
  if (vector < 1 || vector > 16 || (vector & (vector - 1)) != 0)
    return emitError() << "expected 'vector' to be 1, 2, 4, 8 or 16, got "
                       << vector;
  if (unroll < 1 || unroll > 32)
    return emitError() << "expected 'unroll' from 1 to 32, got " << unroll;
  return success();
}

//===----------------------------------------------------------------------===//
// TileType: `tile.tile<2x8xf16, symmetric>`
//===----------------------------------------------------------------------===//

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  bool symmetric = false;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType))
    return {};
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("symmetric"))
      return {};
    symmetric = true;
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), shape, elementType, symmetric);
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t extent : getShape())
    printer << extent << 'x';
  printer << getElementType();
  if (getSymmetric())
    printer << ", symmetric";
  printer << '>';
}
