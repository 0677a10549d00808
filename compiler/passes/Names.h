//===- Names.h - names that generated text can use ------------------------===//
//
// Turns what users call things into identifiers of C++ and CUDA. Used where
// parameters and comments get their names (LowerTileToCuda) and where variables
// and kernels do (LegalizeNames).
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_PASSES_NAMES_H
#define TILEWIRE_COMPILER_PASSES_NAMES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace tilewire {

/// A legal name like `wanted` that is not taken: `wanted` itself where it can
/// be, with a number behind it otherwise.
std::string uniqueName(mlir::StringRef wanted,
                       mlir::function_ref<bool(mlir::StringRef)> isTaken);

/// The names of one kernel's variables, scope by scope. Two variables of one
/// scope, or of nested ones, are never called alike.
class NameScopes {
public:
  void push() { scopes.emplace_back(); }
  void pop() { scopes.pop_back(); }

  /// Keeps `wanted` for what the user called so, wherever it is.
  void keep(mlir::StringRef wanted);

  /// A legal name like `wanted` for a variable of the innermost scope; only one
  /// that `isGiven`, by the user, gets a name that is kept.
  std::string add(mlir::StringRef wanted, bool isGiven);

private:
  struct Scope {
    llvm::StringSet<> names;
    /// The number to try first behind a name that is taken.
    llvm::StringMap<unsigned> nextNumbers;
  };

  bool isTaken(mlir::StringRef name) const;

  std::vector<Scope> scopes;
  llvm::StringSet<> kept;
};

/// Whether `name` is a function or type that CUDA declares outside namespaces,
/// which a local variable may hide and a kernel may not redeclare.
bool isReservedForKernels(mlir::StringRef name);

} // namespace tilewire

#endif // TILEWIRE_COMPILER_PASSES_NAMES_H
