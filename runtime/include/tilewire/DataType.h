//===- DataType.h - element types -----------------------------------------===//
//
// The element types of tensors: their width, their names and their spelling on
// a command line. Part of the vocabulary shared by compiler and runtime; knows
// neither MLIR nor CUDA.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DATATYPE_H
#define TILEWIRE_DATATYPE_H

#include <array>
#include <string>
#include <string_view>

namespace tilewire {

/// Element type of a tensor. A move depends on its width alone.
enum class DataType {
  F16,
  BF16,
  F32,
  F64,
  I8,
  U8,
  I16,
  I32,
  I64,
  F8E4M3,
  F8E5M2,
};

/// Every element type, in declaration order.
inline constexpr std::array<DataType, 11> allDataTypes = {
    DataType::F16, DataType::BF16,   DataType::F32,   DataType::F64,
    DataType::I8,  DataType::U8,     DataType::I16,   DataType::I32,
    DataType::I64, DataType::F8E4M3, DataType::F8E5M2};

/// Bytes of one element: 1, 2, 4 or 8; UserError for what is none of the
/// enumeration's values.
int byteWidth(DataType dtype);

/// Short name: "f16", "bf16", ..., "f8e4m3"; UserError alike.
std::string_view name(DataType dtype);

/// Parses a short name or a usual alias ("fp16", "half", "float", "uint8",
/// "fp8_e4m3"); throws UserError with the list of accepted names.
DataType parseDataType(std::string_view text);

} // namespace tilewire

#endif // TILEWIRE_DATATYPE_H
