# Finds the headers of the CUDA driver and of NVRTC: CUDA_HEADERS_DIR; and of
# NCCL: NCCL_HEADERS_DIR.
#
# Their libraries are opened at run time, and a machine that builds needs
# neither nvcc nor the runtime library, on which CMake's own module insists.
find_path(CUDA_HEADERS_DIR NAMES nvrtc.h
  HINTS ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda PATH_SUFFIXES include
  DOC "folder of cuda.h and nvrtc.h")
if(NOT EXISTS ${CUDA_HEADERS_DIR}/cuda.h)
  message(FATAL_ERROR "expected cuda.h and nvrtc.h in one folder, install "
    "cuda-cudart-dev and cuda-nvrtc-dev or set CUDA_HOME")
endif()
file(STRINGS ${CUDA_HEADERS_DIR}/cuda.h cuda_version
  REGEX "^#define CUDA_VERSION [0-9]+")
string(REGEX REPLACE "[^0-9]" "" cuda_version "${cuda_version}")
if(cuda_version LESS 12040)
  message(FATAL_ERROR "expected the headers of CUDA 12.4 or newer, got "
    "version ${cuda_version} in ${CUDA_HEADERS_DIR}; set CUDA_HOME")
endif()
find_path(NCCL_HEADERS_DIR NAMES nccl.h
  HINTS ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda PATH_SUFFIXES include
  DOC "folder of nccl.h")
if(NOT NCCL_HEADERS_DIR)
  message(FATAL_ERROR "expected nccl.h, install libnccl-dev or set CUDA_HOME")
endif()
