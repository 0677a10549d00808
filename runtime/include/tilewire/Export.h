//===- Export.h - what the shared libraries show --------------------------===//
//
// The compiler library is built with hidden symbols, so that the MLIR inside it
// never meets another one in the same process; what users call is marked.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_EXPORT_H
#define TILEWIRE_EXPORT_H

#define TILEWIRE_API __attribute__((visibility("default")))

#endif // TILEWIRE_EXPORT_H
