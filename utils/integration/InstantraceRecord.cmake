# A target that records a build of everything, for a project whose own files do not change:
#
#   cmake -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=PREFIX/lib/cmake/Instantrace/InstantraceRecord.cmake ...
#   cmake --build BUILD --target instantrace-record
#
# docs/use/builds.md has presets of it.
get_filename_component(_instantrace_tool "${CMAKE_CURRENT_LIST_DIR}/../../../bin/instantrace" ABSOLUTE)
add_custom_target(instantrace-record USES_TERMINAL VERBATIM
  COMMAND ${_instantrace_tool} record -- ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --clean-first)
unset(_instantrace_tool)
