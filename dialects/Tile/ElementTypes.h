//===- ElementTypes.h - element types and their MLIR types ----------------===//
//
// The one table between the vocabulary's DataType and MLIR's types, for the
// builder and the emitter.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_DIALECTS_ELEMENTTYPES_H
#define TILEWIRE_DIALECTS_ELEMENTTYPES_H

#include <tilewire/DataType.h>

#include "mlir/IR/Types.h"

namespace tilewire::tile {

/// The MLIR type of an element. i8, i16, i32 and i64 are signless, u8 is
/// unsigned.
mlir::Type elementTypeOf(mlir::MLIRContext *context, DataType dtype);

/// The inverse; `type` must be an element type (isElementType).
DataType dataTypeOf(mlir::Type type);

} // namespace tilewire::tile

#endif // TILEWIRE_DIALECTS_ELEMENTTYPES_H
