# cmake -DPage=DIR -DInto=FILE.cpp -DLibraries=a.js;b.js -DScripts=c.js;d.js -P EmbedPage.cmake:
# puts the page of `instantrace report` together, as two strings in a C++ file:
# what comes before the data and what comes after it.
#
# The page may run these two scripts and use this one style sheet and nothing
# else: its Content-Security-Policy names them by their hashes, so not even a
# name that found its way into the markup would run.
cmake_minimum_required(VERSION 3.25)

# hash(TEXT RESULT): as the policy wants it, 'sha256-BASE64'.
function(hash Text Result)
  string(SHA256 Hex "${Text}")
  set(Digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(Base64 "")
  # 32 bytes are ten groups of three and one of two.
  string(APPEND Hex "00")
  foreach(At RANGE 0 60 6)
    string(SUBSTRING ${Hex} ${At} 6 Group)
    foreach(Shift 18 12 6 0)
      math(EXPR Digit "(0x${Group} >> ${Shift}) & 63")
      string(SUBSTRING ${Digits} ${Digit} 1 Digit)
      string(APPEND Base64 ${Digit})
    endforeach()
  endforeach()
  string(REGEX REPLACE "A$" "=" Base64 ${Base64})
  set(${Result} "'sha256-${Base64}'" PARENT_SCOPE)
endfunction()

# read_all(RESULT FILE...): the files one after the other. What CMake would
# change in a list or string of them is no part of these files.
function(read_all Result)
  set(All "")
  foreach(File IN LISTS ARGN)
    file(READ ${File} Text)
    string(APPEND All "${Text}\n")
  endforeach()
  set(${Result} "${All}" PARENT_SCOPE)
endfunction()

# bytes(TEXT RESULT): as the elements of an array.
function(bytes File Result)
  file(READ ${File} Hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," Bytes "${Hex}")
  string(REGEX REPLACE "((0x..,){16})" "\\1\n" Bytes "${Bytes}")
  set(${Result} "${Bytes}" PARENT_SCOPE)
endfunction()

file(READ ${Page}/report.html Html)
file(READ ${Page}/report.css Style)
file(READ ${Page}/d3-licence.txt Licence)
read_all(Library ${Libraries})
set(Library "/*\n${Licence}*/\n${Library}")
read_all(Script ${Scripts})
set(Script "\"use strict\";\n${Script}")
hash("${Style}" StyleHash)
hash("${Library}" LibraryHash)
hash("${Script}" ScriptHash)
foreach(Name Style StyleHash Library LibraryHash Script ScriptHash)
  string(REPLACE "@${Name}@" "${${Name}}" Html "${Html}")
endforeach()

string(FIND "${Html}" "@Data@" DataAt)
math(EXPR EndAt "${DataAt} + 6")
string(SUBSTRING "${Html}" 0 ${DataAt} Begin)
string(SUBSTRING "${Html}" ${EndAt} -1 End)
file(WRITE ${Into}.begin "${Begin}")
file(WRITE ${Into}.end "${End}")
bytes(${Into}.begin BeginBytes)
bytes(${Into}.end EndBytes)
file(WRITE ${Into} "#include \"utils/report/ReportPage.h\"

namespace {
constexpr unsigned char PageBegin[] = {
${BeginBytes}
};
constexpr unsigned char PageEnd[] = {
${EndBytes}
};
} // namespace

const std::string_view instantrace::ReportPageBegin(
    reinterpret_cast<const char *>(PageBegin), sizeof PageBegin);
const std::string_view instantrace::ReportPageEnd(
    reinterpret_cast<const char *>(PageEnd), sizeof PageEnd);
")
