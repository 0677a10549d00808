//===- Count.cpp - counts the lines of standard input ---------------------===//
//
// `count N` exits 0 when standard input has exactly N lines; an unfinished last
// line counts.
//
//===----------------------------------------------------------------------===//

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

int main(int argc, char **argv) {
  const std::string_view text = argc == 2 ? argv[1] : "";
  long expected = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), expected);
  if (text.empty() || error != std::errc() ||
      end != text.data() + text.size()) {
    std::fputs("error: expected one number of lines, try: count 3\n", stderr);
    return 2;
  }
  long lines = 0;
  for (std::string line; std::getline(std::cin, line);)
    ++lines;
  if (lines == expected)
    return EXIT_SUCCESS;
  std::fprintf(stderr, "error: expected %ld lines, got %ld\n", expected, lines);
  return EXIT_FAILURE;
}
