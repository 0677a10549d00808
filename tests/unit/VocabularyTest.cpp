//===- VocabularyTest.cpp - errors, element types, shapes -----------------===//

#include <tilewire/Error.h>
#include <tilewire/Tensor.h>

#include <catch2/catch.hpp>

using namespace tilewire;
using Catch::Matchers::Contains;

TEST_CASE("an error keeps its type and message when thrown by kind",
          "[vocabulary]") {
  CHECK_THROWS_AS(throwError(ErrorKind::User, "u"), UserError);
  CHECK_THROWS_AS(throwError(ErrorKind::Machine, "m"), MachineError);
  CHECK_THROWS_AS(throwError(ErrorKind::Internal, "i"), InternalError);
  CHECK_THROWS_WITH(throwError(ErrorKind::Machine, "exact text"),
                    Catch::Equals("exact text"));
  CHECK(std::string(errorPrefix(ErrorKind::User)) == "error: ");
}

TEST_CASE("every element type parses from its own name", "[vocabulary]") {
  for (DataType dtype : allDataTypes) {
    CHECK(parseDataType(name(dtype)) == dtype);
    CHECK((byteWidth(dtype) == 1 || byteWidth(dtype) == 2 ||
           byteWidth(dtype) == 4 || byteWidth(dtype) == 8));
  }
  CHECK(parseDataType("fp16") == DataType::F16);
  CHECK(parseDataType("half") == DataType::F16);
  CHECK(parseDataType("float") == DataType::F32);
  CHECK(parseDataType("uint8") == DataType::U8);
  CHECK(parseDataType("fp8_e4m3") == DataType::F8E4M3);
}

TEST_CASE("an unknown element type is refused with the accepted names",
          "[vocabulary]") {
  for (const char *text : {"", "f17", "F16", "f16 "})
    CHECK_THROWS_WITH(parseDataType(text),
                      Contains("f16, bf16") &&
                          Contains("'" + std::string(text) + "'"));
}

TEST_CASE("a number that is no element type is refused", "[vocabulary]") {
  for (int number : {-1, 11, 99}) {
    const auto dtype = DataType(number);
    CHECK_THROWS_WITH(byteWidth(dtype),
                      Contains("expected a data type (f16, bf16") &&
                          Contains("got " + std::to_string(number)));
    CHECK_THROWS_AS(name(dtype), UserError);
    CHECK_THROWS_AS(checkedNumElements({0}, dtype, "t"), UserError);
  }
}

TEST_CASE("a shape's elements are counted or refused, never wrapped",
          "[vocabulary]") {
  CHECK(checkedNumElements({}, DataType::F32, "t") == 1);
  CHECK(checkedNumElements({2, 3, 4}, DataType::F32, "t") == 24);
  CHECK(checkedNumElements({int64_t(1) << 40, 0, int64_t(1) << 40},
                           DataType::F64, "t") == 0);
  CHECK(checkedNumElements({int64_t(1) << 62}, DataType::I8, "t") == int64_t(1)
                                                                         << 62);
  CHECK_THROWS_WITH(
      checkedNumElements({int64_t(1) << 62, 2}, DataType::I8, "src"),
      Contains("for src, got") && Contains("2]"));
  CHECK_THROWS_AS(checkedNumElements({int64_t(1) << 60}, DataType::F64, "src"),
                  UserError);
  CHECK_THROWS_WITH(checkedNumElements({4, -1}, DataType::F32, "src"),
                    Contains("[4, -1]"));
  CHECK_THROWS_AS(checkedNumElements({0, -1}, DataType::F32, "src"), UserError);
}

TEST_CASE("a shape prints as extents in brackets", "[vocabulary]") {
  CHECK(formatShape({}) == "[]");
  CHECK(formatShape({2, 32, 2048, 128}) == "[2, 32, 2048, 128]");
}
