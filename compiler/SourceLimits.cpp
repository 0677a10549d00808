//===- SourceLimits.cpp - what is refused before parsing ------------------===//

#include "compiler/SourceLimits.h"

#include <algorithm>
#include <unordered_map>

using namespace tilewire;

namespace {

bool isDigitOrLetter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

/// Walks the text's tokens, outside strings and comments. An alias (`#a`, `!a`)
/// nests as deep as what it was defined to be, and is as long.
class Scan {
public:
  explicit Scan(std::string_view text) : text(text) {}

  std::optional<std::string> run() {
    while (at < text.size()) {
      const size_t start = at;
      if (startsAffine())
        return placeOf(start) +
               "expected no affine map or set (because a tensor's layout is "
               "its shape), got one";
      if (startsIndexArray())
        return placeOf(start) +
               "expected numbers of a width in an array, their type written "
               "out, got index or an alias; write array<i64: ...>";
      if (skipBlank())
        continue;
      const int reached = readToken();
      before = last;
      last = text.substr(start, at - start);
      if (expanded > maxExpandedBytes)
        return placeOf(start) + "expected at most " +
               std::to_string(maxExpandedBytes) +
               " bytes of text when aliases are written out, got more";
      if (reached > maxSourceNesting)
        return placeOf(start) + "expected brackets nested at most " +
               std::to_string(maxSourceNesting) + " deep, " +
               (reached > depth ? "those of aliases included, " : "") +
               "got more";
      defined = std::max(defined, reached - base);
    }
    return std::nullopt;
  }

private:
  /// Skips one newline, blank or comment; false where there is none.
  bool skipBlank() {
    const char c = text[at];
    if (c == '\n') {
      ++at;
      startLine();
      return true;
    }
    if (text.substr(at, 2) == "//") {
      at = std::min(text.find('\n', at), text.size());
      return true;
    }
    if (c != ' ' && c != '\t' && c != '\r')
      return false;
    ++at;
    return true;
  }

  /// Reads one token; how deep it reaches.
  int readToken() {
    const char c = text[at];
    ++expanded;
    if (text.substr(at, 2) == "->") { // closes nothing
      at += 2;
      isComplete = false;
      return depth;
    }
    if (c == '"' || isWordPart(c) || c == '%' || c == '#' || c == '!')
      return readOperand(c);
    isComplete = std::string_view(")]}>").find(c) != std::string_view::npos;
    if (std::string_view("([{<").find(c) != std::string_view::npos)
      ++depth;
    else if (isComplete && depth > 0)
      --depth;
    ++at;
    return depth;
  }

  /// Reads a string, a word or a name. One after a complete value starts
  /// something new, which ends the definition of an alias.
  int readOperand(char c) {
    if (depth <= base && isComplete)
      endDefinition();
    isComplete = true;
    if (c == '"') {
      const size_t start = at;
      skipString();
      expanded += at - start;
      return depth;
    }
    const bool isName = c == '#' || c == '!';
    const size_t start = at++;
    while (at < text.size() && (isWordPart(text[at]) || text[at] == '$' ||
                                (isName && text[at] == '-')))
      ++at;
    const std::string_view name = text.substr(start, at - start);
    expanded += name.size();
    if (!isName)
      return depth;
    if (isDefinition()) {
      endDefinition();
      alias = name;
      base = depth;
      defined = 0;
      sizeBefore = expanded;
      isComplete = false;
      return depth;
    }
    auto known = aliases.find(name);
    if (known == aliases.end())
      return depth;
    expanded += known->second.size;
    return depth + known->second.depth;
  }

  /// Whether the name before `at` is followed by '=', after which it stands.
  bool isDefinition() {
    while (at < text.size() && skipBlank())
      ;
    if (at == text.size() || text[at] != '=')
      return false;
    ++at;
    return true;
  }

  void endDefinition() {
    if (!alias.empty())
      aliases[alias] = {defined, expanded - sizeBefore};
    alias = {};
  }

  /// Affine expressions nest without brackets, and tile IR has no use for them.
  bool startsAffine() const {
    const std::string_view rest = text.substr(at, 10);
    if (rest != "affine_map" && rest != "affine_set")
      return false;
    // A word of its own, no part of a name.
    return at == 0 || std::string_view(" \t\r\n,=:([{<").find(text[at - 1]) !=
                          std::string_view::npos;
  }

  /// MLIR's parser asks for the width of an index, which has none, and crashes.
  bool startsIndexArray() const {
    if (before != "array" || last != "<")
      return false;
    const std::string_view rest = text.substr(at, 6);
    return rest.starts_with("!") ||
           (rest.starts_with("index") &&
            (rest.size() == 5 || !isWordPart(rest[5])));
  }

  static bool isWordPart(char c) {
    return isDigitOrLetter(c) || c == '_' || c == '.';
  }

  void startLine() {
    ++line;
    lineStart = at;
  }

  void skipString() {
    for (++at; at < text.size(); ++at) {
      if (text[at] == '"') {
        ++at;
        return;
      }
      if (text[at] == '\n')
        return; // not closed: the parser will say so
      if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n')
        ++at;
    }
  }

  /// A token is of one line.
  std::string placeOf(size_t start) const {
    return std::to_string(line) + ":" + std::to_string(start - lineStart + 1) +
           ": ";
  }

  std::string_view text;
  size_t at = 0;
  size_t line = 1;
  size_t lineStart = 0;
  int depth = 0;
  /// The two tokens read last.
  std::string_view before, last;
  /// Whether what was read last can end a value.
  bool isComplete = false;
  /// What was read so far, in bytes, with every alias written out.
  size_t expanded = 0;
  /// The alias whose definition is read, if one is, where it stands, what was
  /// read before, and how deep it is so far.
  std::string_view alias;
  int base = 0;
  size_t sizeBefore = 0;
  int defined = 0;
  struct Alias {
    int depth;
    size_t size; ///< in bytes, with every alias in it written out
  };
  std::unordered_map<std::string_view, Alias> aliases;
};

} // namespace

std::optional<std::string>
tilewire::sourceLimitExceeded(std::string_view text) {
  if (text.size() > maxSourceBytes)
    return "1:1: expected at most " + std::to_string(maxSourceBytes) +
           " bytes of text, got " + std::to_string(text.size());
  return Scan(text).run();
}
