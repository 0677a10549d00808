# Finds the headers of the CUDA driver and of NVRTC: CUDA_HEADERS_DIR.
#
# Their libraries are opened at run time, and a machine that builds needs
# neither nvcc nor the runtime library, on which CMake's own module insists.
find_path(CUDA_HEADERS_DIR NAMES cuda.h nvrtc.h
  HINTS ENV CUDA_HOME ENV CUDA_PATH
  PATHS /usr/local/cuda PATH_SUFFIXES include
  DOC "folder of cuda.h and nvrtc.h")
if(NOT EXISTS ${CUDA_HEADERS_DIR}/cuda.h OR NOT EXISTS ${CUDA_HEADERS_DIR}/nvrtc.h)
  message(FATAL_ERROR "expected cuda.h and nvrtc.h in one folder, install "
    "cuda-cudart-dev and cuda-nvrtc-dev or set CUDA_HOME")
endif()
