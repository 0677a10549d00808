//===- Compiler.h - from a program to CUDA text ---------------------------===//
//
// The whole compiler behind two functions. Needs no GPU and no CUDA. All may be
// called from several threads at once, also with copies of one program.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_COMPILER_H
#define TILEWIRE_COMPILER_H

#include <tilewire/Export.h>
#include <tilewire/KernelSource.h>
#include <tilewire/Program.h>

#include <string>
#include <string_view>
#include <vector>

namespace tilewire {

/// Compiles a program of one kernel. UserError, with the place in the user's
/// program, when a pass refuses it.
TILEWIRE_API KernelSource compile(const Program &program);

/// The program as MLIR text after the pipeline step `stopAfter`, one of
/// pipelineSteps(); UserError that lists them when it is none.
TILEWIRE_API std::string lower(const Program &program,
                               std::string_view stopAfter);

/// Names of the pipeline's steps, in order.
TILEWIRE_API std::vector<std::string> pipelineSteps();

} // namespace tilewire

#endif // TILEWIRE_COMPILER_H
