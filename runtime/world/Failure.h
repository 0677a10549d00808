//===- Failure.h - an error as a value that travels -----------------------===//
//
// Kind and message of an error, so that it can cross from one rank to another
// and be thrown there with the same type and text.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_WORLD_FAILURE_H
#define TILEWIRE_RUNTIME_WORLD_FAILURE_H

#include <tilewire/Error.h>

#include <cstdio>
#include <exception>
#include <new>
#include <string>

namespace tilewire {

struct Failure {
  ErrorKind kind;
  std::string message;

  [[noreturn]] void raise() const { throwError(kind, message); }
};

/// The failure that `error`, thrown by our own code, describes; anything not
/// ours counts as a bug.
inline Failure describe(const std::exception_ptr &error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error &caught) {
    return {caught.kind(), caught.what()};
  } catch (const std::bad_alloc &) {
    return {ErrorKind::Machine, "out of host memory"};
  } catch (const std::exception &caught) {
    return {ErrorKind::Internal, caught.what()};
  } catch (...) {
    return {ErrorKind::Internal, "an exception of unknown type"};
  }
}

/// What a program's own code threw on `rank`, for the others: an error of ours
/// as it is, anything else as that rank's.
inline Failure describeThrown(const std::exception_ptr &error, int rank) {
  Failure failure = describe(error);
  try {
    std::rethrow_exception(error);
  } catch (const Error &) {
  } catch (const std::bad_alloc &) {
  } catch (...) {
    failure = {ErrorKind::User,
               "rank " + std::to_string(rank) + " threw: " + failure.message};
  }
  return failure;
}

/// Prints the exception being handled, for destructors: they report and never
/// throw.
inline void reportCurrentException() {
  const Failure failure = describe(std::current_exception());
  std::fprintf(stderr, "%s%s\n", errorPrefix(failure.kind),
               failure.message.c_str());
}

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_WORLD_FAILURE_H
