#include "utils/session/CompilerProbe.h"

#include "utils/open/Leftovers.h"
#include "utils/session/CommandOutput.h"

#include <algorithm>
#include <array>
#include <charconv>

using namespace instantrace;

namespace {

constexpr int ProbePatienceMs = 10'000;

/// The number behind "clang version "; 0: there is none.
int clangMajor(std::string_view Version) {
  constexpr std::string_view Marker = "clang version ";
  size_t Offset = Version.find(Marker);
  int Major = 0;
  if (Offset != Version.npos)
    std::from_chars(Version.data() + Offset + Marker.size(),
                    Version.data() + Version.size(), Major);
  return Major;
}

std::string whySilent(const CommandOutput &Said) {
  if (Said.StartError != 0)
    return systemMessage(Said.StartError);
  if (Said.IsTooLate)
    return "does not end";
  if (Said.Signal != 0)
    return "ends by signal " + std::to_string(Said.Signal);
  return "fails with exit code " + std::to_string(Said.ExitCode);
}

} // namespace

bool instantrace::isCompilerName(std::string_view FileName) {
  constexpr std::array<std::string_view, 7> Names = {
      "clang", "clang++", "clang-cl", "gcc", "g++", "cc", "c++"};
  size_t End = FileName.find_last_not_of("0123456789.");
  if (End != FileName.npos && End + 1 != FileName.size() &&
      FileName[End] == '-')
    FileName = FileName.substr(0, End);
  return std::any_of(Names.begin(), Names.end(), [&](std::string_view Name) {
    return FileName.ends_with(Name) &&
           (FileName.size() == Name.size() ||
            FileName[FileName.size() - Name.size() - 1] == '-');
  });
}

Compiler instantrace::probeCompiler(const std::string &Program) {
  CommandOutput Said = runShortly({Program, "--version"}, ProbePatienceMs);
  Compiler C;
  if (!Said.isGood()) {
    C.Version = whySilent(Said);
    return C;
  }
  C.Version = firstLine(Said.Text);
  C.Major = clangMajor(C.Version);
  C.Kind = C.Version.starts_with("Apple ") ? CompilerKind::AppleClang
           : C.Major != 0                  ? CompilerKind::Clang
           : Said.Text.find("Free Software Foundation") != Said.Text.npos
               ? CompilerKind::Gcc
               : CompilerKind::Unknown;
  return C;
}

std::string instantrace::majorsText(const std::vector<int> &Majors) {
  std::string Text = Majors.empty() ? "none" : "";
  for (size_t I = 0; I != Majors.size(); ++I)
    Text += (I == 0                   ? ""
             : I + 1 == Majors.size() ? " and "
                                      : ", ") +
            std::to_string(Majors[I]);
  return Text;
}

std::string instantrace::whyNoProfile(const Compiler &C,
                                      const std::vector<int> &Majors) {
  switch (C.Kind) {
  case CompilerKind::Silent:
    return C.Version;
  case CompilerKind::Gcc:
    return "GCC (" + C.Version + "), which cannot load the plugin";
  case CompilerKind::AppleClang:
    return "Apple's Clang (" + C.Version + "), which cannot load the plugin";
  case CompilerKind::Unknown:
    return "a program that says '" + C.Version + "' of its version";
  case CompilerKind::Clang:
    break;
  }
  if (std::find(Majors.begin(), Majors.end(), C.Major) != Majors.end())
    return {};
  return "Clang " + std::to_string(C.Major) +
         ", for which no module is "
         "installed";
}

std::string instantrace::moduleTodo(int Major) {
  const std::string Number = std::to_string(Major);
  return "install the package instantrace-clang-" + Number +
         ", or run `utils/dev install " + Number + "` in a checkout";
}
