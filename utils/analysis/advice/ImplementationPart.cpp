#include "utils/analysis/advice/ImplementationPart.h"

#include "utils/analysis/advice/CompiledMode.h"
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

/// Functions with a body in a part, or the classes that they are members of.
struct PartFunctions {
  MacroNames Names; ///< empty: none that another source could have
  std::set<std::pair<std::string, std::string>> Templates; ///< class, function
  MacroNames Declaring; ///< paths of headers that may declare Templates
};

/// Reads what one header costs for one macro, or whole files.
class PartReader {
public:
  /// \p Part null: whole files.
  PartReader(const AdviceUnit &U, const std::vector<bool> &IsHeader,
             const MacroNames &Paths, const MacroPart *Part,
             const PartFunctions &Functions)
      : U(U), S(U.S), IsHeader(IsHeader), Paths(Paths), Functions(Functions),
        Part(Part), Lines(Part ? *Part : MacroPart()),
        IsIn(S.Intervals.size()) {}

  void read(ImplementationPart &Into) {
    std::vector<uint32_t> RootOf(S.Intervals.size(), NoRoot);
    for (uint32_t Index = 0; Index != RootOf.size(); ++Index) {
      const Interval &I = S.Intervals[Index];
      const IntervalId Asker = outwards(I);
      const bool IsAskedInside =
          Asker && isTemplateWork(S.Intervals[Asker.Value].Kind);
      if (isTemplateWork(I.Kind) && !IsAskedInside &&
          isInPart(lineOf(I.Location)))
        RootOf[Index] = 0;
      IsIn[Index] = RootOf[Index] == 0 || (IsAskedInside && IsIn[Asker.Value]);
      if (!IsIn[Index] && I.Kind == EventKind::TemplateInstantiation &&
          I.Definition && isTemplateOfPart(I.Entity))
        Into.NeedsSpecialization = true;
    }
    const RootSaving Made = savings(U.Costs, U.Functions, RootOf, 1).front();
    Saving Sum = Made.Saves;
    addParsing(Sum, Into);
    const Saving Frontend = Sum;
    addCode(Made.Backend, Sum, Into);
    Into.Costs = Sum;
    if (!Part)
      Into.Costs = {Sum.LeastNs - Frontend.LeastNs + Made.Backend.LeastNs,
                    Into.CodeNs,
                    Sum.MostNs - Frontend.MostNs + Made.Backend.MostNs};
  }

private:
  bool isInPart(uint32_t LineNo) const {
    return Part ? Part->contains(LineNo) : LineNo != 0;
  }
  /// In the header; 0: not there, or not known.
  uint32_t lineOf(LocationId Id) {
    const Location *L = S.location(Id);
    if (!L || !S.Names.contains(L->File))
      return 0;
    auto [Known, IsNew] = IsPath.try_emplace(L->File.Value, false);
    if (IsNew)
      Known->second = Paths.contains(normalPathOf(S, L->File));
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
      const double Share = Part ? Lines.shareOfPart(FirstLine, LastLine) : 1;
      Sum.LeastNs += Share == 1 ? Ns : 0;
      Sum.EstimateNs += scaled(Ns, Share);
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
    const uint64_t WholeNs = U.Functions.WholeNs;
    uint64_t OthersNs = 0;
    const uint64_t MostNs = WholeNs - std::min(WholeNs, Counted.MostNs);
    if (!U.Functions.Costs.empty()) {
      uint64_t Ns = 0;
      for (uint32_t Id = 1; Id < U.Functions.Costs.size(); ++Id)
        if (U.Functions.Costs[Id].Given != 0 &&
            !U.Functions.Homes.of(EntityId{Id}) && isOfPart(EntityId{Id}))
          Ns += U.Functions.Costs[Id].timeNs();
      const uint64_t AllNs =
          std::min(scaled(Ns, U.Functions.WholePerFunctions), MostNs);
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
    Into.CodeNs = scaled(WholeNs, Frontend / (Frontend + double(OthersNs)));
    Sum += {0, Into.CodeNs, MostNs};
  }
  /// Components without arguments; '~' is left out.
  std::vector<std::string> nameParts(EntityId Id) const {
    constexpr size_t NameBytes = 1 << 10;
    const std::string Name =
        U.name(S.Entities[Id.Value - 1].Name).text(U.T, {}, NameBytes);
    std::vector<std::string> Parts;
    for (size_t Begin = 0; Begin < Name.size();) {
      const size_t End = std::min(Name.find("::", Begin), Name.size());
      std::string_view Part = std::string_view(Name).substr(Begin, End - Begin);
      Parts.emplace_back(Part.substr(0, Part.find_first_of("<([~")));
      Begin = End + 2;
    }
    return Parts;
  }
  /// By the name, for no trace has the place of what is no template.
  bool isOfPart(EntityId Id) const {
    const std::vector<std::string> Parts = nameParts(Id);
    return std::any_of(Parts.begin(), Parts.end(), [this](const auto &Name) {
      return Functions.Names.contains(Name);
    });
  }
  /// Only where one of the library's headers declares it.
  bool isTemplateOfPart(EntityId Id) {
    const Entity *E = Functions.Templates.empty() ? nullptr : S.entity(Id);
    const Location *L = E ? S.location(E->DeclaredAt) : nullptr;
    if (!L || !S.Names.contains(L->File) ||
        !Functions.Declaring.contains(normalPathOf(S, L->File)))
      return false;
    const std::vector<std::string> Parts = nameParts(Id);
    auto has = [&Parts](const std::string &Name) {
      return std::find(Parts.begin(), Parts.end(), Name) != Parts.end();
    };
    return std::any_of(
        Functions.Templates.begin(), Functions.Templates.end(),
        [&](const auto &T) { return has(T.first) && has(T.second); });
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
  const MacroNames &Paths;
  const PartFunctions &Functions;
  const MacroPart *Part;
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

/// Adds what another source could have, if it can have any.
void addFunctions(PartFunctions &Into, std::string_view Text) {
  WordTable Words;
  const SourceScan Scan = scanSource(Text, Words);
  for (const SourceScan::Body &B : Scan.Bodies)
    if (B.IsTemplate)
      Into.Templates.emplace(Words.word(B.Scope), Words.word(B.Function));
  if (!Scan.External.empty())
    for (uint32_t Word : Scan.Defined)
      Into.Names.insert(Words.word(Word));
}

/// How one compile comes to each of its headers.
struct HeaderReadings {
  uint32_t Main = 0; ///< interval
  std::string MainPath;
  /// By interval: the line of the source that leads to the file.
  std::vector<uint32_t> LineOf;
  std::map<std::string, std::vector<uint32_t>> ByPath; ///< intervals
  std::map<std::string, std::string> Options; ///< macros that these define
  MacroNames OptionNames;
  ConditionalText Source;

  struct Definition {
    std::string Name, Line;
    uint32_t LineNo;
  };
  /// Of the source, before a line of it.
  std::vector<Definition> definitionsBefore(uint32_t LineNo) const {
    std::vector<Definition> Found;
    for (const Directive &D : Source.Kept)
      if (D.LineNo < LineNo && D.Word == "define" &&
          Source.IsKept[D.LineNo - 1] == Truth::Yes)
        Found.push_back({std::string(macroName(D.Rest)),
                         "#define " + std::string(D.Rest), D.LineNo});
    return Found;
  }
};

std::optional<HeaderReadings> headerReadings(const AdviceUnit &U,
                                             const SourceReader &Sources) {
  const Sequence &S = U.S;
  if (!Sources || !S.Session)
    return std::nullopt;
  HeaderReadings R;
  R.LineOf.resize(S.Intervals.size());
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
      R.LineOf[Index] = Main && I.Parent.Value == *Main
                            ? L->LineNo
                            : R.LineOf[I.Parent.Value];
      R.ByPath[normalPathOf(S, E->Name)].push_back(Index);
    }
  }
  if (!Main)
    return std::nullopt;
  R.Main = *Main;
  R.MainPath = normalPathOf(S, S.entity(S.Intervals[*Main].Entity)->Name);
  const std::string *Text = Sources(&S.Session->WorkingDirectory, R.MainPath);
  if (!Text)
    return std::nullopt;
  R.Options = macroOptions(*S.Session);
  for (const auto &[Name, Value] : R.Options)
    R.OptionNames.insert(Name);
  R.Source = conditionalText(*Text, R.OptionNames);
  return R;
}

/// Parts that are files, by the macro of the library's compiled mode.
void addModes(const AdviceUnit &U, const SourceReader &Sources,
              AskedMacros &Asked, const HeaderReadings &R,
              std::vector<ImplementationPart> &Parts) {
  const Sequence &S = U.S;
  const std::string &Folder = S.Session->WorkingDirectory;
  std::map<uint32_t, const std::string *> Bodies; // by interval
  for (const auto &[Path, Indices] : R.ByPath)
    if (isBodiesFile(Path))
      Bodies.emplace(Indices.front(), &Path);
  std::map<std::string, ImplementationPart> ByMacro;
  std::map<std::string, std::string> AgainstSwitch;
  std::map<std::string, std::vector<uint32_t>> Intervals; // by macro
  for (const auto &[Index, Path] : Bodies) {
    const Location *L = S.location(S.Intervals[Index].Location);
    const std::string Includer = normalPathOf(S, L->File);
    const auto Before = R.definitionsBefore(R.LineOf[Index]);
    MacroNames Defined = R.OptionNames;
    for (const auto &D : Before)
      Defined.insert(D.Name);
    const std::string *Text = Sources(&Folder, Includer);
    if (!Text || R.LineOf[Index] == 0)
      continue;
    std::string Macro;
    LineSwitch Switch;
    if (Includer != R.MainPath) {
      const auto Found = lineSwitch(*Text, L->LineNo, Defined);
      if (!Found)
        continue;
      Switch = *Found;
      Macro = Switch.Macro;
      // A header defines it, unless another macro is defined.
      if (Switch.KeepsLine && !Defined.contains(Macro)) {
        auto [Known, IsNew] = AgainstSwitch.try_emplace(Macro);
        for (auto It = R.ByPath.begin();
             IsNew && It != R.ByPath.end() && Known->second.empty(); ++It)
          if (const std::string *Each = Sources(&Folder, It->first))
            if (const uint32_t LineNo = definitionLine(*Each, Macro))
              if (const auto Against =
                      lineSwitch(*Each, LineNo, Defined, Macro);
                  Against && !Against->KeepsLine)
                Known->second = Against->Macro;
        if (Known->second.empty())
          continue;
        Macro = Known->second;
      }
    }
    ImplementationPart &P = ByMacro[Macro];
    P.Files.push_back({Includer, *Path, Switch.Macro, L->LineNo});
    P.IsModeDefined = Macro != Switch.Macro || !Switch.KeepsLine;
    P.OtherMacros = std::move(Defined);
    uint32_t Outer = Index;
    while (S.Intervals[Outer].Parent.Value != R.Main)
      Outer = S.Intervals[Outer].Parent.Value;
    const std::string OuterPath =
        normalPathOf(S, S.entity(S.Intervals[Outer].Entity)->Name);
    if (std::find(P.Outermost.begin(), P.Outermost.end(), OuterPath) ==
        P.Outermost.end()) {
      P.Outermost.push_back(OuterPath);
      P.HeaderNs += U.Costs.InclusiveNs[Outer];
    }
    P.OtherLines.clear();
    for (const auto &D : Before)
      if (D.Name == Macro)
        P.DefinedAt = D.LineNo;
      else if (Asked.in(*Text).contains(D.Name))
        P.OtherLines += D.Line + "\n";
    Intervals[Macro].push_back(Index);
  }
  for (auto &[Macro, P] : ByMacro) {
    P.Macro = Macro;
    P.Header = P.Outermost.front();
    P.Main = R.MainPath;
    PartFunctions Functions;
    MacroNames Paths;
    for (const ImplementationPart::ModeFile &F : P.Files) {
      Paths.insert(F.Path);
      Functions.Declaring.insert({F.Path, F.Includer});
      if (const std::string *Text = Sources(&Folder, F.Path))
        addFunctions(Functions, *Text);
    }
    if (Functions.Names.empty())
      continue;
    if (!Macro.empty()) {
      const uint64_t HeaderNs = P.HeaderNs;
      std::vector<bool> IsHeader(S.Intervals.size());
      for (uint32_t Index : Intervals[Macro])
        IsHeader[Index] = true;
      PartReader(U, IsHeader, Paths, nullptr, Functions).read(P);
      P.HeaderNs = HeaderNs;
    }
    Parts.push_back(std::move(P));
  }
}

} // namespace

