//===- HostCompiler.h - tests that need a C++ compiler --------------------===//
//
// Whether kernels can run on the emulator here. For the entries of the test
// programs, which run on machines without a compiler, too.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_HOSTCOMPILER_H
#define TILEWIRE_TESTS_HOSTCOMPILER_H

#include "runtime/Device.h"

#include <tilewire/Error.h>

#include <string>

namespace tilewire::test {

/// Why the emulator can't compile kernels on this machine; empty when it can.
inline std::string whyNoHostCompiler() {
  try {
    openEmulatorDevice(/*rank=*/0, /*seed=*/0)->compileKey();
    return "";
  } catch (const UserError &error) {
    return error.what();
  }
}

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_HOSTCOMPILER_H
