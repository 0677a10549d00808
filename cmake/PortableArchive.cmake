# The portable archive: one folder that holds programs, libraries, headers and
# tests, and runs on a machine that has a C library, libstdc++ and Python 3, and
# the CUDA toolkit where it has a GPU. Target `portable-archive` makes it.
set(archive_name tilewire-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})
set(archive_dir ${CMAKE_BINARY_DIR}/archive)

tilewire_executables_below(${PROJECT_SOURCE_DIR}/tests test_programs)
install(TARGETS ${test_programs} DESTINATION ${CMAKE_INSTALL_BINDIR}
  COMPONENT Tests EXCLUDE_FROM_ALL)
install(TARGETS ${checkers} DESTINATION libexec
  COMPONENT Tests EXCLUDE_FROM_ALL)

# The lit suite, an example that it reads, its configuration for this layout,
# and lit itself.
install(DIRECTORY tests/ DESTINATION tests COMPONENT Tests EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN *.mlir PATTERN *.test PATTERN *.py
  PATTERN __pycache__ EXCLUDE PATTERN unit EXCLUDE PATTERN ranks EXCLUDE
  PATTERN install EXCLUDE)
install(FILES examples/readme/program.mlir DESTINATION examples/readme
  COMPONENT Tests EXCLUDE_FROM_ALL)
set(LIT_TESTS_DIR .)
set(LIT_PROGRAMS_DIR ../bin)
set(LIT_CHECKERS_DIR ../libexec)
configure_file(tests/lit.site.cfg.py.in
  ${CMAKE_BINARY_DIR}/archive-lit.site.cfg.py @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/archive-lit.site.cfg.py DESTINATION tests
  RENAME lit.site.cfg.py COMPONENT Tests EXCLUDE_FROM_ALL)
find_path(LIT_PACKAGE_DIR lit/main.py REQUIRED
  HINTS ${LLVM_TOOLS_BINARY_DIR}/../utils/lit)
install(DIRECTORY ${LIT_PACKAGE_DIR}/lit DESTINATION libexec/python
  COMPONENT Tests EXCLUDE_FROM_ALL PATTERN __pycache__ EXCLUDE)
install(PROGRAMS tests/run-tests tools/gpu4 DESTINATION .
  COMPONENT Tests EXCLUDE_FROM_ALL)

add_custom_target(portable-archive
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${archive_dir}/${archive_name}
  COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --strip
          --prefix ${archive_dir}/${archive_name}
  COMMAND ${CMAKE_COMMAND} --install ${CMAKE_BINARY_DIR} --strip
          --component Tests --prefix ${archive_dir}/${archive_name}
  COMMAND ${CMAKE_COMMAND} -E chdir ${archive_dir}
          ${CMAKE_COMMAND} -E tar czf ${archive_name}.tar.gz ${archive_name}
  COMMENT "Packing archive/${archive_name}.tar.gz"
  VERBATIM)
# `cmake --install` lays down what stands in the tree: build it first.
add_dependencies(portable-archive TilewireRuntime ${programs} ${checkers}
  ${test_programs})
