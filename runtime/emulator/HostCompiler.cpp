//===- HostCompiler.cpp - generated text to a shared object ---------------===//

#include "runtime/emulator/HostCompiler.h"

#include "runtime/WaitStatus.h"
#include "runtime/emulator/HostMemory.h"
#include "runtime/emulator/StackPool.h"

#include <tilewire/Error.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace tilewire {

extern const char *const emulatorPrelude;

namespace emulator {

namespace {

// It takes no longer than starting a program does, and every rank waits.
constexpr std::chrono::milliseconds versionLimit{20000};

std::vector<std::string> splitWords(const std::string &text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

std::string joinWords(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : " ") + word;
  return text;
}

bool isExecutable(const std::string &path) {
  return ::access(path.c_str(), X_OK) == 0;
}

/// The file that running `program` would run.
std::optional<std::string> findProgram(const std::string &program) {
  if (program.find('/') != std::string::npos)
    return isExecutable(program) ? std::optional(program) : std::nullopt;
  // $PATH: where the emulator's C++ compiler is looked for.
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (isExecutable(folder + "/" + program))
      return folder + "/" + program;
  return std::nullopt;
}

/// The compiler, and options that come with it in its variable.
std::vector<std::string> findCompiler() {
  // $TILEWIRE_CXX, $CXX: the C++ compiler of the emulator, with options that it
  // is always given; the first that is set and not empty. Without either,
  // `c++`, `g++` and `clang++` are looked for on the `PATH`.
  for (const char *variable : {"TILEWIRE_CXX", "CXX"}) {
    const char *value = std::getenv(variable);
    std::vector<std::string> words = splitWords(value ? value : "");
    if (words.empty())
      continue;
    std::optional<std::string> found = findProgram(words[0]);
    if (!found)
      throw UserError(std::string("expected a C++ compiler in ") + variable +
                      ", got '" + value +
                      "', which is no program; correct or unset it");
    words[0] = *found;
    return words;
  }
  for (const char *program : {"c++", "g++", "clang++"})
    if (std::optional<std::string> found = findProgram(program))
      return {*found};
  throw UserError("expected a C++ compiler for the emulator, got none: "
                  "TILEWIRE_CXX and CXX are not set and c++, g++ and clang++ "
                  "are not on the PATH; install g++ or set TILEWIRE_CXX");
}

std::string elementType(const TensorParameter &parameter) {
  return "tw::b" + std::to_string(8 * byteWidth(parameter.dtype));
}

/// What Module calls: unpacks the arguments for the entry. No kernel's name is
/// that of C++'s implementation, and the entry may be called as a parameter is.
std::string makeTrampoline(const KernelSource &source) {
  std::string call = "::" + source.entry + "(world";
  const std::size_t numTensors = source.parameters.size();
  for (std::size_t i = 0; i < numTensors; ++i)
    call += ", reinterpret_cast<" + elementType(source.parameters[i]) +
            " *>(arguments[" + std::to_string(i) + "])";
  for (std::size_t i = 0; i < source.launchParameters.size(); ++i)
    call += ", arguments[" + std::to_string(numTensors + i) + "]";
  return "extern \"C\" __attribute__((visibility(\"default\"))) void\n"
         "__tilewire_call(const tw::World &world, const size_t *arguments) {\n"
         "  " +
         call + ");\n}\n";
}

/// Names of the text and of the trampoline in the compiler's messages.
std::string textName(const KernelSource &source) {
  return source.entry + ".cu";
}
std::string trampolineName(const KernelSource &source) {
  return "arguments of " + source.entry;
}

/// Whether the compiler read the text and found it wrong. One that was killed,
/// met a bug of its own or does not know an option ends otherwise or does not
/// name the text.
bool isRefused(const ChildResult &result, const KernelSource &source) {
  const auto names = [&](const std::string &file) {
    return result.output.find(file + ":") != std::string::npos;
  };
  return WIFEXITED(result.status) && WEXITSTATUS(result.status) == 1 &&
         (names(textName(source)) || names(trampolineName(source)));
}

std::string joinedText(const KernelSource &source) {
  return "#line 1 \"Prelude.h\"\n" + std::string(emulatorPrelude) +
         "\n#line 1 \"" + textName(source) + "\"\n" + source.text +
         "\n#line 1 \"" + trampolineName(source) + "\"\n" +
         makeTrampoline(source);
}

std::string lineOf(const std::string &text, std::size_t number) {
  std::istringstream stream(text);
  std::string line;
  for (std::size_t i = 0; i < number && std::getline(stream, line); ++i)
    ;
  return line;
}

/// The line of the text at which the log's first error points, or nothing.
std::string offendingLine(const std::string &log, const KernelSource &source) {
  const std::size_t error = log.find(" error: ");
  if (error == std::string::npos)
    return "";
  const std::size_t begin = log.rfind('\n', error) + 1;
  const std::string prefix = textName(source) + ":";
  if (log.compare(begin, prefix.size(), prefix) != 0)
    return "";
  const std::size_t number =
      std::strtoul(log.c_str() + begin + prefix.size(), nullptr, 10);
  return "\nline " + std::to_string(number) + ": " +
         lineOf(source.text, number);
}

} // namespace

HostCompiler::HostCompiler(std::chrono::milliseconds limit)
    : limit(limit), command(findCompiler()), given(joinWords(command)) {
  std::vector<std::string> question = command;
  question.push_back("--version");
  FileDescriptor unused = makeMemoryFile("tilewire-unused");
  const ChildResult answer =
      runChild(question, "", unused.get(), std::min(limit, versionLimit));
  if (answer.status != 0)
    throw UserError("expected a C++ compiler that answers --version, got '" +
                    given + "', which ended with " +
                    describeWaitStatus(answer.status) +
                    " and said: " + answer.output);
  version = answer.output;

  for (const char *option :
       {"-std=c++20", "-O2", "-fPIC", "-shared", "-pipe", "-fvisibility=hidden",
        "-ffp-contract=off", "-fno-strict-aliasing", "-Wno-unknown-pragmas",
        "-fsanitize=integer-divide-by-zero",
        "-fno-sanitize-recover=integer-divide-by-zero"})
    command.push_back(option);
  // A frame too large for a fiber's stack is an error, here and not there.
  const std::string frame = std::to_string(maxFrameBytes);
  const bool isClang = version.find("clang") != std::string::npos;
  command.push_back("-Wframe-larger-than=" + frame);
  command.push_back("-Werror=frame-larger-than" + (isClang ? "" : "=" + frame));
  // The prelude is the sanitizer's runtime. g++ would link its own as well,
  // which need not be installed; clang++ leaves that to programs.
  if (!isClang) {
    command.push_back("-nodefaultlibs");
    libraries = {"-lc", "-lgcc"};
  }
}

std::string HostCompiler::key() const {
  std::string key = "emulator\n" + version;
  for (const std::string &word : command)
    key += word + "\n";
  return key + emulatorPrelude;
}

HostCompiler::Outcome HostCompiler::run(const std::string &text) const {
  FileDescriptor image = makeMemoryFile("tilewire-image");
  std::vector<std::string> words = command;
  for (const std::string &word :
       {std::string("-o"), "/proc/self/fd/" + std::to_string(sharedFileInChild),
        std::string("-xc++"), std::string("-")})
    words.push_back(word);
  words.insert(words.end(), libraries.begin(), libraries.end());
  ChildResult result = runChild(words, text, image.get(), limit);
  return {std::move(result), readMemoryFile(image.get())};
}

std::string HostCompiler::compile(const KernelSource &source) const {
  Outcome outcome = run(joinedText(source));
  const auto &[status, log] = outcome.result;
  if (status == 0 && !outcome.image.empty())
    return std::move(outcome.image);
  // Options of the user's may break every text; then the prelude alone too.
  if (isRefused(outcome.result, source) &&
      run(emulatorPrelude).result.status == 0)
    throw InternalError("expected text that " + command[0] +
                        " accepts for kernel '" + source.entry +
                        "', got these errors:\n" + log +
                        offendingLine(log, source));
  throw MachineError(
      "expected '" + given + "' to compile kernel '" + source.entry +
      "', got " + describeWaitStatus(status) +
      (status == 0 ? " and no image" : "") +
      "; check the compiler and the options in TILEWIRE_CXX or CXX" +
      (log.empty() ? "" : "; it said:\n" + log));
}

} // namespace emulator
} // namespace tilewire
