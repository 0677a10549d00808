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
  const std::string file = place.getFilename().str() + ":";
  if (place.getLine() == 0) // a whole file
    return file + " ";
  return file + std::to_string(place.getLine()) + ":" +
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
