//===- ReadInput.h - the file that a tool is given ------------------------===//
//
// For tools that take one text as a file or from standard input.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TOOLS_READINPUT_H
#define TILEWIRE_TOOLS_READINPUT_H

#include <tilewire/Error.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

namespace tilewire {

/// The most that a tool reads: one byte more than any text may have, so that
/// what takes it refuses a longer one, and what never ends isn't read on.
inline constexpr size_t maxInputBytes = (16 << 20) + 1;

inline std::string readSome(std::istream &in) {
  std::string text(maxInputBytes, '\0');
  in.read(text.data(), maxInputBytes);
  text.resize(size_t(in.gcount()));
  return text;
}

/// All of `file`, or of standard input for "-", up to maxInputBytes. UserError,
/// which says that `what` was expected, when it can't be read.
inline std::string readInput(const std::string &file, const std::string &what) {
  if (file == "-") {
    std::string text = readSome(std::cin);
    if (std::ferror(stdin)) // the stream's own state is that of an end
      throw UserError("expected " + what +
                      ", got a standard input that can't be read");
    return text;
  }
  std::ifstream in(file, std::ios::binary);
  in.peek(); // a folder opens, and fails here
  if (!in.is_open() || in.bad())
    throw UserError("expected " + what + ", got '" + file + "'");
  return readSome(in);
}

} // namespace tilewire

#endif // TILEWIRE_TOOLS_READINPUT_H
