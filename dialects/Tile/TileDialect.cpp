//===- TileDialect.cpp - the tile dialect, its types and attributes -------===//

#include "dialects/KernelRules.h"
#include "dialects/Tile/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
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

namespace {

void printExtents(raw_ostream &os, ArrayRef<TensorExtent> extents,
                  StringRef separator) {
  llvm::interleave(
      extents, os,
      [&](const TensorExtent &extent) {
        os << (extent.isShare ? "share(" : "");
        if (extent.parameter)
          os << extent.parameter.getValue() << '[' << extent.count << ']';
        else
          os << extent.count;
        os << (extent.isShare ? ")" : "");
      },
      separator);
}

} // namespace

std::string tilewire::tile::formatExtents(ArrayRef<TensorExtent> extents) {
  std::string list = "[";
  llvm::raw_string_ostream os(list);
  printExtents(os, extents, ", ");
  os << ']';
  return list;
}

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

int64_t tilewire::tile::numRanksAround(Operation *op) {
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  auto numRanks =
      kernel ? kernel->getAttrOfType<IntegerAttr>("num_ranks") : IntegerAttr();
  return numRanks ? numRanks.getInt() : std::numeric_limits<int64_t>::max();
}

std::optional<int64_t> tilewire::tile::mostOfParameter(Operation *op,
                                                       StringAttr name) {
  auto kernel = op->getParentOfType<FunctionOpInterface>();
  auto parameters =
      kernel ? kernel->getAttrOfType<ArrayAttr>("parameters") : ArrayAttr();
  if (parameters)
    for (auto parameter : parameters.getAsRange<ParameterAttr>())
      if (parameter.getName() == name)
        return parameter.getMost();
  return std::nullopt;
}

/// Also of ops that are not verified yet.
Value tilewire::tile::tensorOf(Value view) {
  for (int views = 0; view && views <= maxViews; ++views) {
    if (auto argument = dyn_cast<BlockArgument>(view))
      return isa<FunctionOpInterface>(argument.getOwner()->getParentOp())
                 ? view
                 : Value();
    Operation *op = view.getDefiningOp();
    if (!isa<SliceOp, TransposeOp>(op) || op->getNumOperands() == 0)
      return {};
    view = op->getOperand(0);
  }
  return {};
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
// Tiles: `<1x?x8xf16, symmetric>`
//===----------------------------------------------------------------------===//

namespace {

/// What follows a tile's element type: `, symmetric>`.
FailureOr<bool> parseEnd(AsmParser &parser) {
  const bool symmetric = succeeded(parser.parseOptionalComma());
  if ((symmetric && parser.parseKeyword("symmetric")) || parser.parseGreater())
    return failure();
  return symmetric;
}

void printElements(AsmPrinter &printer, Type elementType, bool symmetric) {
  printer << elementType << (symmetric ? ", symmetric>" : ">");
}

} // namespace

Type TileType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parser.parseType(elementType))
    return {};
  const FailureOr<bool> symmetric = parseEnd(parser);
  if (failed(symmetric))
    return {};
  return get(parser.getContext(), shape, elementType, *symmetric);
}

void TileType::print(AsmPrinter &printer) const {
  printer << '<';
  for (int64_t size : getShape()) {
    if (ShapedType::isDynamic(size))
      printer << "?x";
    else
      printer << size << 'x';
  }
  printElements(printer, getElementType(), getSymmetric());
}

//===----------------------------------------------------------------------===//
// Tensors: `<2xshare(30)x8xf16, symmetric>`
//===----------------------------------------------------------------------===//

