//===- ScopedVariable.h - an environment variable for a while -------------===//
//
// For tests of what the environment changes.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TESTS_UNIT_SCOPEDVARIABLE_H
#define TILEWIRE_TESTS_UNIT_SCOPEDVARIABLE_H

#include <cstdlib>
#include <optional>
#include <string>

namespace tilewire::test {

/// Sets an environment variable for as long as it lives.
class ScopedVariable {
public:
  ScopedVariable(const char *name, const std::string &value) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (before)
      ::setenv(name, before->c_str(), 1);
    else
      ::unsetenv(name);
  }
  ScopedVariable(const ScopedVariable &) = delete;
  ScopedVariable &operator=(const ScopedVariable &) = delete;

private:
  const char *name;
  std::optional<std::string> before;
};

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_UNIT_SCOPEDVARIABLE_H
