# Joins text files into one C++ source that defines them as a string.
#
# tilewire_embed_text(TARGET_FILE <out.cpp> SYMBOL <name> FILES <file>...)
# defines `const char *const tilewire::<name>`, rebuilt when a file changes.
function(tilewire_embed_text)
  cmake_parse_arguments(ARG "" "TARGET_FILE;SYMBOL" "FILES" ${ARGN})
  list(TRANSFORM ARG_FILES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(JOIN ARG_FILES "|" joined)
  add_custom_command(OUTPUT ${ARG_TARGET_FILE}
    COMMAND ${CMAKE_COMMAND} -DOUT=${ARG_TARGET_FILE} -DSYMBOL=${ARG_SYMBOL}
            "-DFILES=${joined}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake
    DEPENDS ${ARG_FILES} ${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake
    VERBATIM)
endfunction()
