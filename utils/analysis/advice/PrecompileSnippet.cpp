#include "utils/analysis/advice/PrecompileSnippet.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

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
std::string freeName(const std::string &Name,
                     const std::set<std::string> &Objects) {
  const std::string List = targetList(Objects);
  std::string Free = Name;
  for (int Number = 2; List.find("/" + Free + ".dir") != List.npos; ++Number)
    Free = Name + std::to_string(Number);
  return Free;
}

/// Lines of CMake, further in.
std::string indented(std::string_view Lines, size_t Columns) {
  std::string Text;
  while (!Lines.empty()) {
    const size_t End = std::min(Lines.find('\n'), Lines.size() - 1) + 1;
    Text.append(Columns, ' ').append(Lines.substr(0, End));
    Lines.remove_prefix(End);
  }
  return Text;
}

/// \p Own: an object library that compiles as \p First does. It asks for what
/// others link only when the build is written, which makes it wait for nothing.
/// Folders that it includes from are not known as the system's then, unless all
/// are.
std::string objectLibrary(const std::string &Own, const std::string &First,
                          const std::string &Source, bool IsOfSystem) {
  const std::string Folders =
      IsOfSystem ? "target_include_directories(" + Own +
                       " SYSTEM PRIVATE\n  \"$<TARGET_PROPERTY:" + First +
                       ",INCLUDE_DIRECTORIES>\")\n"
                 : "";
  return "add_library(" + Own + " OBJECT " + Source + ")\n" + Folders +
         "foreach(Property COMPILE_DEFINITIONS COMPILE_FEATURES "
         "COMPILE_OPTIONS" +
         (IsOfSystem ? "" : "\n    INCLUDE_DIRECTORIES") + R"()
  set_property(TARGET )" +
         Own + R"( PROPERTY ${Property}
    "$<TARGET_PROPERTY:)" +
         First + R"(,${Property}>")
endforeach()
foreach(Property COMPILE_FLAGS CXX_EXTENSIONS CXX_STANDARD CXX_VISIBILITY_PRESET
    POSITION_INDEPENDENT_CODE VISIBILITY_INLINES_HIDDEN)
  get_target_property(Value )" +
         First + R"( ${Property})
  if(Value MATCHES "-NOTFOUND$")
    set(Value)
  endif()
  set_property(TARGET )" +
         Own + R"( PROPERTY ${Property} ${Value})
endforeach()
)";
}

/// Who reuses a target's precompiled header waits until that is linked: so it
/// is made for a target that has nothing to link.
std::string libraryLines(const std::string &Own, const std::string &First,
                         const std::string &Headers) {
  const std::string Source = "${CMAKE_CURRENT_BINARY_DIR}/" + Own + ".cpp";
  return "file(GENERATE OUTPUT " + Source + " CONTENT \"\")\n" +
         objectLibrary(Own, First, Source, /*IsOfSystem=*/false) +
         "target_precompile_headers(" + Own + " PRIVATE" + Headers + ")\n";
}

/// \p Line, for each \p Names, which it has as ${Target}.
template <class List>
std::string forEach(const List &Names, const std::string &Line) {
  constexpr size_t LineBytes = 76;
  std::string Text, Head = "foreach(Target";
  for (const std::string &Name : Names) {
    if (Head.size() + Name.size() > LineBytes) {
      Text += Head + "\n";
      Head = "   ";
    }
    Head += " " + Name;
  }
  return Text + Head + ")\n  " + Line + "\nendforeach()";
}

std::string placeComment(const std::string &First) {
  return "# in the CMakeLists.txt of " + First +
         ", below all of these targets\n";
}

/// The first \p Most of them, and how many are not among these.
std::pair<std::vector<std::string>, size_t>
firstNames(const std::set<std::string> &Names, size_t Most) {
  const size_t Count = std::min(Names.size(), Most);
  return {{Names.begin(), std::next(Names.begin(), ptrdiff_t(Count))},
          Names.size() - Count};
}

std::string moreNames(size_t Count) {
  return Count == 0
             ? std::string()
             : "# and " + std::to_string(Count) + " more, which --json has\n";
}

/// Behind all of the targets.
std::string listSnippet(const CMakeGroup &For, const std::string &Headers,
                        size_t MostNames) {
  const std::string &First = *For.Targets.begin();
  const std::string Own = freeName(First + "_pch", For.Objects);
  const auto [Names, More] = firstNames(For.Targets, MostNames);
  return placeComment(First) + libraryLines(Own, First, Headers) +
         moreNames(More) +
         forEach(Names,
                 "target_precompile_headers(${Target} REUSE_FROM " + Own + ")");
}

