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

/// An environment variable has its old value again when this is gone.
class KeptVariable {
public:
  explicit KeptVariable(const char *name) : name(name) {
    if (const char *old = std::getenv(name))
      before = old;
  }
  ~KeptVariable() {
    if (before)
      ::setenv(name, before->c_str(), 1);
    else
      ::unsetenv(name);
  }
  KeptVariable(const KeptVariable &) = delete;
  KeptVariable &operator=(const KeptVariable &) = delete;

private:
  const char *name;
  std::optional<std::string> before;
};

/// Sets an environment variable for as long as it lives.
class ScopedVariable : KeptVariable {
public:
  ScopedVariable(const char *name, const std::string &value)
      : KeptVariable(name) {
    ::setenv(name, value.c_str(), 1);
  }
};

/// Removes an environment variable for as long as it lives.
class WithoutVariable : KeptVariable {
public:
  explicit WithoutVariable(const char *name) : KeptVariable(name) {
    ::unsetenv(name);
  }
};

} // namespace tilewire::test

#endif // TILEWIRE_TESTS_UNIT_SCOPEDVARIABLE_H
