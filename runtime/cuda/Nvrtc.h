//===- Nvrtc.h - the CUDA run-time compiler, opened at run time -----------===//
//
// Compiles generated text, together with the embedded prelude, for one
// architecture. Needs no GPU and no toolkit beyond libnvrtc, which is looked
// for, in this order, as libnvrtc.so.13 and libnvrtc.so.12: on the library
// path; in lib64 and lib of $CUDA_HOME and of $CUDA_PATH; in
// /usr/local/cuda/lib64. Called by the CUDA device and by tilewire-nvrtc;
// knows nothing of devices.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_CUDA_NVRTC_H
#define TILEWIRE_RUNTIME_CUDA_NVRTC_H

#include <string>
#include <string_view>
#include <vector>

namespace tilewire {

/// What stands before every text.
extern const char *const cudaPrelude;

/// What to compile for: machine code of one architecture, or PTX that the
/// driver finishes for an architecture newer than this NVRTC.
struct CompileTarget {
  int architecture; ///< 90 for compute capability 9.0
  bool machineCode; ///< a cubin, else PTX
  /// Whether the text checks what the compiler could not prove.
  bool checks = false;

  /// "sm_90a" or "compute_90": the features of exactly one architecture are
  /// allowed where code runs on no other.
  std::string name() const;
};

/// The best that this NVRTC can do for a device of capability 10 * major +
/// minor. MachineError when the device is older than all it knows.
CompileTarget targetFor(int capability);

/// Parses "sm_90", "sm_90a" or "compute_90"; UserError otherwise.
CompileTarget parseTarget(std::string_view text);

/// Whether NVRTC is found; `reason` tells what was looked for when it isn't.
bool hasNvrtc(std::string *reason = nullptr);

/// Capabilities that NVRTC compiles for, ascending: 75, 80, ...
const std::vector<int> &nvrtcArchitectures();

/// "NVRTC 13.0 (libnvrtc.so.13, 104660648 bytes)": differs by patch version.
const std::string &nvrtcVersion();

/// The options that a text is compiled with, without its name and the prelude.
std::vector<std::string> compileOptions(const CompileTarget &target);

struct CompiledText {
  bool succeeded;
  std::string image; ///< cubin or PTX
  std::string log;   ///< shows the source line of each error
};

/// Compiles `text`, called `name` in the log. `verbose` adds the assembler's
/// count of registers, spills and shared memory to the log. Another `prelude`
/// is for tests.
CompiledText compileForTarget(const std::string &text, const std::string &name,
                              const CompileTarget &target, bool verbose = false,
                              const char *prelude = cudaPrelude);

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_CUDA_NVRTC_H