namespace {

/// A number, or `S[131072]`.
ParseResult parseCount(AsmParser &parser, TensorExtent &extent) {
  StringRef name;
  if (failed(parser.parseOptionalKeyword(&name)))
    return parser.parseInteger(extent.count);
  extent.parameter = StringAttr::get(parser.getContext(), name);
  return failure(parser.parseLSquare() || parser.parseInteger(extent.count) ||
                 parser.parseRSquare());
}

ParseResult parseExtents(AsmParser &parser, Type &elementType,
                         SmallVectorImpl<TensorExtent> &extents) {
  while (true) {
    SmallVector<int64_t> counts;
    if (parser.parseDimensionList(counts, /*allowDynamic=*/false))
      return failure();
    for (int64_t count : counts)
      extents.push_back({count});
    TensorExtent extent{0};
    if (succeeded(parser.parseOptionalKeyword("share"))) {
      extent.isShare = true;
      if (parser.parseLParen() || parseCount(parser, extent) ||
          parser.parseRParen())
        return failure();
    } else if (OptionalParseResult type = parser.parseOptionalType(elementType);
               type.has_value()) {
      return *type;
    } else if (parseCount(parser, extent)) {
      return failure();
    }
    if (parser.parseXInDimensionList())
      return failure();
    extents.push_back(extent);
  }
}

/// The bytes that a tensor's extents or strides reach; nothing from 2^63 on. An
/// extent of 0 hides none of the others.
std::optional<int64_t> bytesOf(ArrayRef<int64_t> extents,
                               ArrayRef<int64_t> strides, Type elementType) {
  int64_t dense = 1, reach = 0, bytes;
  bool fits = true;
  for (auto [dim, extent] : llvm::enumerate(extents)) {
    const int64_t count = std::max<int64_t>(extent, 1);
    int64_t beyond = 0;
    fits &= !llvm::MulOverflow(dense, count, dense);
    if (!strides.empty())
      fits &= !llvm::MulOverflow(count, strides[dim], beyond) &&
              !llvm::AddOverflow(reach, beyond - strides[dim], reach);
  }
  const int64_t width = elementType.getIntOrFloatBitWidth() / 8;
  fits &= !llvm::MulOverflow(dense, width, bytes);
  if (!strides.empty())
    fits &= !llvm::AddOverflow<int64_t>(reach, 1, reach) &&
            !llvm::MulOverflow(reach, width, bytes);
  return fits ? std::optional(bytes) : std::nullopt;
}

SmallVector<int64_t> countsOf(ArrayRef<TensorExtent> extents) {
  return llvm::map_to_vector(
      extents, [](const TensorExtent &extent) { return extent.count; });
}

/// What follows the element type: `, strides [8, 1], symmetric>`.
ParseResult parseLayout(AsmParser &parser, SmallVectorImpl<int64_t> &strides,
                        bool &symmetric) {
  if (failed(parser.parseOptionalComma()))
    return parser.parseGreater();
  if (succeeded(parser.parseOptionalKeyword("strides"))) {
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
          return parser.parseInteger(strides.emplace_back());
        }))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return parser.parseGreater();
  }
  symmetric = true;
  return failure(parser.parseKeyword("symmetric") || parser.parseGreater());
}

} // namespace

Type tile::TensorType::parse(AsmParser &parser) {
  const SMLoc place = parser.getCurrentLocation();
  SmallVector<TensorExtent> extents;
  SmallVector<int64_t> strides;
  Type elementType;
  bool symmetric = false;
  if (parser.parseLess() || parseExtents(parser, elementType, extents) ||
      parseLayout(parser, strides, symmetric))
    return {};
  return parser.getChecked<tile::TensorType>(
      place, parser.getContext(), extents, elementType, symmetric, strides);
}

void tile::TensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printExtents(printer.getStream(), getExtents(), "x");
  printer << (getExtents().empty() ? "" : "x") << getElementType();
  if (hasStrides()) {
    printer << ", strides [";
    llvm::interleaveComma(getStrides(), printer.getStream());
    printer << ']';
  }
  printer << (getSymmetric() ? ", symmetric>" : ">");
}

LogicalResult
tile::TensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                         ArrayRef<TensorExtent> extents, Type elementType, bool,
                         ArrayRef<int64_t> strides) {
  if (extents.empty() || extents.size() > size_t(maxTensorRank))
    return emitError() << "expected a tensor of 1 to " << maxTensorRank
                       << " dimensions, got " << extents.size();
  for (const TensorExtent &extent : extents)
    if (extent.count < 0)
      return emitError() << "expected extents from 0, got " << extent.count;
  if (!isElementType(elementType))
    return emitError() << "expected a tensor of a supported element type, got "
                       << elementType;
  if (!strides.empty() && strides.size() != extents.size())
    return emitError() << "expected a stride for each of " << extents.size()
                       << " dimensions, got [" << strides << "]";
  for (int64_t stride : strides)
    if (stride < 0)
      return emitError() << "expected strides from 0, got " << stride;
  if (bytesOf(countsOf(extents), strides, elementType))
    return success();
  InFlightDiagnostic error = emitError();
  error << "expected a tensor of fewer than 2^63 bytes, got "
        << formatExtents(extents) << " of " << elementType;
  if (!strides.empty())
    error << " with strides [" << strides << "]";
  return error;
}

int64_t tile::TensorType::mostSpan(int64_t numRanks) const {
  SmallVector<int64_t> most;
  for (const TensorExtent &extent : getExtents())
    most.push_back(extent.most(numRanks));
  if (llvm::is_contained(most, 0))
    return 0;
  return *bytesOf(most, getStrides(), getElementType()) /
         (getElementTypeBitWidth() / 8);
}

bool tile::TensorType::hasDistinctElements(int64_t numRanks) const {
  SmallVector<std::pair<int64_t, int64_t>> dims; // stride and steps
  for (auto [extent, stride] : llvm::zip(getExtents(), getStrides())) {
    const int64_t most = extent.most(numRanks);
    if (most == 0)
      return true;
    if (most > 1)
      dims.push_back({stride, most - 1});
  }
  llvm::sort(dims);
  int64_t reach = 0;
  for (auto [stride, steps] : dims) {
    if (stride <= reach)
      return false;
    reach += stride * steps;
  }
  return true;
}
