//===- LegalizeNames.cpp - variables and their names ----------------------===//

#include "compiler/passes/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace tilewire {
#define GEN_PASS_DEF_LEGALIZENAMES
#include "compiler/passes/Passes.h.inc"
} // namespace tilewire

using namespace mlir;
using namespace tilewire;

namespace {

/// Words that a variable can't be called: C++'s, CUDA's builtin variables, and
/// what the text itself uses.
bool isReserved(StringRef name) {
  static const llvm::StringSet<> words = [] {
    llvm::StringSet<> set;
    for (StringRef word : {"alignas",       "alignof",     "and",
                           "and_eq",        "asm",         "auto",
                           "bitand",        "bitor",       "bool",
                           "break",         "case",        "catch",
                           "char",          "char8_t",     "char16_t",
                           "char32_t",      "class",       "compl",
                           "concept",       "const",       "consteval",
                           "constexpr",     "constinit",   "const_cast",
                           "continue",      "co_await",    "co_return",
                           "co_yield",      "decltype",    "default",
                           "delete",        "do",          "double",
                           "dynamic_cast",  "else",        "enum",
                           "explicit",      "export",      "extern",
                           "false",         "float",       "for",
                           "friend",        "goto",        "if",
                           "inline",        "int",         "long",
                           "mutable",       "namespace",   "new",
                           "noexcept",      "not",         "not_eq",
                           "nullptr",       "operator",    "or",
                           "or_eq",         "private",     "protected",
                           "public",        "register",    "reinterpret_cast",
                           "requires",      "return",      "short",
                           "signed",        "sizeof",      "static",
                           "static_assert", "static_cast", "struct",
                           "switch",        "template",    "this",
                           "thread_local",  "throw",       "true",
                           "try",           "typedef",     "typeid",
                           "typename",      "union",       "unsigned",
                           "using",         "virtual",     "void",
                           "volatile",      "wchar_t",     "while",
                           "xor",           "xor_eq",      "threadIdx",
                           "blockIdx",      "blockDim",    "gridDim",
                           "warpSize",      "size_t",      "main",
                           "world",         "tw",          "linux",
                           "unix",          "tilewire",    "std"})
      set.insert(word);
    return set;
  }();
  return words.contains(name);
}

/// `wanted` with what C++ does not allow replaced.
std::string legal(StringRef wanted) {
  std::string name;
  for (char c : wanted)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "v");
  // Names with two underscores, or one and a capital, are the compiler's.
  while (StringRef(name).contains("__"))
    name.erase(name.find("__"), 1);
  if (name.front() == '_')
    name.erase(0, 1);
  if (name.empty() || llvm::isDigit(name.front()))
    name.insert(0, "v");
  // Macros of the prelude, and of host compilers, are in capitals.
  if (isReserved(name) || StringRef(name).starts_with("TW_"))
    name += '_';
  return name;
}

std::optional<StringRef> givenName(Location loc) {
  auto name = dyn_cast<NameLoc>(loc);
  return name ? std::optional<StringRef>(name.getName().getValue())
              : std::nullopt;
}

Location withoutName(Location loc) {
  while (auto name = dyn_cast<NameLoc>(loc))
    loc = name.getChildLoc();
  return loc;
}

/// The name of a variable that must be there and that nobody named.
StringRef defaultName(Operation *op) {
  if (isa<cuda::OnPeerOp>(op))
    return "remote";
  if (isa<cuda::LoadOp, cuda::GetOp>(op))
    return "element";
  if (isa<cuda::RegistersOp>(op))
    return "held";
  if (isa<arith::CmpIOp>(op))
    return "condition";
  return "index";
}

/// Whether the text spells `op` where it is used, whoever named it.
bool isAlwaysInline(Operation *op) {
  return isa<arith::ConstantOp, cuda::ThreadIndexOp, cuda::BlockIndexOp,
             cuda::NumBlocksOp, cuda::RankOp>(op);
}

/// Whether `op`, which nobody named, can be spelled at its only use.
bool canInline(Operation *op) {
  if (!op->getResult(0).hasOneUse())
    return false;
  Operation *user = *op->user_begin();
  // A read may not move past other statements.
  if (!isPure(op))
    return user == op->getNextNode();
  return user->getBlock() == op->getBlock() && !isa<scf::ForOp>(user);
}

bool needsVariable(Operation *op) {
  if (op->getNumResults() != 1 || isAlwaysInline(op))
    return false;
  if (isa<cuda::RegistersOp>(op) || givenName(op->getLoc()))
    return true;
  return !canInline(op);
}

/// Names the variables of one kernel, scope by scope.
class Naming {
public:
  void run(cuda::KernelOp kernel) {
    scopes.emplace_back();
    for (auto [number, argument] :
         llvm::enumerate(kernel.getBody().getArguments())) {
      const std::string name = unique(kernel.getParameterName(number));
      setName(argument, name);
      kernel.setArgAttr(number, tile::nameAttrName,
                        StringAttr::get(kernel.getContext(), name));
    }
    nameBlock(kernel.getBody().front());
    scopes.pop_back();
  }

private:
  void nameBlock(Block &block) {
    for (Operation &op : block) {
      nameResult(op);
      for (Region &region : op.getRegions()) {
        scopes.emplace_back();
        for (Block &inner : region) {
          for (Value argument : inner.getArguments())
            setName(argument,
                    unique(givenName(argument.getLoc()).value_or("i")));
          nameBlock(inner);
        }
        scopes.pop_back();
      }
    }
  }

  void nameResult(Operation &op) {
    if (op.getNumResults() != 1)
      return;
    if (!needsVariable(&op)) {
      op.setLoc(withoutName(op.getLoc()));
      return;
    }
    auto given = givenName(op.getLoc());
    setName(op.getResult(0), unique(given.value_or(defaultName(&op))));
  }

  /// A legal name like `wanted` that no enclosing scope has.
  std::string unique(StringRef wanted) {
    const std::string base = legal(wanted);
    std::string name = base;
    for (int number = 2; isTaken(name); ++number)
      name = base + std::to_string(number);
    scopes.back().insert(name);
    return name;
  }

  bool isTaken(StringRef name) const {
    return llvm::any_of(
        scopes, [&](const auto &scope) { return scope.contains(name); });
  }

  void setName(Value value, StringRef name) {
    value.setLoc(NameLoc::get(StringAttr::get(value.getContext(), name),
                              withoutName(value.getLoc())));
  }

  SmallVector<llvm::StringSet<>> scopes;
};

struct LegalizeNamesPass
    : tilewire::impl::LegalizeNamesBase<LegalizeNamesPass> {
  void runOnOperation() override {
    llvm::StringSet<> kernels;
    for (auto kernel : getOperation().getOps<cuda::KernelOp>()) {
      const std::string base = legal(kernel.getSymName());
      std::string name = base;
      for (int number = 2; !kernels.insert(name).second; ++number)
        name = base + std::to_string(number);
      kernel.setSymName(name);
      Naming().run(kernel);
    }
  }
};

} // namespace
