//===- LeftOut.cpp - a kernel without one of its syncs or barriers --------===//

#include "LeftOut.h"

#include <regex>

namespace tilewire::test {

namespace {

constexpr uint64_t numSeeds = 20;

std::vector<Statement> findAll(const std::string &text, const char *pattern) {
  std::vector<Statement> found;
  const std::regex regex(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end;
       ++at)
    found.push_back({size_t(at->position()), size_t(at->length())});
  return found;
}

/// Whether any of some seeds shows a difference, or an error.
bool isCaught(const KernelSource &source, const Memory &memory,
              const Memory &expected) {
  for (uint64_t seed = 1; seed <= numSeeds; ++seed)
    try {
      if (!differenceAfter(source, memory, expected, {.emulatorSeed = seed})
               .empty())
        return true;
    } catch (const std::exception &) {
      return true;
    }
  return false;
}

} // namespace

std::vector<Statement> findSyncs(const std::string &text) {
  return findAll(text, R"(__syncthreads\(\);)");
}

std::vector<Statement> findBarriers(const std::string &text) {
  return findAll(text, R"(if \(!tw::barrierAll\(world, \d+\)\)\s+return;)");
}

std::string textWithNeedless(const KernelSource &source, const Memory &memory,
                             const Memory &expected) {
  std::vector<Statement> statements = findSyncs(source.text);
  for (const Statement &barrier : findBarriers(source.text))
    statements.push_back(barrier);
  for (const Statement &statement : statements) {
    KernelSource less = source;
    less.text.replace(statement.begin, statement.length, "// left out");
    if (!isCaught(less, memory, expected))
      return less.text;
  }
  return "";
}

} // namespace tilewire::test
