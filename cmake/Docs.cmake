# The generated parts of the documents: target `docs` writes them, test `docs`
# checks that they are up to date.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(MLIR_TBLGEN mlir-tblgen REQUIRED HINTS ${LLVM_TOOLS_BINARY_DIR})

set(docs_command ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/docs
  --mlir-tblgen ${MLIR_TBLGEN} --programs-dir ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
foreach(directory IN LISTS MLIR_INCLUDE_DIRS)
  list(APPEND docs_command --include ${directory})
endforeach()
# Found by Install.cmake: tools and examples, without the tests' checkers.
foreach(program IN LISTS programs)
  list(APPEND docs_command --program ${program})
endforeach()

add_custom_target(docs COMMAND ${docs_command} USES_TERMINAL VERBATIM)
add_dependencies(docs ${programs})
if(BUILD_TESTING)
  add_test(NAME docs COMMAND ${docs_command} --check)
  set_tests_properties(docs PROPERTIES TIMEOUT 300)
endif()
