//===- FileCheck.cpp - checks a text against directives -------------------===//
//
// A command line over LLVM's FileCheck library, for machines that have no LLVM.
// Takes the options that Tilewire's tests use and exits as FileCheck does: 0
// when the input passes, 1 when it does not, 2 when it can't be checked.
//
//===----------------------------------------------------------------------===//

#include "llvm/FileCheck/FileCheck.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

constexpr int exitUnusable = 2;

cl::opt<std::string> checkFileName(cl::Positional, cl::Required,
                                   cl::desc("<file with the directives>"));
cl::opt<std::string> inputFileName("input-file", cl::init("-"),
                                   cl::value_desc("file"),
                                   cl::desc("Text to check (standard input)"));
cl::list<std::string> prefixes("check-prefix", cl::value_desc("name"),
                               cl::desc("Prefix of directives (CHECK)"));
cl::list<std::string> prefixLists("check-prefixes", cl::CommaSeparated,
                                  cl::value_desc("name,..."),
                                  cl::desc("Several prefixes"));
cl::list<std::string> commentPrefixes("comment-prefixes", cl::CommaSeparated,
                                      cl::value_desc("name,..."),
                                      cl::desc("Prefixes of comments"));
cl::list<std::string> defines("D", cl::Prefix, cl::value_desc("name=value"),
                              cl::desc("Defines a variable for patterns"));
cl::list<std::string>
    implicitCheckNot("implicit-check-not", cl::value_desc("pattern"),
                     cl::desc("Refuses this pattern between any two matches"));
cl::opt<bool> strictWhitespace("strict-whitespace",
                               cl::desc("Keeps runs of blanks as they are"));
cl::opt<bool> matchFullLines("match-full-lines",
                             cl::desc("A match takes a whole line"));
cl::opt<bool> ignoreCase("ignore-case", cl::desc("Letters match in any case"));
cl::opt<bool> allowEmpty("allow-empty", cl::desc("Accepts an empty input"));
cl::opt<bool> allowUnusedPrefixes("allow-unused-prefixes",
                                  cl::desc("Accepts prefixes without use"));
cl::opt<bool> enableVarScope("enable-var-scope",
                             cl::desc("CHECK-LABEL forgets local variables"));
cl::opt<bool> verbose("v", cl::desc("Prints every match"));
// Accepted and without effect: a failure prints the directive and the place.
cl::opt<std::string> dumpInput("dump-input", cl::desc("Accepted, ignored"));
cl::opt<std::string> dumpContext("dump-input-context",
                                 cl::desc("Accepted, ignored"));
cl::opt<std::string> dumpFilter("dump-input-filter",
                                cl::desc("Accepted, ignored"));

/// The request that the options make; borrows their strings.
FileCheckRequest makeRequest() {
  FileCheckRequest request;
  for (StringRef prefix : prefixes)
    request.CheckPrefixes.push_back(prefix);
  for (StringRef prefix : prefixLists)
    request.CheckPrefixes.push_back(prefix);
  for (StringRef prefix : commentPrefixes)
    request.CommentPrefixes.push_back(prefix);
  for (StringRef pattern : implicitCheckNot)
    request.ImplicitCheckNot.push_back(pattern);
  for (StringRef define : defines)
    request.GlobalDefines.push_back(define);
  request.NoCanonicalizeWhiteSpace = strictWhitespace;
  request.MatchFullLines = matchFullLines;
  request.IgnoreCase = ignoreCase;
  request.AllowEmptyInput = allowEmpty;
  request.AllowUnusedPrefixes = allowUnusedPrefixes;
  request.EnableVarScope = enableVarScope;
  request.Verbose = verbose;
  return request;
}

/// Gives `fileName` to `sources`, canonical as `check` wants it; the text, or
/// nothing when it can't be read.
std::optional<StringRef> addFile(SourceMgr &sources, FileCheck &check,
                                 StringRef fileName) {
  auto file = MemoryBuffer::getFileOrSTDIN(fileName, /*IsText=*/true);
  if (std::error_code error = file.getError()) {
    errs() << "error: can't read '" << fileName << "': " << error.message()
           << '\n';
    return std::nullopt;
  }
  SmallString<4096> text;
  auto canonical = MemoryBuffer::getMemBufferCopy(
      check.CanonicalizeFile(**file, text), (*file)->getBufferIdentifier());
  StringRef kept = canonical->getBuffer();
  sources.AddNewSourceBuffer(std::move(canonical), SMLoc());
  return kept;
}

} // namespace

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Checks a text against directives\n",
                              /*Errs=*/nullptr, /*VFS=*/nullptr,
                              "FILECHECK_OPTS");
  for (StringRef define : defines)
    if (!define.contains('=') || define.starts_with("=")) {
      errs() << "error: expected name=value after -D, got '" << define << "'\n";
      return exitUnusable;
    }

  FileCheck check(makeRequest());
  if (!check.ValidateCheckPrefixes())
    return exitUnusable;

  SourceMgr sources;
  std::optional<StringRef> directives = addFile(sources, check, checkFileName);
  if (!directives || check.readCheckFile(sources, *directives))
    return exitUnusable;
  std::optional<StringRef> input = addFile(sources, check, inputFileName);
  if (!input)
    return exitUnusable;
  if (input->empty() && !allowEmpty) {
    errs() << "error: '" << inputFileName
           << "' is empty, pass --allow-empty where that is meant\n";
    return exitUnusable;
  }

  std::vector<FileCheckDiag> diagnostics;
  return check.checkInput(sources, *input, &diagnostics) ? EXIT_SUCCESS
                                                         : EXIT_FAILURE;
}
