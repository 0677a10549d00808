//===- Diagnostics.cpp - MLIR's diagnostics as Tilewire's errors ----------===//

#include "compiler/Diagnostics.h"

#include "compiler/Locations.h"

#include <tilewire/Error.h>

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// "file:line:column: ", or nothing when the place isn't known.
std::string prefixOf(Location loc) {
  FileLineColLoc place = placeOf(loc);
  if (!place)
    return "";
  return place.getFilename().str() + ":" + std::to_string(place.getLine()) +
         ":" + std::to_string(place.getColumn()) + ": ";
}

} // namespace

DiagnosticKeeper::DiagnosticKeeper(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (first.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          first = prefixOf(diagnostic.getLocation()) + diagnostic.str();
        return success();
      }) {}

void DiagnosticKeeper::check(LogicalResult result) const {
  if (succeeded(result))
    return;
  if (first.empty())
    throw InternalError("a compiler step failed without saying why");
  throw UserError(first);
}
