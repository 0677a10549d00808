//===- ElementTypes.cpp - element types and their MLIR types --------------===//

#include "dialects/Tile/ElementTypes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;

Type tilewire::tile::elementTypeOf(MLIRContext *context, DataType dtype) {
  switch (dtype) {
  case DataType::F16:
    return Float16Type::get(context);
  case DataType::BF16:
    return BFloat16Type::get(context);
  case DataType::F32:
    return Float32Type::get(context);
  case DataType::F64:
    return Float64Type::get(context);
  case DataType::I8:
    return IntegerType::get(context, 8);
  case DataType::U8:
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  case DataType::I16:
    return IntegerType::get(context, 16);
  case DataType::I32:
    return IntegerType::get(context, 32);
  case DataType::I64:
    return IntegerType::get(context, 64);
  case DataType::F8E4M3:
    return Float8E4M3FNType::get(context);
  case DataType::F8E5M2:
    return Float8E5M2Type::get(context);
  }
  llvm_unreachable("every element type has a case");
}

tilewire::DataType tilewire::tile::dataTypeOf(Type type) {
  for (DataType dtype : allDataTypes)
    if (elementTypeOf(type.getContext(), dtype) == type)
      return dtype;
  llvm_unreachable("not an element type");
}
