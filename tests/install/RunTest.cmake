# Installs the build, builds an outside project against the installed package
# with LLVM out of sight, checks what its programs load, and runs them.
set(prefix ${WORK_DIR}/prefix)
set(build ${WORK_DIR}/build)
file(REMOVE_RECURSE ${WORK_DIR})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT TIMEOUT 120
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR} -B ${build}
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${build})

# `$ORIGIN` alone must find everything; nothing but the system's own is needed.
file(GET_RUNTIME_DEPENDENCIES
  EXECUTABLES ${build}/outside ${build}/exchange_rows
  RESOLVED_DEPENDENCIES_VAR found UNRESOLVED_DEPENDENCIES_VAR missing)
foreach(library IN LISTS found missing)
  if(library MATCHES "LLVM|MLIR|boost|nvrtc|libcuda|nccl")
    message(FATAL_ERROR "an outside program must not load ${library}")
  endif()
endforeach()
run(${build}/outside)
run(${CMAKE_COMMAND} -E env TILEWIRE_CACHE_DIR=${WORK_DIR}/cache
  ${build}/exchange_rows)
