/// \file
/// Which compiles can share a precompiled header, by what is known of each.
///
/// Flow:   TraceSession -> [BuildTarget] -> Precompile
#pragma once

#include "runtime/read/Trace.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace instantrace {

struct BuildTarget {
  std::string Name; ///< empty: none
  bool IsMeson = false;
  friend auto operator<=>(const BuildTarget &, const BuildTarget &) = default;
};

/// Of the target's file, such as libx.so.1.2.
inline std::string mesonTarget(std::string_view File) {
  size_t Ending = std::min(File.find(".so."), File.size());
  for (std::string_view Kind : {".a", ".so"})
    if (File.ends_with(Kind))
      Ending = File.size() - Kind.size();
  if (Ending == File.size() || Ending == 0)
    return std::string(File);
  std::string_view Name = File.substr(0, Ending);
  if (Name.starts_with("lib") && Name.size() > 3)
    Name.remove_prefix(3);
  return std::string(Name);
}

/// By the object's folder: CMake's has the name of the target, Meson's that of
/// its file.
inline BuildTarget targetOf(std::string_view Object) {
  constexpr std::string_view OfCMake = ".dir", OfMeson = ".p";
  BuildTarget Target;
  for (size_t Index = 0; Index < Object.size();) {
    size_t End = std::min(Object.find('/', Index), Object.size());
    std::string_view Folder = Object.substr(Index, End - Index);
    bool IsLast = End == Object.size();
    auto isOf = [&](std::string_view Ending) {
      return !IsLast && Folder.size() > Ending.size() &&
             Folder.ends_with(Ending);
    };
    if (isOf(OfCMake))
      Target = {std::string(Folder.substr(0, Folder.size() - OfCMake.size())),
                false};
    else if (isOf(OfMeson))
      Target = {mesonTarget(Folder.substr(0, Folder.size() - OfMeson.size())),
                true};
    Index = End + 1;
  }
  return Target;
}

/// Where CMake's folder for a target's objects ends; npos: it is not CMake's.
inline size_t cmakeFolderEnd(std::string_view Object) {
  constexpr std::string_view Mark = ".dir/";
  const size_t Found = Object.rfind(Mark);
  return Found == Object.npos ? Found : Found + Mark.size() - 1;
}

/// The source, as CMake's call for the target names it; empty: it is not
/// CMake's, or several in one. CMake writes "__" for a folder above.
inline std::string cmakeSource(std::string_view Object) {
  const size_t FolderEnd = cmakeFolderEnd(Object);
  if (FolderEnd == Object.npos)
    return {};
  std::string_view File = Object.substr(FolderEnd + 1);
  std::string Source;
  if (File.starts_with("Unity/"))
    return {};
  for (; File.starts_with("__/"); File.remove_prefix(3))
    Source += "../";
  return Source.append(File.substr(0, File.rfind('.')));
}

/// The folder of the target's objects; empty: it is not CMake's.
inline std::string cmakeObjects(const std::string &WorkingDirectory,
                                const std::string &Object) {
  const std::string Folder = Object.substr(0, cmakeFolderEnd(Object));
  if (Folder.size() == Object.size())
    return {};
  return Folder.starts_with('/') ? Folder : WorkingDirectory + "/" + Folder;
}

/// Where CMake writes what belongs to one CMakeLists.txt, of a folder of
/// objects.
inline std::string cmakeBuildFolder(const std::string &Objects) {
  return Objects.substr(0, Objects.rfind("/CMakeFiles/"));
}

/// Whether "gnu++20" is C++20 or later. Its digits are those of a year.
inline bool hasImports(std::string_view Standard) {
  size_t Offset = Standard.find("++");
  return Offset != Standard.npos && Standard.size() == Offset + 4 &&
         Standard[Offset + 2] == '2';
}

/// What has to be the same for one precompiled header.
inline std::vector<std::string_view> optionWords(const TraceSession &Session) {
  std::vector<std::string_view> Options;
  const std::vector<std::string> &Argv = Session.Argv;
  for (size_t I = 1; I < Argv.size(); ++I) {
    std::string_view Word = Argv[I];
    if (Word == "-o" || Word == "-MF" || Word == "-MT" || Word == "-MQ" ||
        Word == "-MJ")
      ++I; // and what it names
    else if (Word != "-c" && Word != Session.Input && !Word.starts_with("-M") &&
             (!Word.starts_with("-W") || Word.starts_with("-Wp,")) &&
             !Word.starts_with("-fplugin"))
      Options.push_back(Word);
  }
  return Options;
}

/// Likewise, one to a line.
inline std::string optionsOf(const TraceSession &Session) {
  std::string Options;
  for (std::string_view Word : optionWords(Session))
    Options.append(Word).append("\n");
  return Options;
}

} // namespace instantrace
