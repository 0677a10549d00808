//===- DataType.cpp - element types ---------------------------------------===//

#include <tilewire/DataType.h>
#include <tilewire/Error.h>

#include <iterator>

namespace tilewire {
namespace {

struct Description {
  DataType dtype;
  std::string_view name;
  int byteWidth;
};

// In declaration order, so that an element type is its own index.
constexpr Description descriptions[] = {
    {DataType::F16, "f16", 2},       {DataType::BF16, "bf16", 2},
    {DataType::F32, "f32", 4},       {DataType::F64, "f64", 8},
    {DataType::I8, "i8", 1},         {DataType::U8, "u8", 1},
    {DataType::I16, "i16", 2},       {DataType::I32, "i32", 4},
    {DataType::I64, "i64", 8},       {DataType::F8E4M3, "f8e4m3", 1},
    {DataType::F8E5M2, "f8e5m2", 1},
};

constexpr bool isInDeclarationOrder() {
  for (size_t i = 0; i < allDataTypes.size(); ++i)
    if (descriptions[i].dtype != allDataTypes[i] ||
        size_t(allDataTypes[i]) != i)
      return false;
  return std::size(descriptions) == allDataTypes.size();
}
static_assert(isInDeclarationOrder());

struct Alias {
  std::string_view text;
  DataType dtype;
};

constexpr Alias aliases[] = {
    {"fp16", DataType::F16},
    {"half", DataType::F16},
    {"float16", DataType::F16},
    {"bfloat16", DataType::BF16},
    {"fp32", DataType::F32},
    {"float", DataType::F32},
    {"float32", DataType::F32},
    {"fp64", DataType::F64},
    {"double", DataType::F64},
    {"float64", DataType::F64},
    {"int8", DataType::I8},
    {"uint8", DataType::U8},
    {"int16", DataType::I16},
    {"int32", DataType::I32},
    {"int64", DataType::I64},
    {"fp8_e4m3", DataType::F8E4M3},
    {"float8_e4m3", DataType::F8E4M3},
    {"fp8_e5m2", DataType::F8E5M2},
    {"float8_e5m2", DataType::F8E5M2},
};

/// "f16, bf16, ...".
std::string listNames() {
  std::string names;
  for (const Description &description : descriptions) {
    names += names.empty() ? "" : ", ";
    names += description.name;
  }
  return names;
}

/// A number from outside may be none of the enumeration's.
const Description &describe(DataType dtype) {
  if (size_t(dtype) >= std::size(descriptions))
    throw UserError("expected a data type (" + listNames() + "), got " +
                    std::to_string(int(dtype)));
  return descriptions[size_t(dtype)];
}

} // namespace

int byteWidth(DataType dtype) { return describe(dtype).byteWidth; }

std::string_view name(DataType dtype) { return describe(dtype).name; }

DataType parseDataType(std::string_view text) {
  for (const Description &description : descriptions)
    if (text == description.name)
      return description.dtype;
  for (const Alias &alias : aliases)
    if (text == alias.text)
      return alias.dtype;
  throw UserError("expected an element type (" + listNames() + "), got '" +
                  std::string(text) + "'");
}

} // namespace tilewire
