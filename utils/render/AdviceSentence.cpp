#include "utils/render/AdviceSentence.h"

#include "runtime/base/PrintableText.h"
#include "utils/analysis/advice/IncludeNames.h"
#include "utils/render/NameElision.h"
#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/RecordText.h"

#include <algorithm>
#include <vector>

using namespace instantrace;

namespace {

constexpr size_t AdviceNamesListed = 3;

class AdviceWords {
public:
  AdviceWords(const Suggestion &S, const Trace &T, const NameStyle &Style,
              size_t NameColumns, const ShownPath &Shown)
      : S(S), T(T), Style(Style), NameColumns(NameColumns), Shown(Shown) {}

  std::string text() const;

private:
  const AdviceEvidence *evidence(EvidenceKey Key) const {
    auto Found =
        std::find_if(S.Evidence.begin(), S.Evidence.end(),
                     [Key](const AdviceEvidence &E) { return E.Key == Key; });
    return Found == S.Evidence.end() ? nullptr : &*Found;
  }
  bool hasSeveral(EvidenceKey Key) const {
    return std::count_if(
               S.Evidence.begin(), S.Evidence.end(),
               [Key](const AdviceEvidence &E) { return E.Key == Key; }) > 1;
  }
  std::string units(EvidenceKey Key) const {
    const AdviceEvidence *E = evidence(Key);
    return counted(E ? E->Count : 0, "unit");
  }
  std::string count(EvidenceKey Key) const {
    const AdviceEvidence *E = evidence(Key);
    return groupedText(E ? E->Count : 0);
  }
  /// "<regex>, <future> and 3 more".
  std::string names(EvidenceKey Key, uint64_t More = 0) const;
  std::string name() const {
    return elidedName(T, S.Subject, Style, NameColumns);
  }
  std::string header() const {
    return printableText(Shown(S.Subject.text(T, Style, RecordNameBytes)));
  }
  /// As in an #include, if it is not a file of the project.
  std::string written() const {
    const std::string Path = S.Subject.text(T, Style, RecordNameBytes);
    const std::string Name = includeName(Path);
    return Name != Path && Shown(Path) == Path ? "<" + printableText(Name) + ">"
                                               : header();
  }
  std::string place() const {
    return S.Place.empty() ? "" : " " + printableText(Shown(S.Place));
  }
  /// ", list.h:4", of where the subject is declared.
  std::string atPlace() const { return S.Place.empty() ? "" : "," + place(); }
  bool isSystem() const { return S.Snippet.empty(); }
  /// Up to whether it is one that is compiled.
  std::string moreSources() const {
    const AdviceEvidence *More = evidence(EvidenceKey::MoreSources);
    return More ? " and " + groupedText(More->Count) + " more once: they are"
                : " once: it is";
  }
  /// " of target app": as the subject ends.
  std::string ofTargets() const {
    const std::string Subject = S.Subject.text(T, Style, RecordNameBytes);
    const size_t Begin = Subject.find(" of ");
    return Begin == Subject.npos ? "" : printableText(Subject.substr(Begin));
  }

