#include "utils/analysis/advice/PrecompileSnippet.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

using namespace instantrace;

namespace {

/// So many object files of a target are searched for a C source's.
constexpr size_t MostObjects = 10'000;

/// For C++ alone.
std::string cxxOnly(const std::string &Include) {
  const std::string Form = "$<$<COMPILE_LANGUAGE:CXX>:";
  if (Include.front() == '<')
    return "\"" + Form + Include.substr(0, Include.size() - 1) +
           "$<ANGLE-R>>\"";
  return "\"" + Form + "${CMAKE_CURRENT_SOURCE_DIR}/" + Include + ">\"";
}

std::string linesOf(const std::vector<std::string> &Includes) {
  std::string Text;
  for (const std::string &Include : Includes)
    Text += "\n#include " +
            (Include.front() == '<' ? Include : '"' + Include + '"');
  return Text;
}

/// The list of all targets' folders that CMake writes for a build.
std::string targetList(const std::set<std::string> &Objects) {
  std::error_code Failed;
  std::filesystem::path Folder = Objects.empty() ? "" : *Objects.begin();
  for (; Folder.has_relative_path(); Folder = Folder.parent_path())
    if (auto List = Folder / "CMakeFiles/TargetDirectories.txt";
        std::filesystem::exists(List, Failed)) {
      std::ifstream In(List);
      return {std::istreambuf_iterator<char>(In), {}};
    }
  return {};
}

/// A name that no target has.
std::string freeName(const std::string &First,
                     const std::set<std::string> &Objects) {
  const std::string List = targetList(Objects);
  std::string Name = First + "_pch";
  for (int Number = 2; List.find("/" + Name + ".dir") != List.npos; ++Number)
    Name = First + "_pch" + std::to_string(Number);
  return Name;
}

/// Who reuses a target's precompiled header waits until that is linked: so it
/// is made for a target that has nothing to link, and asks for what others link
/// only when the build is written, which makes it wait for nothing.
std::string sharedSnippet(const std::set<std::string> &Targets,
                          const std::string &Own, const std::string &Headers) {
  constexpr size_t LineBytes = 76;
  const std::string &First = *Targets.begin();
  const std::string Source = "${CMAKE_CURRENT_BINARY_DIR}/" + Own + ".cpp";
  std::string Text = "# in the CMakeLists.txt of " + First +
                     ", below all of these targets\nfile(GENERATE OUTPUT " +
                     Source + " CONTENT \"\")\nadd_library(" + Own +
                     " OBJECT " + Source + R"()
foreach(Property COMPILE_DEFINITIONS COMPILE_FEATURES COMPILE_OPTIONS
    INCLUDE_DIRECTORIES)
  set_property(TARGET )" +
                     Own + R"( PROPERTY ${Property}
    "$<TARGET_PROPERTY:)" +
                     First + R"(,${Property}>")
endforeach()
foreach(Property COMPILE_FLAGS CXX_EXTENSIONS CXX_STANDARD CXX_VISIBILITY_PRESET
    POSITION_INDEPENDENT_CODE VISIBILITY_INLINES_HIDDEN)
  get_target_property(Value )" +
                     First + R"( ${Property})
  if(NOT Value MATCHES "-NOTFOUND$")
    set_property(TARGET )" +
                     Own + R"( PROPERTY ${Property} "${Value}")
  endif()
endforeach()
target_precompile_headers()" +
                     Own + " PRIVATE" + Headers + ")\n";
  std::string Line = "foreach(Target";
  for (const std::string &Name : Targets) {
    if (Line.size() + Name.size() > LineBytes) {
      Text += Line + "\n";
      Line = "   ";
    }
    Line += " " + Name;
  }
  return Text + Line + ")\n  target_precompile_headers(${Target} REUSE_FROM " +
         Own + ")\nendforeach()";
}

} // namespace

bool instantrace::hasCSources(const std::set<std::string> &Objects) {
  return std::any_of(
      Objects.begin(), Objects.end(), [](const std::string &Folder) {
        std::error_code Failed;
        std::filesystem::recursive_directory_iterator File(Folder, Failed), End;
        for (size_t Left = MostObjects; Left != 0 && !Failed && File != End;
             --Left, File.increment(Failed))
          if (File->path().string().ends_with(".c.o"))
            return true;
        return false;
      });
}

std::string
instantrace::cmakeSnippet(const std::set<std::string> &Targets,
                          const std::set<std::string> &Objects,
                          const std::vector<std::string> &Includes) {
  const bool IsShared = Targets.size() > 1;
  const bool HasC = !IsShared && hasCSources(Objects);
  std::string Headers;
  for (const std::string &Include : Includes)
    Headers += "\n  " + (HasC ? cxxOnly(Include) : Include);
  if (IsShared)
    return sharedSnippet(Targets, freeName(*Targets.begin(), Objects), Headers);
  return "target_precompile_headers(" + *Targets.begin() + " PRIVATE" +
         Headers + ")";
}

/// Meson wants it in a folder of its own, and sources are not to include it.
std::string
instantrace::mesonSnippet(const std::string &Target,
                          const std::vector<std::string> &Includes) {
  std::string Header = "pch/" + Target + "_pch.hpp";
  return "// " + Header + ", beside the meson.build of " + Target +
         ", whose call there gets\n//   cpp_pch: '" + Header + "'" +
         linesOf(Includes);
}

std::string
instantrace::compilerSnippet(const std::vector<std::string> &Includes) {
  return "// pch.h; once: clang++ OPTIONS -fpch-instantiate-templates \\\n"
         "//                -x c++-header pch.h -o pch.h.pch\n"
         "// then each compile: clang++ OPTIONS -include-pch pch.h.pch ..." +
         linesOf(Includes);
}