std::vector<ImplementationPart> instantrace::implementationParts(
    const AdviceUnit &U, const SourceReader &Sources, AskedMacros &Asked) {
  std::vector<ImplementationPart> Parts;
  const Sequence &S = U.S;
  const std::optional<HeaderReadings> R = headerReadings(U, Sources);
  if (!R)
    return Parts;
  for (const auto &[Path, Indices] : R->ByPath) {
    const uint32_t IncludedAt = R->LineOf[Indices.front()];
    const std::string *Text = Sources(&S.Session->WorkingDirectory, Path);
    if (!Text || IncludedAt == 0)
      continue;
    ImplementationPart Found;
    const MacroNames &AskedHere = Asked.in(*Text);
    std::map<std::string, std::pair<uint32_t, std::string>> ByMacro; // line
    const auto Before = R->definitionsBefore(IncludedAt);
    for (const auto &D : Before) {
      Found.OtherMacros.insert(D.Name);
      if (AskedHere.contains(D.Name))
        ByMacro[D.Name] = {D.LineNo, D.Line};
    }
    for (const auto &[Name, Value] : R->Options)
      if (!isReservedName(Name) && AskedHere.contains(Name))
        ByMacro.try_emplace(Name, 0, "#define " + Name + " " + Value);
    if (ByMacro.empty())
      continue;
    for (const Directive &D : R->Source.Kept)
      if (D.LineNo == IncludedAt && D.Word == "include")
        Found.Include = D.Rest;
    for (const auto &D : Before)
      if (Text->find(D.Name) != Text->npos)
        Found.OtherLines += D.Line + "\n";
    Found.OtherMacros.insert(R->OptionNames.begin(), R->OptionNames.end());
    Found.Header = Path;
    Found.Main = R->MainPath;
    std::optional<ImplementationPart> Largest;
    for (const auto &[Name, Defined] : ByMacro) {
      const MacroPart Lines = partForMacro(*Text, Name, Found.OtherMacros);
      PartFunctions Functions;
      addFunctions(Functions, codeLines(*Text, Lines, /*IsIn=*/true));
      Functions.Templates.clear(); // the part has them as well
      if (Functions.Names.empty())
        continue;
      ImplementationPart Each = Found;
      Each.Macro = Name;
      std::tie(Each.DefinedAt, Each.Definition) = Defined;
      std::vector<bool> IsHeader(S.Intervals.size());
      for (uint32_t Index : Indices)
        IsHeader[Index] = true;
      PartReader(U, IsHeader, {Path}, &Lines, Functions).read(Each);
      if (!Largest || Each.Costs.EstimateNs > Largest->Costs.EstimateNs)
        Largest = std::move(Each);
    }
    if (Largest)
      Parts.push_back(std::move(*Largest));
  }
  addModes(U, Sources, Asked, *R, Parts);
  return Parts;
}
