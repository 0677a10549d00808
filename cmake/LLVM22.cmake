# Finds MLIR 22 and, through it, LLVM 22; included at the top, for all below.
#
# Another LLVM may be installed beside it, and Debian keeps each version in a
# folder of its own that find_package does not search: llvm-config-22 knows it.
if(MLIR_FOUND)
  return()
endif()
find_program(LLVM_CONFIG NAMES llvm-config-22 llvm-config
  DOC "llvm-config of LLVM 22, which tells where its CMake files are")
if(LLVM_CONFIG)
  execute_process(COMMAND ${LLVM_CONFIG} --prefix
    OUTPUT_VARIABLE llvm_prefix OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
endif()
# No version here: the package's version file accepts none but its own minor.
find_package(MLIR REQUIRED CONFIG HINTS ${llvm_prefix})
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "expected LLVM/MLIR 22, got ${LLVM_PACKAGE_VERSION} in "
    "${LLVM_DIR}; install libmlir-22-dev and llvm-22-dev or set MLIR_DIR")
endif()
