#include "utils/analysis/advice/ImplementationPart.h"

#include "utils/analysis/advice/Ownership.h"
#include "utils/analysis/advice/SourceScan.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

using namespace instantrace;

namespace {

/// Lines are counted from 1.
class LineCounts {
public:
  explicit LineCounts(const MacroPart &Part) : Part(1), Code(1) {
    for (size_t I = 0; I != Part.IsCode.size(); ++I) {
      Code.push_back(Code.back() + Part.IsCode[I]);
      this->Part.push_back(this->Part.back() +
                           (Part.IsCode[I] && Part.IsIn[I]));
    }
  }
  /// Of the code from one line to another, both included, in any order.
  double shareOfPart(uint32_t A, uint32_t B) const {
    const auto Last = static_cast<uint32_t>(Code.size() - 1);
    const uint32_t First = std::min(std::max(std::min(A, B), 1U), Last);
    const uint32_t End = std::min(std::max(A, B), Last);
    if (Last == 0 || Code[End] == Code[First - 1])
      return 0;
    return double(Part[End] - Part[First - 1]) /
           double(Code[End] - Code[First - 1]);
  }
  uint32_t lastLine() const { return static_cast<uint32_t>(Code.size() - 1); }

private:
  std::vector<uint32_t> Part, Code; ///< lines before, by line
};

uint64_t timesShare(uint64_t Ns, double Factor) {
  return static_cast<uint64_t>(double(Ns) * Factor);
}

/// Reads what one header costs for one macro.
class PartReader {
public:
  PartReader(const AdviceUnit &U, const std::vector<bool> &IsHeader,
             std::string_view Path, const MacroPart &Part,
             const MacroNames &Functions)
      : U(U), S(U.S), IsHeader(IsHeader), Path(Path), Functions(Functions),
        Part(Part), Lines(Part), IsIn(S.Intervals.size()) {}

  void read(ImplementationPart &Into) {
    std::vector<uint32_t> RootOf(S.Intervals.size(), NoRoot);
    for (uint32_t Index = 0; Index != RootOf.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      const IntervalId Asker = outwards(I);
      const bool IsAskedInside =
          Asker && isTemplateWork(S.Intervals[Asker.Value].Kind);
      if (isTemplateWork(I.Kind) && !IsAskedInside &&
          Part.contains(lineOf(I.Location)))
        RootOf[Index] = 0;
      IsIn[Index] = RootOf[Index] == 0 || (IsAskedInside && IsIn[Asker.Value]);
    }
    const RootSaving Made = savings(U.Costs, U.Functions, RootOf, 1).front();
    Saving Sum = Made.Saves;
    addParsing(Sum, Into);
    addCode(Made.Backend, Sum, Into);
    Into.Costs = Sum;
  }

private:
  /// In the header; 0: not there, or not known.
  uint32_t lineOf(LocationId Id) {
    const Location *L = S.location(Id);
    if (!L || !S.Names.contains(L->File))
      return 0;
    auto [Known, IsNew] = IsPath.try_emplace(L->File.Value, false);
    if (IsNew)
      Known->second = normalPathOf(S, L->File) == Path;
    return Known->second ? L->LineNo : 0;
  }

  /// Of the header itself, and of statements that are intervals.
  void addParsing(Saving &Sum, ImplementationPart &Into) {
    struct Position {
      uint64_t Ns = 0; ///< until which all is divided
      uint64_t Open = 0;
      uint32_t LineNo = 1;
    };
    std::map<uint32_t, Position> Open; // by the interval of the header
    auto divide = [&](uint64_t Ns, uint32_t FirstLine, uint32_t LastLine) {
      const double Share = Lines.shareOfPart(FirstLine, LastLine);
      Sum.LeastNs += Share == 1 ? Ns : 0;
      Sum.EstimateNs += timesShare(Ns, Share);
      Sum.MostNs += Share != 0 ? Ns : 0;
    };
    for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      if (IsHeader[Index]) {
        Open[Index] = {I.BeginNs};
        Into.HeaderNs += U.Costs.InclusiveNs[Index];
      }
      auto Around = I.Parent ? Open.find(I.Parent.Value) : Open.end();
      if (Around == Open.end())
        continue;
      Position &P = Around->second;
      P.Open += I.BeginNs - std::min(I.BeginNs, P.Ns);
      P.Ns = I.EndNs;
      const uint32_t LineNo = lineOf(I.Location);
      if (LineNo == 0)
        continue;
      divide(std::exchange(P.Open, 0), P.LineNo, LineNo);
      if (eventGroup(I.Kind) == EventGroup::Line)
        divide(U.Costs.SelfNs[Index], LineNo, LineNo);
      P.LineNo = std::max(P.LineNo, LineNo);
    }
    for (const auto &[Index, P] : Open) {
      const uint64_t EndNs = S.Intervals[Index].EndNs;
      divide(P.Open + EndNs - std::min(EndNs, P.Ns), P.LineNo,
             Lines.lastLine());
    }
  }

