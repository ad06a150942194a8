#include "utils/analysis/advice/CompiledMode.h"

#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/advice/SourceScan.h"

#include <algorithm>

using namespace instantrace;

bool instantrace::isBodiesFile(std::string_view Path) {
  const size_t Begin = Path.rfind('/') + 1;
  const std::string_view Folder = Path.substr(0, Begin);
  const std::string_view Name = Path.substr(Begin);
  const std::string_view Stem = Name.substr(0, Name.rfind('.'));
  return Stem.ends_with("-inl") || Stem.ends_with("_inl") ||
         Name.ends_with(".ipp") || Name.ends_with(".inl") ||
         Folder.ends_with("/impl/");
}

std::optional<LineSwitch> instantrace::lineSwitch(const std::string &Text,
                                                  uint32_t LineNo,
                                                  MacroNames Defined,
                                                  std::string_view Except) {
  auto isKept = [LineNo](const ConditionalText &C) {
    return LineNo <= C.IsKept.size() && C.IsKept[LineNo - 1] != Truth::No;
  };
  std::optional<LineSwitch> Best;
  std::vector<std::string> Names = macrosAround(Text, LineNo);
  // Or who decides in the same file whether one of them is defined.
  for (size_t I = 0, End = Names.size(); I != End; ++I)
    if (const uint32_t DefinedAt = definitionLine(Text, Names[I]))
      for (std::string &Name : macrosAround(Text, DefinedAt))
        Names.push_back(std::move(Name));
  for (const std::string &Name : Names) {
    if (isReservedName(Name) || Name == "defined" || Name == Except)
      continue;
    const bool IsDefined = !Defined.insert(Name).second;
    const ConditionalText Has = conditionalText(Text, Defined);
    Defined.erase(Name);
    // Nothing but the macro itself is known not to be defined.
    const ConditionalText Lacks = conditionalText(Text, Defined, Name);
    if (IsDefined)
      Defined.insert(Name);
    // The macro of an include guard leaves nothing.
    bool IsAny =
        std::any_of(Has.Kept.begin(), Has.Kept.end(),
                    [](const Directive &D) { return D.Word != "pragma"; });
    for (size_t I = 0; I != Has.IsKept.size(); ++I)
      IsAny |= Has.HasCode[I] && Has.IsKept[I] != Truth::No;
    if (isKept(Has) == isKept(Lacks) || !IsAny)
      continue;
    const bool SaysMode = Name.find("COMPIL") != Name.npos;
    if (!Best || SaysMode)
      Best = {Name, isKept(Has)};
    if (SaysMode)
      break;
  }
  return Best;
}

uint32_t instantrace::definitionLine(const std::string &Text,
                                     std::string_view Macro) {
  if (Text.find(Macro) == Text.npos)
    return 0;
  for (const Directive &D : conditionalText(Text, {}).Kept)
    if (D.Word == "define" && macroName(D.Rest) == Macro)
      return D.LineNo;
  return 0;
}

namespace {

/// Macros that make a function inline, or static.
void addInline(MacroNames &Names, const ConditionalText &Text) {
  for (const Directive &D : Text.Kept)
    if (D.Word == "define")
      for (std::string_view Keyword : {"static", "inline"})
        if (D.Rest.find(Keyword, macroName(D.Rest).size()) != D.Rest.npos)
          Names.emplace(macroName(D.Rest));
}

/// One of them stands before the name in the declaration.
bool isDeclaredWith(const SourceScan &Scan, const SourceScan::Declaration &D,
                    const FileSet &Macros) {
  for (uint32_t I = D.FirstMention;
       I != D.EndMention && Scan.Mentions[I].Word != D.Word; ++I)
    if (Macros.contains(Scan.Mentions[I].Word))
      return !Scan.isMacro(D.Word);
  return false;
}

} // namespace

ModeCheck instantrace::checkMode(
    const ModeMacros &Mode, const std::vector<const std::string *> &Headers,
    const std::vector<const std::string *> &Files, AskedMacros &Asked) {
  ModeCheck Check;
  WordTable Words;
  MacroNames Before, After;
  FileSet Promised, Inline, Defined;
  std::vector<SourceScan> Scans;
  for (const std::string *Text : Headers) {
    const MacroNames &AskedHere = Asked.in(*Text);
    const auto Switch = std::find_if(
        Mode.Switches.begin(), Mode.Switches.end(),
        [&](const auto &Name) { return AskedHere.contains(Name); });
    if (Switch == Mode.Switches.end())
      continue;
    const std::string_view Prefix = libraryPrefix(*Switch);
    addInline(Before, conditionalText(*Text, Mode.HeaderOnly, Prefix));
    const ConditionalText Compiled =
        conditionalText(*Text, Mode.Compiled, Prefix);
    addInline(After, Compiled);
    const std::string Removed = codeLines(
        *Text, partBetween(*Text, Mode.Compiled, Mode.HeaderOnly, Prefix),
        /*IsIn=*/true);
    const std::string Added = codeLines(
        *Text, partBetween(*Text, Mode.HeaderOnly, Mode.Compiled, Prefix),
        /*IsIn=*/true);
    // Who explicitly instantiates it is a source that is not here.
    if (!scanSource(Removed, Words).Bodies.empty() ||
        Added.find("extern template") != Added.npos)
      Check.IsWhole = false;
    for (const Directive &D : Compiled.Kept)
      if (D.Word == "error" && Compiled.IsKept[D.LineNo - 1] == Truth::Yes)
        Check.IsWhole = false;
    Scans.push_back(scanSource(*Text, Words));
    for (uint32_t Word : Scans.back().Promised)
      Promised.insert(Word);
  }
  if (std::includes(After.begin(), After.end(), Before.begin(), Before.end()))
    return Check;
  for (const std::string &Name : After)
    Inline.insert(Words.numberOf(Name));
  for (const std::string *Text : Files) {
    const SourceScan Scan = scanSource(*Text, Words);
    for (const SourceScan::Body &B : Scan.Bodies) {
      Defined.insert(B.Function);
      if (B.IsTemplate)
        Check.Templates.insert(Words.word(B.Function));
      else if (Promised.contains(B.Scope))
        (B.IsInline ? Check.IsWhole : Check.HasMode) = !B.IsInline;
    }
    for (const auto *Declared : {&Scan.Declarations, &Scan.Internal})
      for (const SourceScan::Declaration &D : *Declared)
        if (isDeclaredWith(Scan, D, Inline))
          Check.IsWhole = false;
  }
  for (const SourceScan &Scan : Scans)
    for (const SourceScan::Declaration &D : Scan.Declarations)
      if (Defined.contains(D.Word) && isDeclaredWith(Scan, D, Inline))
        Check.IsWhole = false;
  return Check;
}
