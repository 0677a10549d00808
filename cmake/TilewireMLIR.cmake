# LLVM/MLIR 22 as one static link interface, the target TilewireMLIR.
#
# The distribution's imported MLIR targets name the shared libLLVM, and two
# copies of MLIR in one process don't mix. Here everything is linked from the
# static archives, in one group from which the linker takes what is needed, so
# that our libraries and tools run where no LLVM is installed.

find_program(LLVM_CONFIG NAMES llvm-config-22 llvm-config
  DOC "llvm-config of LLVM 22, which tells where its CMake files are")
if(LLVM_CONFIG)
  execute_process(COMMAND ${LLVM_CONFIG} --cmakedir
    OUTPUT_VARIABLE llvm_cmake_dir OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
endif()
# No version here: the package's version file accepts none but its own minor.
find_package(MLIR REQUIRED CONFIG
  HINTS ${llvm_cmake_dir}/../mlir ${llvm_cmake_dir}/../../..)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "expected LLVM/MLIR 22, got ${LLVM_PACKAGE_VERSION} in "
                      "${LLVM_DIR}; install libmlir-22-dev and llvm-22-dev or set MLIR_DIR")
endif()

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

find_package(ZLIB REQUIRED)
find_library(ZSTD_LIBRARY NAMES zstd REQUIRED)

file(GLOB mlir_archives ${LLVM_LIBRARY_DIR}/libMLIR*.a)
file(GLOB llvm_archives ${LLVM_LIBRARY_DIR}/libLLVM*.a)
list(JOIN mlir_archives "\n" mlir_names)
list(JOIN llvm_archives "\n" llvm_names)
set(group ${PROJECT_BINARY_DIR}/libTilewireMLIR.a)
file(CONFIGURE OUTPUT ${group} CONTENT "GROUP(\n${mlir_names}\n${llvm_names}\n)\n")

add_library(TilewireMLIR INTERFACE)
target_include_directories(TilewireMLIR SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
target_compile_options(TilewireMLIR INTERFACE
  -ffunction-sections -fdata-sections -fvisibility=hidden)
target_link_libraries(TilewireMLIR INTERFACE
  ${group} ZLIB::ZLIB ${ZSTD_LIBRARY} ${CMAKE_DL_LIBS} m
  -Wl,--gc-sections -Wl,--exclude-libs,ALL)