  /// What LLVM did for functions of no template, or for all that is not known.
  void addCode(const Saving &Counted, Saving &Sum, ImplementationPart &Into) {
    uint64_t WholeNs = 0, OthersNs = 0;
    for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index)
      if (S.Intervals[Index].Kind == EventKind::CodeGeneration)
        WholeNs += U.Costs.InclusiveNs[Index];
    const uint64_t MostNs = WholeNs - std::min(WholeNs, Counted.MostNs);
    if (!U.Functions.Costs.empty()) {
      uint64_t Ns = 0;
      for (uint32_t Id = 1; Id < U.Functions.Costs.size(); ++Id)
        if (U.Functions.Costs[Id].Given != 0 &&
            !U.Functions.Homes.of(EntityId{Id}) && isOfPart(EntityId{Id}))
          Ns += U.Functions.Costs[Id].timeNs();
      const uint64_t AllNs =
          std::min(timesShare(Ns, U.Functions.WholePerFunctions), MostNs);
      Into.CodeNs = Counted.EstimateNs + AllNs;
      Sum += {std::min(Ns, AllNs), AllNs, MostNs};
      return;
    }
    for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      const bool IsWork =
          isTemplateWork(I.Kind) || eventGroup(I.Kind) == EventGroup::Line;
      if (isMain(IntervalId{Index}))
        OthersNs += U.Costs.SelfNs[Index];
      else if (IsWork && !IsIn[Index] && isOutsideHeaders(I.Parent))
        OthersNs += U.Costs.InclusiveNs[Index];
    }
    const double Frontend = double(Sum.EstimateNs);
    if (Frontend == 0)
      return;
    Into.CodeNs = timesShare(WholeNs, Frontend / (Frontend + double(OthersNs)));
    Sum += {0, Into.CodeNs, MostNs};
  }
  /// By the name, for no trace has the place of what is no template.
  bool isOfPart(EntityId Id) const {
    constexpr size_t NameBytes = 1 << 10;
    const std::string Name =
        U.name(S.Entities[Id.Value - 1].Name).text(U.T, {}, NameBytes);
    for (size_t Begin = 0; Begin < Name.size();) {
      const size_t End = std::min(Name.find("::", Begin), Name.size());
      std::string_view Part = std::string_view(Name).substr(Begin, End - Begin);
      if (Functions.contains(Part.substr(0, Part.find_first_of("<([~"))))
        return true;
      Begin = End + 2;
    }
    return false;
  }
  bool isMain(IntervalId Id) const {
    const Interval &I = S.Intervals[Id.Value];
    return I.Kind == EventKind::FileInclusion && !I.Location;
  }
  /// The outermost work in the source, or after it.
  bool isOutsideHeaders(IntervalId Parent) const {
    if (!Parent)
      return true;
    const EventKind Kind = S.Intervals[Parent.Value].Kind;
    return eventGroup(Kind) == EventGroup::Phase || isMain(Parent);
  }

  const AdviceUnit &U;
  const Sequence &S;
  const std::vector<bool> &IsHeader;
  std::string_view Path;
  const MacroNames &Functions;
  const MacroPart &Part;
  LineCounts Lines;
  std::vector<bool> IsIn; ///< by interval: what the part has instantiated
  std::map<uint32_t, bool> IsPath;
};

/// What the compile's options define, with what is behind the name.
std::map<std::string, std::string> macroOptions(const TraceSession &Session) {
  std::map<std::string, std::string> Macros;
  for (size_t I = 1; I < Session.Argv.size(); ++I) {
    std::string_view Word = Session.Argv[I];
    if (!Word.starts_with("-D"))
      continue;
    Word.remove_prefix(2);
    if (Word.empty() && I + 1 != Session.Argv.size())
      Word = Session.Argv[++I];
    const size_t End = std::min(Word.find('='), Word.size());
    std::string_view Value = End == Word.size() ? "1" : Word.substr(End + 1);
    Macros[std::string(Word.substr(0, End))] = Value;
  }
  return Macros;
}

/// Functions with a body in the part, or the classes that they are members of;
/// empty: none that another source could have.
MacroNames functionsDefined(std::string_view Text, const MacroPart &Part) {
  WordTable Words;
  const SourceScan Scan =
      scanSource(codeLines(Text, Part, /*IsIn=*/true), Words);
  MacroNames Names;
  if (!Scan.External.empty())
    for (uint32_t Word : Scan.Defined)
      Names.insert(Words.word(Word));
  return Names;
}

} // namespace

