# What `cmake --install` lays down.
#
# The default components are for users: libraries, headers, programs and the
# CMake package. Component Tests (not part of a plain install) adds what the
# portable archive needs to test itself where no LLVM is installed.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tilewire)

# The executables defined in `directory` and below.
function(tilewire_executables_below directory result)
  get_property(found DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  set(executables "")
  foreach(target IN LISTS found)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL EXECUTABLE)
      list(APPEND executables ${target})
    endif()
  endforeach()
  get_property(subdirectories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(subdirectory IN LISTS subdirectories)
    tilewire_executables_below(${subdirectory} more)
    list(APPEND executables ${more})
  endforeach()
  set(${result} ${executables} PARENT_SCOPE)
endfunction()

# Libraries and the package that finds them.
foreach(library IN ITEMS Runtime Compiler)
  set_target_properties(Tilewire${library} PROPERTIES EXPORT_NAME ${library}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  install(TARGETS Tilewire${library} EXPORT TilewireTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
install(DIRECTORY runtime/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY compiler/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT TilewireTargets NAMESPACE Tilewire:: DESTINATION ${package_dir})
configure_package_config_file(cmake/TilewireConfig.cmake.in
  ${CMAKE_BINARY_DIR}/TilewireConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TilewireConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/TilewireConfig.cmake
  ${CMAKE_BINARY_DIR}/TilewireConfigVersion.cmake DESTINATION ${package_dir})

# Programs: tools and examples for all, tests for the archive.
tilewire_executables_below(${PROJECT_SOURCE_DIR}/tools programs)
tilewire_executables_below(${PROJECT_SOURCE_DIR}/examples examples)
list(APPEND programs ${examples})
set(checkers tilewire-filecheck tilewire-not tilewire-count)
list(REMOVE_ITEM programs ${checkers})
install(TARGETS ${programs} DESTINATION ${CMAKE_INSTALL_BINDIR})

if(BUILD_TESTING)
  include(PortableArchive)
endif()
