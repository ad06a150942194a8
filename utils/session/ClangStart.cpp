#include "utils/session/ClangStart.h"

#include "utils/session/BuildEnvironment.h"

#include <algorithm>
#include <array>

using namespace instantrace;

namespace {

constexpr std::string_view Cleared = "Clang (environment cleared)";
constexpr std::string_view Replaced = "Clang (CCC_OVERRIDE_OPTIONS replaced)";
constexpr std::string_view Disabled = "Clang (INSTANTRACE_DISABLE set)";

template <size_t Count>
bool contains(const std::array<std::string_view, Count> &All,
              std::string_view Text) {
  return std::find(All.begin(), All.end(), Text) != All.end();
}

std::string_view endingOf(std::string_view Name) {
  size_t Dot = Name.rfind('.');
  return Dot == Name.npos || Name.find('/', Dot) != Name.npos
             ? std::string_view()
             : Name.substr(Dot);
}

bool hasCxxEnding(std::string_view Name) {
  constexpr std::array<std::string_view, 17> Endings = {
      ".cc",   ".cp",  ".cpp", ".cxx", ".c++", ".C",  ".CC",  ".CPP", ".ii",
      ".cppm", ".ccm", ".ixx", ".mm",  ".mii", ".cu", ".hip", ".cxxm"};
  return contains(Endings, endingOf(Name));
}

/// That may be one, of another language or one that -x names.
bool hasOtherEnding(std::string_view Name) {
  constexpr std::array<std::string_view, 8> Endings = {
      ".c", ".h", ".hpp", ".hh", ".hxx", ".i", ".inc", ".inl"};
  return Name == "-" || contains(Endings, endingOf(Name));
}

bool isCxxLanguage(std::string_view Name) {
  return Name.starts_with("c++") || Name.starts_with("objective-c++") ||
         Name.starts_with("cuda") || Name.starts_with("hip");
}

/// Options whose next argument may look like a source.
bool takesNext(std::string_view Option) {
  constexpr std::array<std::string_view, 22> Options = {"-o",
                                                        "-include",
                                                        "-imacros",
                                                        "-MF",
                                                        "-MT",
                                                        "-MQ",
                                                        "-MJ",
                                                        "-I",
                                                        "-isystem",
                                                        "-iquote",
                                                        "-D",
                                                        "-U",
                                                        "-Xclang",
                                                        "-mllvm",
                                                        "-T",
                                                        "-main-file-name",
                                                        "-dwarf-debug-flags",
                                                        "-dependency-file",
                                                        "-include-pch",
                                                        "-split-dwarf-output",
                                                        "-split-dwarf-file",
                                                        "-header-include-file"};
  return contains(Options, Option);
}

/// Where it is given, no C++ is compiled.
bool compilesNothing(std::string_view Option) {
  constexpr std::array<std::string_view, 13> Options = {
      "-E",        "-M",     "-MM",    "-###",     "--analyze",
      "--version", "-cc1as", "-Eonly", "-analyze", "-cc1gen-reproducer",
      "/E",        "/EP",    "/P"};
  return contains(Options, Option) || Option.starts_with("-print-") ||
         Option.starts_with("--print-");
}

} // namespace

bool instantrace::isClangProgram(std::string_view FileName) {
  constexpr std::string_view Clang = "clang";
  if (!FileName.starts_with(Clang))
    return false;
  std::string_view Rest = FileName.substr(Clang.size());
  return Rest.empty() ||
         (Rest.size() > 1 && Rest[0] == '-' &&
          Rest.find_first_not_of("0123456789.", 1) == Rest.npos);
}

bool instantrace::isClangJob(const std::vector<std::string> &Arguments) {
  return Arguments.size() > 1 && Arguments[1].starts_with("-cc1");
}

std::vector<std::string>
instantrace::clangSources(const std::vector<std::string> &Arguments) {
  std::vector<std::string> Sources;
  if (Arguments.empty())
    return Sources;
  // clang++ takes C for C++, and says so.
  bool IsCxx =
      !isClangJob(Arguments) &&
      Arguments[0].find("++", Arguments[0].rfind('/') + 1) != std::string::npos;
  bool IsForced = false, HasOnlyFiles = false;
  for (size_t I = 1; I < Arguments.size(); ++I) {
    std::string_view Argument = Arguments[I];
    bool IsOption = !HasOnlyFiles && Argument.size() > 1 && Argument[0] == '-';
    if (!HasOnlyFiles && compilesNothing(Argument))
      return {};
    if (IsOption && Argument == "--") {
      HasOnlyFiles = true;
    } else if (IsOption && Argument.starts_with("-x")) {
      std::string_view Language = Argument.substr(2);
      if (Language.empty() && I + 1 < Arguments.size())
        Language = Arguments[++I];
      IsForced = Language != "none";
      IsCxx = isCxxLanguage(Language);
    } else if (IsOption) {
      I += takesNext(Argument);
    } else if (IsForced ? IsCxx && (hasCxxEnding(Argument) ||
                                    hasOtherEnding(Argument))
                        : hasCxxEnding(Argument) ||
                              (IsCxx && endingOf(Argument) == ".c")) {
      Sources.emplace_back(Argument);
    }
  }
  return Sources;
}

std::string
instantrace::whyWithoutPlugin(const std::vector<std::string> &Arguments,
                              const std::vector<std::string> &Environment) {
  std::string Disable = variableOf(Environment, "INSTANTRACE_DISABLE");
  if (!Disable.empty() && Disable != "0")
    return std::string(Disabled);
  auto isNamedIn = [](const std::string &Text) {
    return Text.find("/libinstantrace.so") != Text.npos;
  };
  if (isNamedIn(variableOf(Environment, "CCC_OVERRIDE_OPTIONS")) ||
      std::any_of(Arguments.begin(), Arguments.end(), isNamedIn))
    return {};
  return std::string(variableOf(Environment, "INSTANTRACE_COLLECTOR").empty()
                         ? Cleared
                         : Replaced);
}

std::string_view instantrace::remedyFor(std::string_view Reason) {
  if (Reason == Replaced)
    return "append what `instantrace --print-override` says to the build's own";
  if (Reason == Disabled)
    return "leave INSTANTRACE_DISABLE unset";
  return "pass CCC_OVERRIDE_OPTIONS and INSTANTRACE_* on, or compile with "
         "-fplugin= and output=";
}
