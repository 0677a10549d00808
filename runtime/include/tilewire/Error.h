//===- Error.h - the three kinds of error ---------------------------------===//
//
// What can go wrong, told apart by type: the user's input, the machine, or a
// bug of ours. Thrown by the whole of Tilewire; knows nothing of who throws.
//
// A message is lower case, says what was expected, what was got and what to
// do, names the offending value, and has no final period.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_ERROR_H
#define TILEWIRE_ERROR_H

#include <tilewire/Export.h>

#include <stdexcept>
#include <string>

namespace tilewire {

/// Whose fault an error is. Travels between ranks beside the message, so that
/// every rank throws the same type.
enum class ErrorKind { User, Machine, Internal };

/// Base of everything Tilewire throws.
class TILEWIRE_API Error : public std::runtime_error {
public:
  Error(ErrorKind kind, const std::string &message)
      : std::runtime_error(message), errorKind(kind) {}

  ErrorKind kind() const { return errorKind; }

private:
  ErrorKind errorKind;
};

/// Input that makes no sense or can't be honoured; the message says what to do.
class TILEWIRE_API UserError : public Error {
public:
  explicit UserError(const std::string &message)
      : Error(ErrorKind::User, message) {}
};

/// A call to the system, the driver or a peer failed; the message holds the
/// call, its code and its text.
class TILEWIRE_API MachineError : public Error {
public:
  explicit MachineError(const std::string &message)
      : Error(ErrorKind::Machine, message) {}
};

/// A broken invariant of Tilewire itself; its prefix asks for a report.
class TILEWIRE_API InternalError : public Error {
public:
  explicit InternalError(const std::string &message)
      : Error(ErrorKind::Internal, message) {}
};

/// Throws the type that belongs to `kind`, with `message` unchanged.
[[noreturn]] void throwError(ErrorKind kind, const std::string &message);

/// Prefix of an error printed for a person: "error: ", "machine error: " or
/// "internal error (please report): ".
const char *errorPrefix(ErrorKind kind);

} // namespace tilewire

#endif // TILEWIRE_ERROR_H
