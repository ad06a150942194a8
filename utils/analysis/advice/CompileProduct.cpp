#include "utils/analysis/advice/CompileProduct.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

using namespace instantrace;

namespace {

bool endsWithAny(std::string_view Name,
                 std::span<const std::string_view> Endings) {
  return std::any_of(
      Endings.begin(), Endings.end(),
      [Name](std::string_view Ending) { return Name.ends_with(Ending); });
}

// As in Clang's Types.cpp.
constexpr std::array<std::string_view, 6> HeaderEndings = {
    ".h", ".hh", ".hp", ".hpp", ".hxx", ".H"};
constexpr std::array<std::string_view, 4> InterfaceEndings = {".cppm", ".ccm",
                                                              ".cxxm", ".c++m"};
constexpr std::array<std::string_view, 2> PrecompiledEndings = {".pch", ".gch"};

/// Of a word that says so by itself.
std::optional<CompileProduct> productOfOption(std::string_view Word) {
  if (Word == "-emit-pch" || Word == "-emit-header-unit" ||
      Word.starts_with("-fmodule-header"))
    return CompileProduct::Header;
  if (Word == "-emit-module" || Word == "-emit-module-interface" ||
      Word == "-emit-reduced-module-interface" || Word == "-fmodule-output" ||
      Word.starts_with("-fmodule-output="))
    return CompileProduct::ModuleInterface;
  return std::nullopt;
}

/// Behind -x.
CompileProduct productOfLanguage(std::string_view Language) {
  if (Language.find("-header") != Language.npos)
    return CompileProduct::Header;
  return Language.ends_with("-module") ? CompileProduct::ModuleInterface
                                       : CompileProduct::Object;
}

} // namespace

CompileProduct instantrace::productOf(const Sequence &S) {
  if (!S.Session)
    return CompileProduct::Object;
  const TraceSession &Session = *S.Session;
  std::string_view Language;
  for (size_t Index = 0; Index != Session.Argv.size(); ++Index) {
    std::string_view Word = Session.Argv[Index];
    if (std::optional<CompileProduct> Known = productOfOption(Word))
      return *Known;
    if (Word == "-x" && Index + 1 != Session.Argv.size())
      Language = Session.Argv[Index + 1];
    else if (Word.starts_with("-x"))
      Language = Word.substr(2);
  }
  if (!Language.empty() && Language != "none")
    return productOfLanguage(Language);
  if (endsWithAny(Session.Object, PrecompiledEndings) ||
      endsWithAny(Session.Input, HeaderEndings))
    return CompileProduct::Header;
  return Session.Object.ends_with(".pcm") ||
                 endsWithAny(Session.Input, InterfaceEndings)
             ? CompileProduct::ModuleInterface
             : CompileProduct::Object;
}
