# Run by tilewire_embed_text at build time.
string(REPLACE "|" ";" FILES "${FILES}")
# One raw string per file: a compiler need not take literals over 64 KiB.
set(literals "")
foreach(file IN LISTS FILES)
  file(READ ${file} content)
  string(APPEND literals "R\"tilewire(${content})tilewire\"\n")
endforeach()
file(WRITE ${OUT} "namespace tilewire {
extern const char *const ${SYMBOL};
const char *const ${SYMBOL} =
${literals};
} // namespace tilewire
")
