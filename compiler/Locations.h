//===- Locations.h - names and places in MLIR's locations -----------------===//
//
// A value's location is the place in the user's program, with the user's name
// around it. For the passes, the emitter and the compiler's errors; knows no
// dialect.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_LOCATIONS_H
#define TILEWIRE_COMPILER_LOCATIONS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/Twine.h"

namespace tilewire {

/// The location within any names.
inline mlir::Location withoutName(mlir::Location loc) {
  while (auto name = mlir::dyn_cast<mlir::NameLoc>(loc))
    loc = name.getChildLoc();
  return loc;
}

/// `place` under a name that the compiler gives, not the user: it gets out of
/// the way of the user's own.
inline mlir::NameLoc generatedName(mlir::StringAttr name,
                                   mlir::Location place) {
  return mlir::NameLoc::get(
      name, mlir::FusedLoc::get({withoutName(place)}, name, name.getContext()));
}

/// Whether generatedName made `loc`.
inline bool isGenerated(mlir::NameLoc loc) {
  auto place = mlir::dyn_cast<mlir::FusedLoc>(loc.getChildLoc());
  return place && place.getMetadata() == loc.getName();
}

/// The first file, line and column; null when none is known.
inline mlir::FileLineColLoc placeOf(mlir::Location loc) {
  return loc->findInstanceOf<mlir::FileLineColLoc>();
}

/// "file:line", as messages and reports name a place of the user's program.
inline std::string formatPlace(llvm::StringRef file, unsigned line) {
  return (file + ":" + llvm::Twine(line)).str();
}

} // namespace tilewire

#endif // TILEWIRE_COMPILER_LOCATIONS_H
