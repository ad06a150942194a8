# find_package(Instantrace CONFIG): profiles chosen targets of a project without
# `instantrace record`.
#
#   find_package(Instantrace CONFIG REQUIRED)
#   instantrace_enable(app core OUTPUT ${CMAKE_BINARY_DIR}/traces)
#
# Instantrace_PLUGIN   the file for -fplugin=
# Instantrace_TOOL     the tool
# instantrace_enable(TARGET... [OUTPUT FOLDER])
#   each C++ compile of the targets leaves a trace, beside its object or in FOLDER.
#   An error if the C++ compiler is not Clang, or a Clang without a module.
# instantrace_add_budget_test(NAME TEST BUDGET FILE TRACES FOLDER)
#   a test for ctest, which fails when the traces that the build left in FOLDER exceed
#   a bound of FILE (instantrace budget).
#
# Instantrace::index   the library that reads indexes, <instantrace/Index.h>
#
# Found relative to this file, so that the installed tree may be moved.
get_filename_component(Instantrace_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(Instantrace_PLUGIN "${Instantrace_PREFIX}/lib/instantrace/libinstantrace.so")
set(Instantrace_TOOL "${Instantrace_PREFIX}/bin/instantrace")
foreach(_instantrace_file IN ITEMS "${Instantrace_PLUGIN}" "${Instantrace_TOOL}")
  if(NOT EXISTS "${_instantrace_file}")
    set(Instantrace_FOUND FALSE)
    set(Instantrace_NOT_FOUND_MESSAGE "${_instantrace_file}: no such file; expected an installed Instantrace around this one")
  endif()
endforeach()
unset(_instantrace_file)

if(NOT TARGET Instantrace::index AND EXISTS "${Instantrace_PREFIX}/lib/libinstantrace-index.a")
  add_library(Instantrace::index STATIC IMPORTED)
  set_target_properties(Instantrace::index PROPERTIES
    IMPORTED_LOCATION "${Instantrace_PREFIX}/lib/libinstantrace-index.a"
    INTERFACE_INCLUDE_DIRECTORIES "${Instantrace_PREFIX}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_20)
endif()

function(instantrace_enable)
  cmake_parse_arguments(PARSE_ARGV 0 Arg "" "OUTPUT" "")
  if(NOT Arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "instantrace_enable: found no target, expected one at least")
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "instantrace_enable: found the C++ compiler ${CMAKE_CXX_COMPILER_ID} (${CMAKE_CXX_COMPILER}), "
      "expected Clang: GCC loads no Clang plugin, and AppleClang is another compiler than the Clang of its version")
  endif()
  string(REGEX MATCH "^[0-9]+" Major "${CMAKE_CXX_COMPILER_VERSION}")
  if(NOT EXISTS "${Instantrace_PREFIX}/lib/instantrace/instantrace-clang-${Major}.so")
    file(GLOB Modules RELATIVE "${Instantrace_PREFIX}/lib/instantrace" "${Instantrace_PREFIX}/lib/instantrace/instantrace-clang-*.so")
    string(REGEX REPLACE "instantrace-clang-([0-9]+)\\.so" "\\1" Majors "${Modules}")
    message(FATAL_ERROR "instantrace_enable: found Clang ${Major}, expected one of those that there is a module for: ${Majors}")
  endif()
  if(CMAKE_CXX_COMPILER_FRONTEND_VARIANT STREQUAL "MSVC")
    set(Prefix "/clang:")
  endif()
  foreach(Target IN LISTS Arg_UNPARSED_ARGUMENTS)
    if(NOT TARGET ${Target})
      message(FATAL_ERROR "instantrace_enable: found no target ${Target}, expected one that is defined before")
    endif()
    # Of C++ alone: Clang 14 to 16 warn of the option for assembler.
    target_compile_options(${Target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:${Prefix}-fplugin=${Instantrace_PLUGIN}>")
    if(Arg_OUTPUT)
      target_compile_options(${Target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CXX>:${Prefix}-fplugin-arg-instantrace-output=${Arg_OUTPUT}/>")
    endif()
  endforeach()
endfunction()

function(instantrace_add_budget_test)
  cmake_parse_arguments(PARSE_ARGV 0 Arg "" "NAME;BUDGET;TRACES" "")
  foreach(Key IN ITEMS NAME BUDGET TRACES)
    if(NOT Arg_${Key})
      message(FATAL_ERROR "instantrace_add_budget_test: found no ${Key}, expected NAME, BUDGET and TRACES")
    endif()
  endforeach()
  get_filename_component(Budget "${Arg_BUDGET}" ABSOLUTE)
  add_test(NAME ${Arg_NAME} COMMAND ${Instantrace_TOOL} budget ${Budget} ${Arg_TRACES})
endfunction()
