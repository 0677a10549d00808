//===- Names.cpp - names that generated text can use ----------------------===//

#include "compiler/passes/Names.h"

#include "dialects/KernelRules.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// Words that nothing can be called: C++'s, CUDA's builtin variables, macros,
/// and what the text itself uses.
constexpr llvm::StringLiteral reservedWords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch "
    "char char8_t char16_t char32_t class compl concept const consteval "
    "constexpr constinit const_cast continue co_await co_return co_yield "
    "decltype default delete do double dynamic_cast else enum explicit "
    "export extern false float for friend goto if inline int long mutable "
    "namespace new noexcept not not_eq nullptr operator or or_eq private "
    "protected public register reinterpret_cast requires return short "
    "signed sizeof static static_assert static_cast struct switch template "
    "this thread_local throw true try typedef typeid typename union "
    "unsigned using virtual void volatile wchar_t while xor xor_eq "
    "threadIdx blockIdx blockDim gridDim warpSize size_t main world tw "
    "linux unix min max NULL assert tilewire std";

/// C and CUDA functions, types and enumerators: "extern C" allows one meaning
/// for each.
constexpr llvm::StringLiteral functions =
    "abs acos acosf acosh acoshf asin asinf asinh asinhf atan atan2 atan2f "
    "atanf atanh atanhf cbrt cbrtf ceil ceilf copysign copysignf cos cosf "
    "cosh coshf cospi cospif erf erfc erfcf erfcinv erfcinvf erfcx erfcxf "
    "erff erfinv erfinvf exp exp10 exp10f exp2 exp2f expf expm1 expm1f fabs "
    "fabsf fdim fdimf floor floorf fma fmaf fmax fmaxf fmin fminf fmod "
    "fmodf frexp frexpf hypot hypotf ilogb ilogbf isfinite isinf isnan j0 "
    "j0f j1 j1f jn jnf labs ldexp ldexpf lgamma lgammaf llabs llmax llmin "
    "llrint llrintf llround llroundf log log10 log10f log1p log1pf log2 "
    "log2f logb logbf logf lrint lrintf lround lroundf modf modff nan nanf "
    "nearbyint nearbyintf nextafter nextafterf norm norm3d norm3df norm4d "
    "norm4df normcdf normcdff normcdfinv normcdfinvf normf pow powf rcbrt "
    "rcbrtf remainder remainderf remquo remquof rhypot rhypotf rint rintf "
    "rnorm rnorm3d rnorm3df rnorm4d rnorm4df rnormf round roundf rsqrt "
    "rsqrtf scalbln scalblnf scalbn scalbnf signbit sin sincos sincosf "
    "sincospi sincospif sinf sinh sinhf sinpi sinpif sqrt sqrtf tan tanf "
    "tanh tanhf tgamma tgammaf trunc truncf ullmax ullmin umax umin y0 y0f "
    "y1 y1f yn ynf clock clock64 memcpy memmove memset memcmp strlen printf "
    "vprintf malloc free abort exit div ldiv lldiv alloca fdivide fdividef "
    "cyl_bessel_i0 cyl_bessel_i0f cyl_bessel_i1 cyl_bessel_i1f va_arg "
    "va_arg_origin va_copy va_end va_list va_start clock_t ptrdiff_t nullptr_t "
    "libraryPropertyType MAJOR_VERSION MINOR_VERSION PATCH_LEVEL CUuuid "
    "CUaccessPolicyWindow atomicAdd atomicCAS "
    "atomicExch atomicMax atomicMin atomicSub atomicAnd atomicOr atomicXor "
    "atomicInc atomicDec";

/// What macros of the prelude, and CUDA's macros, enumerators and types, begin
/// with.
constexpr llvm::StringLiteral prefixes[] = {"TW_", "NV_", "CU_", "CUDA",
                                            "cuda"};

llvm::StringSet<> splitWords(StringRef text) {
  llvm::StringSet<> words;
  for (StringRef word : llvm::split(text, ' '))
    words.insert(word);
  return words;
}

/// "dim3", "float4", "ulonglong2", "double4_16a", ...
bool isVectorType(StringRef name) {
  if (!name.consume_back("_16a"))
    name.consume_back("_32a");
  if (name == "dim3")
    return true;
  if (name.size() < 2 || name.back() < '1' || name.back() > '4')
    return false;
  StringRef element = name.drop_back();
  if (element == "float" || element == "double")
    return true;
  element.consume_front("u");
  return element == "char" || element == "short" || element == "int" ||
         element == "long" || element == "longlong";
}

/// `wanted` with what C++ does not allow replaced, and no longer than users may
/// name things.
std::string legalName(StringRef wanted) {
  static const llvm::StringSet<> reserved = splitWords(reservedWords);
  std::string name;
  for (char c : wanted.take_front(maxNameLength))
    // A name with two underscores, or with one in front, is the compiler's.
    if (llvm::isAlnum(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "v");
  if (llvm::any_of(prefixes, [&](StringRef prefix) {
        return StringRef(name).starts_with(prefix);
      }))
    name.insert(0, "v");
  return reserved.contains(name) ? name + "_" : name;
}

/// "row2", but "dim3_2".
std::string numbered(const std::string &base, unsigned number) {
  return base + (llvm::isDigit(base.back()) ? "_" : "") +
         std::to_string(number);
}

} // namespace

std::string tilewire::uniqueName(StringRef wanted,
                                 function_ref<bool(StringRef)> isTaken) {
  const std::string base = legalName(wanted);
  std::string name = base;
  for (unsigned number = 2; isTaken(name); ++number)
    name = numbered(base, number);
  return name;
}

void NameScopes::keep(StringRef wanted) { kept.insert(legalName(wanted)); }

bool NameScopes::isTaken(StringRef name) const {
  return llvm::any_of(
      scopes, [&](const Scope &scope) { return scope.names.contains(name); });
}

std::string NameScopes::add(StringRef wanted, bool isGiven) {
  const std::string base = legalName(wanted);
  std::string name = base;
  if (isTaken(name) || (!isGiven && kept.contains(name))) {
    unsigned number = 2;
    for (const Scope &scope : scopes)
      number = std::max(number, scope.nextNumbers.lookup(base));
    do
      name = numbered(base, number++);
    while (isTaken(name) || kept.contains(name));
    scopes.back().nextNumbers[base] = number;
  }
  scopes.back().names.insert(name);
  return name;
}

bool tilewire::isReservedForKernels(StringRef name) {
  static const llvm::StringSet<> taken = splitWords(functions);
  return taken.contains(name) || isVectorType(name) ||
         (name.consume_front("make_") && isVectorType(name));
}