/// Where the call is that makes them: the first of them makes the library.
std::string callSnippet(const CMakeGroup &For, const std::string &Headers,
                        size_t MostNames) {
  const CMakeCall &Call = *For.Call;
  const std::string Own = freeName(*For.Targets.begin() + "_pch", For.Objects);
  std::set<std::string> Others;
  std::set_difference(Call.Made.begin(), Call.Made.end(), For.Targets.begin(),
                      For.Targets.end(), std::inserter(Others, Others.end()));
  std::string Text, Condition = "if(TARGET " + Call.Target;
  if (!Others.empty()) {
    const bool IsOthers = Others.size() <= For.Targets.size();
    const auto [Names, More] =
        firstNames(IsOthers ? Others : For.Targets, MostNames);
    Text = moreNames(More);
    Condition += std::string(IsOthers ? " AND NOT \"" : " AND \"") +
                 Call.Target + "\" MATCHES\n    \"^(";
    for (const std::string &Name : Names) {
      Condition += &Name == &Names.front() ? "" : "|";
      for (char C : Name)
        Condition +=
            C == '.' || C == '+' ? std::string{'[', C, ']'} : std::string{C};
    }
    Condition += ")$\"";
  }
  return Text + Condition + ")\n  if(NOT TARGET " + Own + ")\n" +
         indented(libraryLines(Own, Call.Target, Headers), 4) +
         "  endif()\n  target_precompile_headers(" + Call.Target +
         " REUSE_FROM " + Own + ")\nendif()";
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

std::string instantrace::cmakeSnippet(const CMakeGroup &For,
                                      const std::vector<std::string> &Includes,
                                      size_t MostNames) {
  const bool IsShared = For.Targets.size() > 1;
  const bool HasC = !IsShared && hasCSources(For.Objects);
  std::string Headers;
  for (const std::string &Include : Includes)
    Headers += "\n  " + (HasC ? cxxOnly(Include)
                         : For.Call && Include.front() != '<'
                             ? "${CMAKE_SOURCE_DIR}/" + Include
                             : Include);
  if (For.Call)
    return callSnippet(For, Headers, MostNames);
  if (IsShared)
    return listSnippet(For, Headers, MostNames);
  return "target_precompile_headers(" + *For.Targets.begin() + " PRIVATE" +
         Headers + ")";
}

std::string instantrace::objectLibrarySnippet(
    const std::set<std::string> &Targets, const std::set<std::string> &Objects,
    const std::vector<std::string> &Sources, bool IsOfSystem,
    const std::string &Definition) {
  const std::string &First = *Targets.begin();
  std::string Source;
  for (const std::string &Each : Sources)
    Source += (Source.empty() ? "" : "\n  ") + Each;
  auto define = [&Definition](const std::string &Target, const char *Indent) {
    return Definition.empty() ? ""
                              : "target_compile_definitions(" + Target +
                                    " PRIVATE " + Definition + ")\n" + Indent;
  };
  if (Targets.size() == 1)
    return "# in the CMakeLists.txt of " + First + ", below the target\n" +
           define(First, "") + "target_sources(" + First + " PRIVATE " +
           Source + ")";
  const std::string &Named = Sources.front();
  const size_t Name = Named.rfind('/') + 1;
  // Each group of equal options has one: the first target tells them apart.
  const std::string Own = freeName(
      First + "_" + Named.substr(Name, Named.rfind('.') - Name), Objects);
  return placeComment(First) + objectLibrary(Own, First, Source, IsOfSystem) +
         forEach(Targets,
                 define("${Target}", "  ") +
                     "target_sources(${Target} PRIVATE $<TARGET_OBJECTS:" +
                     Own + ">)");
}

/// Made where the call is.
SourceEdit instantrace::cmakeEdit(const CMakeCall &Call,
                                  const std::string &Snippet) {
  return {Call.path(), Call.EndLineNo,
          indented(Snippet + "\n", Call.EndLineNo == 0 ? 0 : 2),
          /*KeepsLine=*/true, /*IsOfBuild=*/true};
}

std::string instantrace::cmakePlace(const CMakeCall &Call) {
  const std::string Line = std::to_string(Call.EndLineNo);
  return Call.EndLineNo == 0 ? "# at the end of " + Call.File + "\n"
         : Call.Function.empty()
             ? "# before line " + Line + " of " + Call.File +
                   ", the end of the loop\n"
             : "# before line " + Line + " of " + Call.File + ", the end of " +
                   Call.Function + "()\n";
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
