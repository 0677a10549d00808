//===- FormatTime.h - times in messages -----------------------------------===//
//
// How long something may last, as messages say it. Used wherever the runtime
// keeps a deadline.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_RUNTIME_FORMATTIME_H
#define TILEWIRE_RUNTIME_FORMATTIME_H

#include <chrono>
#include <string>

namespace tilewire {

/// "30 s", "250 ms".
inline std::string formatTime(std::chrono::milliseconds time) {
  if (time.count() % 1000 == 0)
    return std::to_string(time.count() / 1000) + " s";
  return std::to_string(time.count()) + " ms";
}

} // namespace tilewire

#endif // TILEWIRE_RUNTIME_FORMATTIME_H
