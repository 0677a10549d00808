//===- ReadInput.h - the file that a tool is given ------------------------===//
//
// For tools that take one text as a file or from standard input.
//
//===----------------------------------------------------------------------===//

#ifndef TILEWIRE_TOOLS_READINPUT_H
#define TILEWIRE_TOOLS_READINPUT_H

#include <tilewire/Error.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

namespace tilewire {

/// All of `file`, or of standard input for "-". UserError, which says that
/// `what` was expected, when it can't be read.
inline std::string readInput(const std::string &file, const std::string &what) {
  if (file == "-")
    return {std::istreambuf_iterator<char>(std::cin), {}};
  std::ifstream in(file, std::ios::binary);
  in.peek(); // a folder opens, and fails here
  if (!in.is_open() || in.bad())
    throw UserError("expected " + what + ", got '" + file + "'");
  return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace tilewire

#endif // TILEWIRE_TOOLS_READINPUT_H
