//===- Thread.h - starting threads ----------------------------------------===//
//
// A thread that can't be started is an error of the machine, like any other
// call to the system that fails. Used wherever the runtime starts one.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_THREAD_H
#define TILEWIRE_RUNTIME_THREAD_H

#include "runtime/SystemCall.h"

#include <thread>

namespace tilewire {

/// Runs `body` on a new thread. MachineError, which names `purpose`, when there
/// can't be another.
template <typename Body>
std::thread startThread(const std::string &purpose, Body &&body) {
  try {
    return std::thread(std::forward<Body>(body));
  } catch (const std::system_error &error) {
    throwSystemError("start a thread for " + purpose, error.code().value());
  }
}

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_THREAD_H