std::string instantrace::codeLines(std::string_view Text, const MacroPart &Part,
                                   bool IsIn) {
  std::string Lines;
  for (size_t I = 0, Begin = 0; I != Part.IsIn.size(); ++I) {
    const size_t End = std::min(Text.find('\n', Begin), Text.size());
    if (Part.IsCode[I] && Part.IsIn[I] == IsIn)
      Lines.append(Text.substr(Begin, End - Begin)) += '\n';
    Begin = End + 1;
  }
  return Lines;
}

std::vector<ImplementationPart> instantrace::implementationParts(
    const AdviceUnit &U, const SourceReader &Sources, AskedMacros &Asked) {
  std::vector<ImplementationPart> Parts;
  const Sequence &S = U.S;
  if (!Sources || !S.Session)
    return Parts;
  const TraceSession &Session = *S.Session;
  // The file of each interval that reads one, and the line of the source that
  // leads to it.
  std::vector<uint32_t> LineOf(S.Intervals.size());
  std::map<std::string, std::vector<uint32_t>> Readings;
  std::optional<uint32_t> Main;
  for (uint32_t Index = 0; Index != S.Intervals.size(); ++Index) {
    const Interval &I = S.Intervals[Index];
    const Entity *E = S.entity(I.Entity);
    if (I.Kind != EventKind::FileInclusion || !E)
      continue;
    const Location *L = S.location(I.Location);
    if (!Main && !L)
      Main = Index;
    else if (L && I.Parent) {
      LineOf[Index] =
          Main && I.Parent.Value == *Main ? L->LineNo : LineOf[I.Parent.Value];
      Readings[normalPathOf(S, E->Name)].push_back(Index);
    }
  }
  if (!Main)
    return Parts;
  const std::string MainPath =
      normalPathOf(S, S.entity(S.Intervals[*Main].Entity)->Name);
  const std::string *MainText = Sources(&Session.WorkingDirectory, MainPath);
  if (!MainText)
    return Parts;
  const auto Options = macroOptions(Session);
  MacroNames OptionNames;
  for (const auto &[Name, Value] : Options)
    OptionNames.insert(Name);
  const ConditionalText Source = conditionalText(*MainText, OptionNames);
  for (const auto &[Path, Indices] : Readings) {
    const uint32_t IncludedAt = LineOf[Indices.front()];
    const std::string *Text = Sources(&Session.WorkingDirectory, Path);
    if (!Text || IncludedAt == 0)
      continue;
    ImplementationPart Found;
    const MacroNames &AskedHere = Asked.in(*Text);
    std::map<std::string, std::pair<uint32_t, std::string>> ByMacro; // line
    std::vector<std::pair<std::string, std::string>> Before; // name, line
    for (const Directive &D : Source.Kept) {
      if (D.LineNo == IncludedAt && D.Word == "include")
        Found.Include = D.Rest;
      if (D.LineNo >= IncludedAt || D.Word != "define" ||
          Source.IsKept[D.LineNo - 1] != Truth::Yes)
        continue;
      const std::string Name(macroName(D.Rest));
      Found.OtherMacros.insert(Name);
      Before.push_back({Name, "#define " + std::string(D.Rest)});
      if (AskedHere.contains(Name))
        ByMacro[Name] = {D.LineNo, Before.back().second};
    }
    for (const auto &[Name, Value] : Options)
      if (!isReservedName(Name) && AskedHere.contains(Name))
        ByMacro.try_emplace(Name, 0, "#define " + Name + " " + Value);
    if (ByMacro.empty())
      continue;
    for (const auto &[Name, Line] : Before)
      if (Text->find(Name) != Text->npos)
        Found.OtherLines += Line + "\n";
    Found.OtherMacros.insert(OptionNames.begin(), OptionNames.end());
    Found.Header = Path;
    Found.Main = MainPath;
    Found.TotalNs = U.Costs.TotalNs;
    std::optional<ImplementationPart> Largest;
    for (const auto &[Name, Defined] : ByMacro) {
      const MacroPart Lines = partForMacro(*Text, Name, Found.OtherMacros);
      const MacroNames Functions = functionsDefined(*Text, Lines);
      if (Functions.empty())
        continue;
      ImplementationPart Each = Found;
      Each.Macro = Name;
      std::tie(Each.DefinedAt, Each.Definition) = Defined;
      std::vector<bool> IsHeader(S.Intervals.size());
      for (uint32_t Index : Indices)
        IsHeader[Index] = true;
      PartReader(U, IsHeader, Path, Lines, Functions).read(Each);
      if (!Largest || Each.Costs.EstimateNs > Largest->Costs.EstimateNs)
        Largest = std::move(Each);
    }
    if (Largest)
      Parts.push_back(std::move(*Largest));
  }
  return Parts;
}
