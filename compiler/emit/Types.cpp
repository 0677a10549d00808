//===- Types.cpp - types as C++ -------------------------------------------===//

#include "compiler/emit/Types.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// "tw::b16": an element of that many bits.
std::string elementSpelling(unsigned bits) {
  return "tw::b" + std::to_string(bits);
}

} // namespace

std::string tilewire::vectorSpelling(cuda::VecType type) {
  return "tw::Vector<" + elementSpelling(type.getBits()) + ", " +
         std::to_string(type.getCount()) + ">";
}

std::string tilewire::pointerSpelling(cuda::PtrType type, bool readOnly) {
  return (readOnly ? "const " : "") + elementSpelling(type.getBits()) + " *";
}

std::string tilewire::declarationPrefix(Type type) {
  return TypeSwitch<Type, std::string>(type)
      .Case([](IntegerType integer) {
        if (integer.getWidth() == 1)
          return "const bool ";
        return integer.getWidth() == 32 ? "const unsigned " : "const size_t ";
      })
      .Case([](cuda::DivisorType) { return "const tw::Divisor "; })
      .Case([](cuda::VecType vector) {
        return "const " + vectorSpelling(vector) + " ";
      })
      .Case([](cuda::PtrType pointer) {
        return pointerSpelling(pointer, /*readOnly=*/false) + "const ";
      })
      .Default([](Type) -> std::string {
        llvm_unreachable("checked to be printable");
      });
}
