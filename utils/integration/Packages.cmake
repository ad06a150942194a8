# Packages: `cpack -G DEB` makes instantrace (the tool, and the loader that a
# Clang finds its module by) and instantrace-clang-N for each Clang that there is
# a module for; `cpack -G TGZ` one archive of all, which works wherever it is
# unpacked. Included last, when all that is installed is known.
set(CPACK_PACKAGE_NAME instantrace)
set(CPACK_PACKAGE_VENDOR "The Instantrace Authors")
set(CPACK_PACKAGE_CONTACT "The Instantrace Authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "shows where C++ compiles spend their time on templates")
set(CPACK_PACKAGE_DESCRIPTION
"A plugin for Clang records every template instantiation of a compile, and a
tool says what they cost, who requested them and what to change. The plugin is
of the packages instantrace-clang-N, one for each major of Clang.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR "DEB;TGZ")

set(CPACK_COMPONENTS_ALL instantrace)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_INSTANTRACE_PACKAGE_NAME instantrace)
# The first is loaded when a store on a server is asked, so nothing is linked with it;
# instantrace-ci is of Python.
set(CPACK_DEBIAN_INSTANTRACE_PACKAGE_RECOMMENDS "libcurl4 | libcurl3-gnutls, python3")
get_property(Majors GLOBAL PROPERTY INSTANTRACE_MODULE_MAJORS)
set(Suggested "")
foreach(Major IN LISTS Majors)
  set(Package instantrace-clang-${Major})
  string(TOUPPER ${Package} Variable)
  list(APPEND CPACK_COMPONENTS_ALL ${Package})
  set(CPACK_COMPONENT_${Variable}_DESCRIPTION
"The module of Instantrace's plugin that Clang ${Major} loads. See the package
instantrace for what it records.")
  set(CPACK_DEBIAN_${Variable}_PACKAGE_NAME ${Package})
  # CPack adds that it is of the package's own version, which may be another than the program's:
  # a module and the loader agree by their version alone.
  set(CPACK_COMPONENT_${Variable}_DEPENDS instantrace)
  set(CPACK_DEBIAN_${Variable}_PACKAGE_DEPENDS "clang-${Major}")
  list(APPEND Suggested ${Package})
  # Debian wants it of each package.
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${Package}
    RENAME copyright COMPONENT ${Package})
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/instantrace RENAME copyright)
list(JOIN Suggested ", " CPACK_DEBIAN_INSTANTRACE_PACKAGE_SUGGESTS)
include(CPack)
