//===- Error.cpp - the three kinds of error -------------------------------===//

#include <tilewire/Error.h>

namespace tilewire {

void throwError(ErrorKind kind, const std::string &message) {
  switch (kind) {
  case ErrorKind::User:
    throw UserError(message);
  case ErrorKind::Machine:
    throw MachineError(message);
  case ErrorKind::Internal:
    break;
  }
  throw InternalError(message);
}

const char *errorPrefix(ErrorKind kind) {
  switch (kind) {
  case ErrorKind::User:
    return "error: ";
  case ErrorKind::Machine:
    return "machine error: ";
  case ErrorKind::Internal:
    break;
  }
  return "internal error (please report): ";
}

} // namespace tilewire
