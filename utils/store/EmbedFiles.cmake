# cmake -DFiles=a.sql;b.sql -DInto=FILE.cpp -DHeader=PATH.h -DName=NAME -P EmbedFiles.cmake:
# makes the array instantrace::NAME of the files, by name, each its name without
# .sql and its text.
cmake_minimum_required(VERSION 3.25)
set(Texts "")
set(Rows "")
set(I 0)
list(SORT Files)
foreach(File IN LISTS Files)
  get_filename_component(Stem ${File} NAME_WE)
  # In bytes: CMake would change brackets and semicolons of a text.
  file(READ ${File} Hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," Bytes "${Hex}")
  string(REGEX REPLACE "((0x..,){16})" "\\1\n" Bytes "${Bytes}")
  string(APPEND Texts "constexpr unsigned char ${Name}Text${I}[] = {\n${Bytes}\n};\n")
  string(APPEND Rows "    {\"${Stem}\", {reinterpret_cast<const char *>(${Name}Text${I}), sizeof ${Name}Text${I}}},\n")
  math(EXPR I "${I} + 1")
endforeach()
file(WRITE ${Into} "#include \"${Header}\"

namespace {
${Texts}
const instantrace::StoreFile ${Name}Files[] = {
${Rows}};
} // namespace

const std::span<const instantrace::StoreFile> instantrace::${Name}(${Name}Files);
")
