//===- TileDialect.cpp - the tile dialect, its types and attributes -------===//

#include "dialects/KernelRules.h"
#include "dialects/Tile/Tile.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewire;
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
// Tensors and tiles: `<2x8xf16, symmetric>`
//===----------------------------------------------------------------------===//

namespace {

/// What follows the mnemonic.
struct Spelling {
  SmallVector<int64_t> shape;
  Type elementType;
  bool symmetric = false;
};

FailureOr<Spelling> parseSpelling(AsmParser &parser) {
  Spelling spelling;
  if (parser.parseLess() ||
      parser.parseDimensionList(spelling.shape, /*allowDynamic=*/false) ||
      parser.parseType(spelling.elementType))
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    if (parser.parseKeyword("symmetric"))
      return failure();
    spelling.symmetric = true;
  }
  if (parser.parseGreater())
    return failure();
  return spelling;
}

template <typename TensorOrTile>
void printSpelling(AsmPrinter &printer, TensorOrTile type) {
  printer << '<';
  for (int64_t extent : type.getShape())
    printer << extent << 'x';
  printer << type.getElementType();
  if (type.getSymmetric())
    printer << ", symmetric";
  printer << '>';
}

/// Whether the tensor has fewer than 2^63 bytes, and its strides too: an extent
/// of 0 hides none of the others.
bool isAddressable(ArrayRef<int64_t> shape, Type elementType) {
  int64_t bytes = elementType.getIntOrFloatBitWidth() / 8;
  return llvm::none_of(shape, [&](int64_t extent) {
    return llvm::MulOverflow(bytes, std::max<int64_t>(extent, 1), bytes);
  });
}

} // namespace

Type TileType::parse(AsmParser &parser) {
  const FailureOr<Spelling> spelling = parseSpelling(parser);
  if (failed(spelling))
    return {};
  return get(parser.getContext(), spelling->shape, spelling->elementType,
             spelling->symmetric);
}

void TileType::print(AsmPrinter &printer) const {
  printSpelling(printer, *this);
}

Type tile::TensorType::parse(AsmParser &parser) {
  const SMLoc place = parser.getCurrentLocation();
  const FailureOr<Spelling> spelling = parseSpelling(parser);
  if (failed(spelling))
    return {};
  return parser.getChecked<tile::TensorType>(
      place, parser.getContext(), spelling->shape, spelling->elementType,
      spelling->symmetric);
}

void tile::TensorType::print(AsmPrinter &printer) const {
  printSpelling(printer, *this);
}

LogicalResult
tile::TensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                         ArrayRef<int64_t> shape, Type elementType, bool) {
  if (shape.empty() || shape.size() > size_t(maxTensorRank))
    return emitError() << "expected a tensor of 1 to " << maxTensorRank
                       << " dimensions, got " << shape.size();
  for (int64_t extent : shape)
    if (extent < 0)
      return emitError() << "expected extents from 0, got " << extent;
  if (!isElementType(elementType))
    return emitError() << "expected a tensor of a supported element type, got "
                       << elementType;
  if (!isAddressable(shape, elementType))
    return emitError() << "expected a tensor of fewer than 2^63 bytes, got ["
                       << shape << "] of " << elementType;
  return success();
}

int64_t tile::TensorType::getNumElements() const {
  return ShapedType::getNumElements(getShape());
}

SmallVector<int64_t> tile::TensorType::getStrides() const {
  return computeStrides(getShape());
}
