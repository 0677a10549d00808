//===- LineBreaks.cpp - statements that fit the line ----------------------===//

#include "compiler/emit/LineBreaks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewire;

namespace {

/// The most columns that a line takes where it can be broken.
constexpr size_t lineWidth = 80;

/// How tightly what ends with `word` is bound to what follows, loosest first; 0
/// where it is no operator. Only operators stand between spaces.
unsigned bindingOf(StringRef word) {
  if (word.ends_with(",") || word.ends_with(";"))
    return 1;
  constexpr StringLiteral operators[] = {
      "= +=", "? :",   "||",        "&&",    "|",   "^",
      "&",    "== !=", "< <= > >=", "<< >>", "+ -", "* / %"};
  for (auto [binding, words] : llvm::enumerate(operators))
    if (llvm::is_contained(llvm::split(words, ' '), word))
      return binding + 2;
  return 0;
}

/// By how much the character at `at` nests what follows it: operators stand
/// between spaces, so `<` behind a letter opens a list of template arguments.
int nestingAt(StringRef text, size_t at) {
  const char c = text[at];
  if (c == '(' || c == '[')
    return 1;
  if (c == ')' || c == ']')
    return -1;
  if (at == 0 || StringRef(" <>").contains(text[at - 1]))
    return 0;
  return (c == '<') - (c == '>');
}

/// Calls `visit` with each word of `text`, and where it ends, that stands in no
/// brackets.
void forEachWord(StringRef text, function_ref<void(StringRef, size_t)> visit) {
  size_t begin = 0;
  int depth = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size()) {
      depth += nestingAt(text, at);
      if (text[at] != ' ' || depth != 0)
        continue;
    }
    visit(text.slice(begin, at), at);
    begin = at + 1;
  }
}

/// `text` cut behind each of its loosest operators.
SmallVector<StringRef> split(StringRef text) {
  unsigned loosest = 0;
  forEachWord(text, [&](StringRef word, size_t end) {
    const unsigned binding = end == text.size() ? 0 : bindingOf(word);
    if (binding != 0 && (loosest == 0 || binding < loosest))
      loosest = binding;
  });
  SmallVector<StringRef> pieces;
  size_t begin = 0;
  forEachWord(text, [&](StringRef word, size_t end) {
    if (end != text.size() && (loosest == 0 || bindingOf(word) != loosest))
      return;
    pieces.push_back(text.slice(begin, end));
    begin = end + 1;
  });
  return pieces;
}

class LineBreaker {
public:
  LineBreaker(unsigned column, llvm::raw_ostream &os)
      : column(column), os(os) {}

  /// Writes `text`, further lines of it indented by `hang`; `tail` columns
  /// follow on its last line.
  void write(StringRef text, size_t hang, size_t tail) {
    if (fits(text.size() + tail))
      return put(text);
    const SmallVector<StringRef> pieces = split(text);
    if (pieces.size() == 1)
      return writeBrackets(text, tail);
    for (auto [number, piece] : llvm::enumerate(pieces)) {
      const size_t after = number + 1 == pieces.size() ? tail : 0;
      if (number != 0) {
        if (fits(1 + piece.size() + after))
          put(" ");
        else
          startLine(hang);
      }
      write(piece, hang, after);
    }
  }

private:
  /// Breaks what is in the first brackets, if there are any.
  void writeBrackets(StringRef text, size_t tail) {
    const size_t open = text.find('(');
    size_t close = open;
    int depth = 0;
    for (; close < text.size(); ++close) {
      depth += (text[close] == '(') - (text[close] == ')');
      if (depth == 0)
        break;
    }
    if (close >= text.size())
      return put(text);
    put(text.take_front(open + 1));
    const StringRef rest = text.drop_front(close);
    write(text.slice(open + 1, close), /*hang=*/column, rest.size() + tail);
    put(rest);
  }

  bool fits(size_t width) const { return column + width <= lineWidth; }

  void put(StringRef text) {
    os << text;
    column += text.size();
  }

  void startLine(size_t hang) {
    os << "\n";
    os.indent(hang);
    column = hang;
  }

  size_t column;
  llvm::raw_ostream &os;
};

} // namespace

void tilewire::emitStatement(StringRef statement, unsigned indent,
                             llvm::raw_ostream &os) {
  os.indent(indent);
  LineBreaker(indent, os).write(statement, /*hang=*/indent + 4, /*tail=*/0);
  os << "\n";
}

void tilewire::emitComment(StringRef text, unsigned indent,
                           llvm::raw_ostream &os) {
  SmallVector<StringRef> words;
  text.split(words, ' ');
  size_t column = lineWidth;
  for (StringRef word : words) {
    if (column + 1 + word.size() > lineWidth) {
      os << (word.data() == text.data() ? "" : "\n");
      os.indent(indent) << "//";
      column = indent + 2;
    }
    os << ' ' << word;
    column += 1 + word.size();
  }
  os << '\n';
}