  const Suggestion &S;
  const Trace &T;
  const NameStyle &Style;
  const size_t NameColumns;
  const ShownPath &Shown;
};

std::string AdviceWords::names(EvidenceKey Key, uint64_t More) const {
  std::vector<std::string> List;
  for (const AdviceEvidence &E : S.Evidence)
    if (E.Key == Key)
      List.push_back(printableText(E.Name.text(T, Style, RecordNameBytes)));
  if (List.size() > AdviceNamesListed) {
    More += List.size() - AdviceNamesListed;
    List.resize(AdviceNamesListed);
  }
  if (More != 0)
    List.push_back(groupedText(More) + " more");
  std::string Text;
  for (size_t I = 0; I != List.size(); ++I)
    Text += (I == 0 ? "" : I + 1 == List.size() ? " and " : ", ") + List[I];
  return Text;
}

std::string AdviceWords::text() const {
  switch (S.Kind) {
  case AdviceKind::Precompile: {
    const AdviceEvidence *More = evidence(EvidenceKey::MoreHeaders);
    return "Precompile " + names(EvidenceKey::Header, More ? More->Count : 0) +
           " for " + units(EvidenceKey::Readers) + ofTargets() + atPlace();
  }
  case AdviceKind::NarrowInclude: {
    const AdviceEvidence *Enough = evidence(EvidenceKey::Enough);
    std::string Parts =
        Enough ? Enough->Name.text(T, Style, RecordNameBytes) : std::string();
    const AdviceEvidence *Sources = evidence(EvidenceKey::NewIncluder);
    if (Parts.empty() || Parts == "nothing of it")
      return "Remove " + written() + (S.Place.empty() ? "" : " from") +
             place() + ": " +
             (Sources ? groupedText(Sources->Count) + " " +
                            std::string(Sources->phrase())
                      : units(EvidenceKey::Enough) + " need nothing of it");
    if (hasSeveral(EvidenceKey::Enough) &&
        Enough->Ns.value_or(0) * 4 < S.Saves.EstimateNs * 3)
      return "Include what is used instead of " +
             (isSystem() ? written() : header()) + atPlace();
    return "Include " + printableText(Parts) + " instead of " + written() +
           atPlace();
  }
  case AdviceKind::ForwardDeclare:
    return "Remove " + names(EvidenceKey::UnusedInclude) + " from " + header() +
           ", or declare what it names: " + units(EvidenceKey::UnusedInclude) +
           " use nothing of them" + atPlace();
  case AdviceKind::SplitHeader:
    return "Split " + header() + ": " + units(EvidenceKey::UnusedInclude) +
           " read " + names(EvidenceKey::UnusedInclude) +
           " for it and use nothing of them" + atPlace();
  case AdviceKind::CompileOnce:
    if (evidence(EvidenceKey::Mode))
      return "Compile the functions of " + written() + " once for all of " +
             units(EvidenceKey::Readers) + ", in its compiled mode (" +
             names(EvidenceKey::Mode) + ")" + atPlace();
    if (evidence(EvidenceKey::SameOptions))
      return "Compile " + header() + moreSources() + " compiled " +
             count(EvidenceKey::SameOptions) + " times with the same options";
    return "Compile what " + names(EvidenceKey::Macro) + " turns on in " +
           written() + " once for all of " + units(EvidenceKey::Readers) +
           atPlace();
  case AdviceKind::ExternTemplate:
    if (const AdviceEvidence *Explicit = evidence(EvidenceKey::Explicit))
      return "Declare " + names(EvidenceKey::Explicit) +
             " in a header: " + printableText(Shown(Explicit->Place)) +
             " instantiates it already";
    return "Instantiate " + name() +
           " in one source file, with extern template elsewhere" + atPlace();
  case AdviceKind::UnneededHeader:
    return isSystem()
               ? "Include " + header() +
                     " only where it is needed, or less of it" + atPlace()
               : "Move what " + header() +
                     " instantiates by itself to a source file, most of "
                     "all " +
                     names(EvidenceKey::CostliestInside);
  case AdviceKind::Recursion:
    return (isSystem() ? "Give fewer elements to "
                       : "Make a fold or a loop of ") +
           name() + ", which recurses " + count(EvidenceKey::Depth) + " deep" +
           atPlace();
  case AdviceKind::DefaultArguments:
    return "Give the default argument of " + name() + " where it is used" +
           atPlace();
  case AdviceKind::EnableIf:
    return "Make the condition of " + name() + " a requires-clause" + atPlace();
  case AdviceKind::UnusedInstantiation:
    return "Replace " + name() +
           ", used once for each type, by an alias or a variable template" +
           atPlace();
  case AdviceKind::TypeIndependentPart:
    return "Move what does not depend on the type out of " + name() + atPlace();
  case AdviceKind::NeverKept:
    return "Mark " + name() +
           " [[gnu::always_inline]], since it is always inlined" + atPlace();
  case AdviceKind::Duplicates:
    return "Define " + name() + " in one source file only" + atPlace();
  case AdviceKind::ConstantEvaluation:
    return "Evaluate " + name() + " once in one unit, or generate its value" +
           atPlace();
  }
  return {};
}

} // namespace

std::string instantrace::adviceSentence(const Suggestion &S, const Trace &T,
                                        const NameStyle &Style,
                                        size_t NameColumns,
                                        const ShownPath &Shown) {
  return AdviceWords(S, T, Style, NameColumns, Shown).text();
}
