//===- Nvrtc.cpp - the CUDA run-time compiler, opened at run time ---------===//

#include "runtime/cuda/Nvrtc.h"

#include "runtime/cuda/ToolkitLibrary.h"

#include <tilewire/Error.h>

#include <dlfcn.h>
#include <nvrtc.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

namespace tilewire {

namespace {

#define TW_NVRTC_FUNCTIONS(X)                                                  \
  X(nvrtcVersion)                                                              \
  X(nvrtcGetErrorString)                                                       \
  X(nvrtcGetNumSupportedArchs)                                                 \
  X(nvrtcGetSupportedArchs)                                                    \
  X(nvrtcCreateProgram)                                                        \
  X(nvrtcDestroyProgram)                                                       \
  X(nvrtcCompileProgram)                                                       \
  X(nvrtcGetProgramLogSize)                                                    \
  X(nvrtcGetProgramLog)                                                        \
  X(nvrtcGetCUBINSize)                                                         \
  X(nvrtcGetCUBIN)                                                             \
  X(nvrtcGetPTXSize)                                                           \
  X(nvrtcGetPTX)

struct Nvrtc {
#define TW_DECLARE(function) decltype(&::function) function;
  TW_NVRTC_FUNCTIONS(TW_DECLARE)
#undef TW_DECLARE
  std::string version;
  std::vector<int> architectures;

  void check(const char *call, nvrtcResult result) const {
    if (result != NVRTC_SUCCESS)
      throw MachineError(std::string(call) + ": " +
                         nvrtcGetErrorString(result));
  }
};

/// File name, links followed, and size of the library that holds `address`:
/// they tell patch versions apart, which NVRTC itself does not tell.
std::string describeLibrary(void *address) {
  Dl_info info;
  if (!::dladdr(address, &info))
    return "unknown file";
  std::error_code failed;
  const auto path = std::filesystem::canonical(info.dli_fname, failed);
  const auto size = std::filesystem::file_size(path, failed);
  return path.filename().string() + ", " + std::to_string(size) + " bytes";
}

/// NVRTC opens its builtins by their bare name, which the loader looks for on
/// the library path alone: opened here, from NVRTC's own folder, they answer to
/// that name. Where they are not beside it, NVRTC may know better.
void openBuiltins(void *address, const std::string &version) {
  Dl_info info;
  if (!::dladdr(address, &info))
    return;
  const auto folder = std::filesystem::path(info.dli_fname).parent_path();
  ::dlopen((folder / ("libnvrtc-builtins.so." + version)).c_str(),
           RTLD_NOW | RTLD_LOCAL);
}

Nvrtc openNvrtc() {
  const ToolkitLibrary library(
      {"libnvrtc.so.13", "libnvrtc.so.12"},
      "install the CUDA toolkit's NVRTC or set CUDA_HOME");
  Nvrtc opened;
#define TW_FIND(name) opened.name = library.find<decltype(&::name)>(#name);
  TW_NVRTC_FUNCTIONS(TW_FIND)
#undef TW_FIND
  int major = 0, minor = 0, count = 0;
  opened.check("nvrtcVersion", opened.nvrtcVersion(&major, &minor));
  const std::string version =
      std::to_string(major) + "." + std::to_string(minor);
  void *address = reinterpret_cast<void *>(opened.nvrtcVersion);
  openBuiltins(address, version);
  opened.version = "NVRTC " + version + " (" + describeLibrary(address) + ")";
  opened.check("nvrtcGetNumSupportedArchs",
               opened.nvrtcGetNumSupportedArchs(&count));
  opened.architectures.resize(count);
  opened.check("nvrtcGetSupportedArchs",
               opened.nvrtcGetSupportedArchs(opened.architectures.data()));
  std::sort(opened.architectures.begin(), opened.architectures.end());
  return opened;
}

const Nvrtc &nvrtc() {
  static const Nvrtc opened = openNvrtc();
  return opened;
}

/// One text being compiled.
class Compilation {
public:
  Compilation(const std::string &text, const std::string &name,
              const char *prelude) {
    const char *headers[] = {prelude};
    const char *headerNames[] = {"tilewire/prelude.h"};
    nvrtc().check("nvrtcCreateProgram",
                  nvrtc().nvrtcCreateProgram(&program, text.c_str(),
                                             name.c_str(), 1, headers,
                                             headerNames));
  }
  ~Compilation() { nvrtc().nvrtcDestroyProgram(&program); }
  Compilation(const Compilation &) = delete;
  Compilation &operator=(const Compilation &) = delete;

