# Finds MLIR 22 and, through it, LLVM 22.
#
# Another LLVM may be installed beside it, and Debian keeps each version in a
# folder of its own that find_package does not search; llvm-config-22 knows it.
# The version file accepts only an exact minor version, so the major is checked
# here.
if(NOT MLIR_FOUND)
  find_program(LLVM_CONFIG_22 llvm-config-22)
  if(LLVM_CONFIG_22)
    execute_process(COMMAND ${LLVM_CONFIG_22} --prefix
      OUTPUT_VARIABLE llvm_prefix OUTPUT_STRIP_TRAILING_WHITESPACE
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
  find_package(MLIR REQUIRED CONFIG HINTS ${llvm_prefix})
endif()
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "expected LLVM 22, got ${LLVM_VERSION} in "
    "${LLVM_INSTALL_PREFIX}, set MLIR_DIR to the lib/cmake/mlir of LLVM 22")
endif()
