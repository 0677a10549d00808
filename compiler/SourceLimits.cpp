//===- SourceLimits.cpp - what is refused before parsing ------------------===//

#include "compiler/SourceLimits.h"

using namespace tilewire;

namespace {

/// Walks the text's brackets, outside strings and comments.
class NestingScan {
public:
  explicit NestingScan(std::string_view text) : text(text) {}

  std::optional<std::string> run() {
    for (at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '\n')
        startLine();
      else if (c == '"')
        skipString();
      else if (c == '/' && at + 1 < text.size() && text[at + 1] == '/')
        skipComment();
      else if (std::string_view("([{<").find(c) != std::string_view::npos)
        ++depth;
      else if (closes(c) && depth > 0)
        --depth;
      else if (startsAffine())
        return place() + "expected no affine map or set (because a tensor's "
                         "layout is its shape), got one";
      if (depth > maxSourceNesting)
        return place() + "expected brackets nested at most " +
               std::to_string(maxSourceNesting) + " deep, got more";
    }
    return std::nullopt;
  }

private:
  /// Affine expressions nest without brackets, and tile IR has no use for them.
  bool startsAffine() const {
    const std::string_view rest = text.substr(at);
    if (!rest.starts_with("affine_map") && !rest.starts_with("affine_set"))
      return false;
    // A word of its own, no part of a name.
    return at == 0 || std::string_view(" \t\r\n,=:([{<").find(text[at - 1]) !=
                          std::string_view::npos;
  }

  bool closes(char c) const {
    if (c == '>')
      return at == 0 || text[at - 1] != '-'; // "->" is an arrow
    return c == ')' || c == ']' || c == '}';
  }

  void startLine() {
    ++line;
    lineStart = at + 1;
  }

  void skipString() {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\')
        ++at;
      else if (text[at] == '\n')
        return startLine(); // not closed: the parser will say so
    }
  }

  void skipComment() {
    while (at + 1 < text.size() && text[at + 1] != '\n')
      ++at;
  }

  std::string place() const {
    return std::to_string(line) + ":" + std::to_string(at - lineStart + 1) +
           ": ";
  }

  std::string_view text;
  size_t at = 0;
  size_t line = 1;
  size_t lineStart = 0;
  int depth = 0;
};

} // namespace

std::optional<std::string>
tilewire::sourceLimitExceeded(std::string_view text) {
  if (text.size() > maxSourceBytes)
    return "1:1: expected at most " + std::to_string(maxSourceBytes) +
           " bytes of text, got " + std::to_string(text.size());
  return NestingScan(text).run();
}