  /// False when the text is at fault; the log then says why.
  bool compile(const std::vector<std::string> &options) {
    std::vector<const char *> spelled;
    for (const std::string &option : options)
      spelled.push_back(option.c_str());
    const nvrtcResult result = nvrtc().nvrtcCompileProgram(
        program, int(spelled.size()), spelled.data());
    if (result == NVRTC_ERROR_COMPILATION)
      return false;
    if (result == NVRTC_SUCCESS)
      return true;
    std::string message = "nvrtcCompileProgram: " +
                          std::string(nvrtc().nvrtcGetErrorString(result)) +
                          " (" + nvrtc().version + " with";
    for (const std::string &option : options)
      message += " " + option;
    throw MachineError(message + ")");
  }

  std::string log() {
    return read("nvrtcGetProgramLog", nvrtc().nvrtcGetProgramLogSize,
                nvrtc().nvrtcGetProgramLog);
  }
  std::string image(bool machineCode) {
    if (machineCode)
      return read("nvrtcGetCUBIN", nvrtc().nvrtcGetCUBINSize,
                  nvrtc().nvrtcGetCUBIN);
    return read("nvrtcGetPTX", nvrtc().nvrtcGetPTXSize, nvrtc().nvrtcGetPTX);
  }

private:
  std::string read(const char *call, decltype(&::nvrtcGetPTXSize) getSize,
                   decltype(&::nvrtcGetPTX) get) {
    size_t size = 0;
    nvrtc().check(call, getSize(program, &size));
    std::string content(size, '\0');
    nvrtc().check(call, get(program, content.data()));
    return content;
  }

  nvrtcProgram program = nullptr;
};

} // namespace

std::string CompileTarget::name() const {
  if (!machineCode)
    return "compute_" + std::to_string(architecture);
  return "sm_" + std::to_string(architecture) + (architecture >= 90 ? "a" : "");
}

CompileTarget targetFor(int capability) {
  const std::vector<int> &known = nvrtcArchitectures();
  const auto newer = std::upper_bound(known.begin(), known.end(), capability);
  if (newer != known.begin())
    return {*(newer - 1), *(newer - 1) == capability};
  throw MachineError(
      "expected a GPU of compute capability " + std::to_string(known.front()) +
      " or newer (10 * major + "
      "minor; the oldest that " +
      nvrtcVersion() + " compiles for), got " + std::to_string(capability) +
      "; install an older CUDA toolkit");
}

CompileTarget parseTarget(std::string_view text) {
  const bool machineCode = text.starts_with("sm_");
  std::string_view digits = text;
  if (machineCode || text.starts_with("compute_"))
    digits.remove_prefix(text.find('_') + 1);
  if (machineCode && digits.ends_with('a'))
    digits.remove_suffix(1);
  int architecture = 0;
  const auto [end, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), architecture);
  if (digits.size() == text.size() || error != std::errc() ||
      end != digits.data() + digits.size() || architecture <= 0)
    throw UserError("expected an architecture such as sm_90 or compute_90, "
                    "got '" +
                    std::string(text) + "'");
  return {architecture, machineCode};
}

bool hasNvrtc(std::string *reason) {
  try {
    nvrtc();
    return true;
  } catch (const Error &error) {
    if (reason)
      *reason = error.what();
    return false;
  }
}

const std::vector<int> &nvrtcArchitectures() { return nvrtc().architectures; }

const std::string &nvrtcVersion() { return nvrtc().version; }

std::vector<std::string> compileOptions(const CompileTarget &target) {
  // Without contraction, so that both back ends agree bit for bit.
  std::vector<std::string> options = {"--gpu-architecture=" + target.name(),
                                      "--std=c++17", "--fmad=false",
                                      "--generate-line-info"};
  if (target.checks)
    options.push_back("--define-macro=TILEWIRE_CHECKS");
  return options;
}

CompiledText compileForTarget(const std::string &text, const std::string &name,
                              const CompileTarget &target, bool verbose,
                              const char *prelude) {
  std::vector<std::string> options = compileOptions(target);
  options.push_back("--pre-include=tilewire/prelude.h");
  if (verbose)
    options.push_back("--ptxas-options=-v");
  Compilation compilation(text, name, prelude);
  const bool succeeded = compilation.compile(options);
  CompiledText compiled{succeeded, "", compilation.log()};
  compiled.log.resize(compiled.log.find_last_not_of(std::string("\n\0", 2)) +
                      1);
  if (succeeded)
    compiled.image = compilation.image(target.machineCode);
  return compiled;
}

} // namespace tilewire
