//===- Diagnostics.cpp - MLIR's diagnostics as Tilewire's errors ----------===//

#include "compiler/Diagnostics.h"

#include "compiler/Locations.h"

#include <tilewire/Error.h>

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tilewire;

std::string tilewire::placePrefix(Location loc) {
  FileLineColLoc place = placeOf(loc);
  if (!place)
    return "";
  if (place.getLine() == 0) // a whole file
    return place.getFilename().str() + ": ";
  return formatPlace(place.getFilename(), place.getLine()) + ":" +
         std::to_string(place.getColumn()) + ": ";
}

DiagnosticKeeper::DiagnosticKeeper(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (first.empty() &&
            diagnostic.getSeverity() == DiagnosticSeverity::Error)
          first = placePrefix(diagnostic.getLocation()) + diagnostic.str();
        return success();
      }) {}

void DiagnosticKeeper::check(LogicalResult result) const {
  if (succeeded(result))
    return;
  if (first.empty())
    throw InternalError("a compiler step failed without saying why");
  throw UserError(first);
}
