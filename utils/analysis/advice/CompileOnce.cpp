/// \file
/// Advice: what several programs compile for themselves: a source, or the
/// implementation of a single-header library.
///
/// Flow:   ImplementationPart, HeaderFacts, session of each compile ->
///         [adviseCompileOnce] -> AdviceFinder
///
/// `#define X_IMPLEMENTATION` before the #include gives one source of a program
/// the functions of the library. Several programs with the same options can
/// have them from one object.
///
/// Fires for two compiles or more with the same options, in which one header
/// has function bodies because of one macro, that is defined before the
/// #include or by an option, with the same other macros of those that the
/// header asks for. A source that needs what that part declares, or a file of
/// the library that it includes, is left out; what it needs of system headers
/// it has to include itself. A header that makes its functions static or inline
/// by a macro is left out too.
///
/// Where the macro decides about files with function bodies ("x-inl.h"), and
/// about `inline` too, the library has a compiled mode: then all sources of the
/// targets are in that mode, and the new source includes these files.
#include "utils/analysis/advice/CompileOnce.h"

#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/BuildTarget.h"
#include "utils/analysis/advice/CompileProduct.h"
#include "utils/analysis/advice/DeclaredNames.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/advice/ImplementationPart.h"
#include "utils/analysis/advice/PrecompileSnippet.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

using namespace instantrace;

namespace {

constexpr size_t UnitsShown = 5;

} // namespace

void CompileOnceFinder::read(const AdviceUnit &U, UnitObject &Into) const {
  if (isMadeForOthers(U.S) || !U.S.Session)
    return;
  const TraceSession &Session = *U.S.Session;
  ObjectFacts &Object = Into.Object.emplace_back();
  Object.Compile = U.Number;
  Object.Folder = Session.WorkingDirectory;
  Object.Target = targetOf(Session.Object);
  Object.Source = cmakeSource(Session.Object);
  Object.Objects = cmakeObjects(Session.WorkingDirectory, Session.Object);
  Object.Options = cmakeBuildFolder(Object.Objects) + "\n" +
                   optionsOf(Session) + Session.ClangVersion;
  Object.SourceOptions = sourceOptions(Session);
  Object.HasOtherOptions = hasOtherOptions(Session);
  for (ImplementationPart &Part : implementationParts(U, F.Spec.Sources, Asked))
    Into.Parts.push_back({Object, std::move(Part)});
}

namespace {

FileSet setOf(const std::vector<uint32_t> &Words) {
  FileSet Set;
  for (uint32_t Word : Words)
    Set.insert(Word);
  return Set;
}

/// Whether functions that the part defines for all are static or inline, by a
/// keyword or by a macro of the header, so that no other source has them.
bool isForOneSource(const ConditionalText &Header, HeaderFacts &H,
                    const SourceScan &Rest, const SourceScan &Part) {
  std::set<std::string, std::less<>> Keywords;
  for (const Directive &D : Header.Kept)
    if (D.Word == "define")
      for (std::string_view Word : {"static", "inline"})
        if (D.Rest.find(Word, macroName(D.Rest).size()) != D.Rest.npos)
          Keywords.emplace(macroName(D.Rest));
  const FileSet Promised = setOf(Rest.Promised), Defined = setOf(Part.Defined),
                External = setOf(Part.External);
  if (std::any_of(Part.Defined.begin(), Part.Defined.end(), [&](uint32_t Word) {
        return Promised.contains(Word) && !External.contains(Word);
      }))
    return true;
  return std::any_of(Rest.Declarations.begin(), Rest.Declarations.end(),
                     [&](const SourceScan::Declaration &D) {
                       if (!Defined.contains(D.Word))
                         return false;
                       for (uint32_t I = D.FirstMention; I != D.EndMention; ++I)
                         if (Keywords.contains(H.word(Rest.Mentions[I].Word)))
                           return true;
                       return false;
                     });
}

} // namespace

/// By a compile without a part: then it needs nothing of one.
bool CompileOnceFinder::isReadWithout(FileNumber File) const {
  for (uint32_t Compile = 0; Compile != H.compileCount(); ++Compile)
    if (!WithPart.contains(Compile) && H.isRead(Compile, File))
      return true;
  return false;
}

/// Adds files that are read for the part alone. False: the unit needs something
/// of it, or of them, that no system header has.
bool CompileOnceFinder::addFiles(UnitImplementation &U,
                                 const PartTexts &Texts) const {
  const ImplementationPart &P = U.Part;
  const FileNumber Header = H.find(P.Header), Main = H.find(P.Main);
  const auto &[Lines, Part, Rest] = Texts;
  const SourceScan *Scan = Header == NoFile ? nullptr : H.scan(Header);
  if (!Scan || Main == NoFile)
    return false;
  const CompileFiles In = H.compile(U.Compile);
  std::set<std::pair<FileNumber, FileNumber>> Removed;
  std::map<FileNumber, FileNumber> OfSystem; // with who includes them
  FileSet Bodies;
  for (const ImplementationPart::ModeFile &File : P.Files) {
    Removed.emplace(H.find(File.Includer), H.find(File.Path));
    Bodies.insert(H.find(File.Path));
  }
  for (const CompileFiles::Reading &R : In.Readings) {
    const bool IsOfPart =
        P.Files.empty()
            ? R.Includer == Header && Lines.contains(R.LineNo) &&
                  std::none_of(
                      Scan->Includes.begin(), Scan->Includes.end(),
                      [&](const SourceScan::Include &I) {
                        return !Lines.contains(I.LineNo) &&
                               ("/" + H.path(R.File)).ends_with("/" + I.Name);
                      })
            : Bodies.contains(R.Includer);
    if (!IsOfPart)
      continue;
    if (P.Files.empty())
      Removed.emplace(Header, R.File);
    // Not the library's own files, where all of it is the system's.
    if (R.IsOfSystem && folderOf(H.path(R.File)) != folderOf(P.Header) &&
        H.spelling(R.Includer, R.File).find('/') == std::string::npos)
      OfSystem.emplace(R.File, R.Includer);
  }
  FileSet Included;
  FileSet Kept;
  std::vector<HeaderFacts::Addition> Added;
  // What the unit includes itself may need no further word, or another one.
  while (true) {
    Kept = H.reached(
        In,
        [&](FileNumber Includer, FileNumber File) {
          return Removed.contains({Includer, File});
        },
        Added, HeaderFacts::Ways::All);
    const std::optional<uint32_t> Needed = neededWord(In, Kept, P, Texts);
    if (!Needed)
      break;
    const std::vector<FileNumber> New =
        headersDeclaring(*Needed, OfSystem, Included);
    if (New.empty())
      return false;
    for (FileNumber File : New) {
      Included.insert(File);
      Added.push_back({Main, File});
      U.NewIncludes.push_back("<" + H.spelling(OfSystem.at(File), File) + ">");
    }
  }
  const uint64_t FilesNs = HeaderFacts::nsWithout(In, Kept);
  U.Saves = P.Costs;
  U.Saves += {FilesNs, FilesNs, FilesNs};
  return true;
}

/// The one that is called like it, or all: each may have an overload or a
/// definition of its own.
std::vector<FileNumber> CompileOnceFinder::headersDeclaring(
    uint32_t Word, const std::map<FileNumber, FileNumber> &Among,
    const FileSet &Without) const {
  std::vector<FileNumber> All;
  for (const auto &[File, Includer] : Among) {
    if (Without.contains(File))
      continue;
    if (H.path(File).ends_with("/" + H.word(Word)))
      return {File};
    const FileSet Reached = H.recordedClosure(File);
    for (FileNumber Each = 0; Each != H.fileCount(); ++Each) {
      const SourceScan *Scan = Reached.contains(Each) ? H.scan(Each) : nullptr;
      if (Scan &&
          std::any_of(Scan->Declarations.begin(), Scan->Declarations.end(),
                      [Word](const SourceScan::Declaration &D) {
                        return D.Word == Word && !D.IsForward;
                      })) {
        All.push_back(File);
        break;
      }
    }
  }
  return All;
}

/// A word that the unit mentions, and that nothing in \p Kept declares.
std::optional<uint32_t>
CompileOnceFinder::neededWord(const CompileFiles &In, const FileSet &Kept,
                              const ImplementationPart &P,
                              const PartTexts &Texts) const {
  // Files are a part as a whole.
  const FileNumber Header = P.Files.empty() ? H.find(P.Header) : NoFile;
  const FileNumber Main = H.find(P.Main);
  const auto &[Lines, Part, Rest] = Texts;
  std::vector<FileNumber> Dropped;
  std::vector<const SourceScan *> OwnScans;
  DeclaredNames Names;
  Names.addElsewhere(Rest);
  for (FileNumber File : In.Files) {
    const SourceScan *Each = File == Header ? nullptr : H.scan(File);
    if (!Kept.contains(File))
      Dropped.push_back(File);
    else if (Each)
      Names.addElsewhere(*Each);
    if (Each && Kept.contains(File) && !H.isSystem(File) &&
        (File == Main || !isReadWithout(File)))
      OwnScans.push_back(Each);
  }
  Names.add(Part);
  // std::ostringstream is an alias in <iosfwd>, which may stay when
  // basic_ostringstream goes.
  std::unordered_map<std::string, uint32_t> Aliased;
  for (FileNumber File : Dropped)
    if (const SourceScan *Each = H.scan(File)) {
      Names.add(*Each);
      for (const SourceScan::Declaration &D : Each->Declarations)
        if (const std::string &Name = H.word(D.Word);
            Name.starts_with("basic_") && Names.Scoped.contains(D.Word))
          Aliased.emplace(Name.substr(6), D.Word);
    }
  for (const SourceScan *Each : OwnScans) {
    const FileSet Own = ownNames(*Each);
    for (const SourceScan::Mention &M : Each->Mentions) {
      if (auto Alias = Aliased.find(H.word(M.Word));
          Alias != Aliased.end() && !M.IsMember &&
          (M.IsStd || (!M.IsQualified && Each->usesNamespace())))
        return Alias->second;
      if ((!Own.contains(M.Word) && Names.isUsed(*Each, M)) ||
          (!M.IsMember && Lines.Macros.contains(H.word(M.Word))))
        return M.Word;
    }
  }
  return std::nullopt;
}

/// Whether somebody has to make what the header reads before it is compiled.
bool CompileOnceFinder::isMadeByBuild(const ObjectFacts &U) const {
  const std::string Folder = cmakeBuildFolder(U.Objects);
  for (const CompileFiles::Reading &R : H.readings(U.Compile))
    if (!Folder.empty() && R.Includer != NoFile &&
        H.path(R.File).starts_with(Folder + "/"))
      return true;
  return false;
}

/// One compile has the part yet, and the new source reads what is not of the
/// part as well.
GroupSum CompileOnceFinder::sumOf(const Units &Group) {
  GroupSum G;
  Saving Largest;
  uint64_t HeaderNs = 0;
  for (const UnitImplementation &U : Group) {
    HeaderNs = std::max(HeaderNs, U.Part.HeaderNs);
    G.Sum += U.Saves;
    G.CodeNs += U.Part.CodeNs;
    Largest.LeastNs = std::max(Largest.LeastNs, U.Saves.LeastNs);
    Largest.EstimateNs = std::max(Largest.EstimateNs, U.Saves.EstimateNs);
    Largest.MostNs = std::max(Largest.MostNs, U.Saves.MostNs);
  }
  const uint64_t FrontendNs =
      Largest.EstimateNs -
      std::min(Largest.EstimateNs, Group.front().Part.CodeNs);
  const uint64_t RestNs = HeaderNs - std::min(HeaderNs, FrontendNs);
  auto less = [](uint64_t All, uint64_t Once) {
    return All - std::min(All, Once);
  };
  G.Saves = {less(G.Sum.LeastNs, Largest.LeastNs + RestNs),
             less(G.Sum.EstimateNs, Largest.EstimateNs + RestNs),
             less(G.Sum.MostNs, Largest.MostNs)};
  return G;
}

/// Beside the first source, whose #include then finds the same file.
std::string
CompileOnceFinder::newSource(const UnitImplementation &First) const {
  const std::string &Header = First.Part.Header;
  const size_t Begin = Header.rfind('/') + 1;
  const std::string Stem =
      Header.substr(Begin, Header.rfind('.') - Begin) + "_implementation";
  const std::string Ending = First.Part.Main.substr(First.Part.Main.rfind('.'));
  std::string Name = Stem + Ending;
  for (int Number = 2;
       text(First, folderOf(First.Part.Main) + "/" + Name) != nullptr; ++Number)
    Name = Stem + std::to_string(Number) + Ending;
  return Name;
}

void CompileOnceFinder::suggest(Units Group, Suggestions &Into) const {
  const ImplementationPart &Any = Group.front().Part;
  const std::string *Text = text(Group.front(), Any.Header);
  if (!Text || Group.size() < FewestUnits)
    return;
  PartTexts Texts{partForMacro(*Text, Any.Macro, Any.OtherMacros), {}, {}};
  const MacroPart &Lines = Texts.Lines;
  Texts.Part = H.scanText(codeLines(*Text, Lines, /*IsIn=*/true));
  Texts.Rest = H.scanText(codeLines(*Text, Lines, /*IsIn=*/false));
  if (isForOneSource(
          conditionalText(*Text, Any.OtherMacros, libraryPrefix(Any.Macro)), H,
          Texts.Rest, Texts.Part))
    return;
  const size_t LeftOut = std::erase_if(
      Group, [&](UnitImplementation &U) { return !addFiles(U, Texts); });
  if (Group.size() < FewestUnits ||
      std::any_of(
          Group.begin(), Group.end(),
          [this](const UnitImplementation &U) { return isMadeByBuild(U); }))
    return;
  const UnitImplementation &First = Group.front();
  const ImplementationPart &P = First.Part;
  const auto [Sum, Saves, CodeNs] = sumOf(Group);
  std::string Place = P.Main;
  if (P.DefinedAt != 0)
    Place += ":" + std::to_string(P.DefinedAt);
  Suggestion &S =
      Into.emplace_back(Suggestion{RowName::fromText(P.Header), Place, Saves});
  S.count(Group.size(), "compiles of the part, code generation included",
          Sum.EstimateNs, EvidenceKey::Readers);
  S.count(Group.size(), "compiles generate code of it for about", CodeNs);
  const auto Begin = std::find(Lines.IsIn.begin(), Lines.IsIn.end(), true);
  uint64_t CodeLines = 0;
  for (size_t I = 0; I != Lines.IsIn.size(); ++I)
    CodeLines += Lines.IsIn[I] && Lines.IsCode[I];
  S.count(CodeLines, "lines of code are in the header because of", {},
          EvidenceKey::Macro)
      .name(RowName::fromText(P.Macro),
            P.Header + ":" + std::to_string(Begin - Lines.IsIn.begin() + 1));
  for (size_t I = 0; I != std::min(Group.size(), UnitsShown); ++I) {
    const ImplementationPart &Each = Group[I].Part;
    S.count(1,
            Each.DefinedAt == 0 ? "compile has the macro from an option:"
                                : "compile defines the macro:",
            Group[I].Saves.EstimateNs)
        .name(RowName::fromText(Each.Main),
              Each.DefinedAt == 0
                  ? std::string()
                  : Each.Main + ":" + std::to_string(Each.DefinedAt));
  }
  S.countIfAny(Group.size() - std::min(Group.size(), UnitsShown),
               "further compiles do", "further compile does");
  for (const UnitImplementation &U : Group)
    for (const std::string &Name : U.NewIncludes)
      S.count(1, "compile has to have its own")
          .name(RowName::fromText("#include " + Name), U.Part.Main);
  S.countIfAny(LeftOut, "compiles need what it declares, and are left out",
               "compile needs what it declares, and is left out");
  const std::string Name = newSource(First);
  S.Snippet = "// " + Name + ", beside " +
              P.Main.substr(P.Main.rfind('/') + 1) + "\n" + P.OtherLines +
              (P.DefinedAt == 0 ? P.Definition + "\n" : "") + "#include " +
              P.Include;
  TargetNames Targets;
  for (const UnitImplementation &U : Group)
    Targets.add(U);
  if (Targets.areKnown(First))
    S.Snippet +=
        "\n" + objectLibrarySnippet(
                   Targets.Names, Targets.Objects,
                   {First.Source.substr(0, First.Source.rfind('/') + 1) + Name},
                   H.isSystem(H.find(P.Header)));
  for (const UnitImplementation &U : Group)
    if (!U.NewIncludes.empty()) {
      S.Snippet += "\n// " + U.Part.Main + ", above #include " + U.Part.Include;
      for (const std::string &Name : U.NewIncludes)
        S.Snippet += "\n#include " + Name;
    }
  S.conclude(
      P.DefinedAt == 0
          ? "Compile it once, in a source of its own whose object all of these "
            "programs link, and take the macro out of their options."
          : "Compile it once, in a source of its own whose object all of these "
            "programs link, and take the line with the macro out of the "
            "others.",
      "the time in what the macro turns on and in all that it includes and has "
      "instantiated, and in its code, in all compiles; less that of the one "
      "that takes longest, and of reading the rest of the header once more",
      {"Where code generation is not recorded by function, it is divided as "
       "the time in the frontend is.",
       "Operators and specializations of the part may be needed without being "
       "mentioned: compile after the change."});
}

Suggestions CompileOnceFinder::take() {
  using Key = std::tuple<std::string, std::string, std::string, std::string>;
  std::map<Key, Units> Groups;
  std::map<std::pair<std::string, std::string>, std::string> TargetOptions;
  std::map<std::pair<std::string, std::string>, Units> Modes;
  for (const UnitImplementation &U : All)
    if (!U.Part.Macro.empty())
      WithPart.insert(U.Compile);
  Suggestions Found;
  const FileSet Shared = suggestSources(Found);
  std::erase_if(All, [&Shared](const UnitImplementation &U) {
    return U.Part.Files.empty() && Shared.contains(U.Compile);
  });
  for (UnitImplementation &U : All)
    if (U.Part.Files.empty()) {
      Groups[{U.Part.Header, U.Part.Macro, U.Part.OtherLines, U.Options}]
          .push_back(std::move(U));
    } else if (U.Part.Macro.empty()) {
      for (const ImplementationPart::ModeFile &File : U.Part.Files)
        CompiledBy.emplace(File.Path, U.Target.Name);
    } else {
      // All sources of a target link one object.
      const std::string &Options =
          TargetOptions
              .try_emplace({U.Target.Name,
                            U.Target.Name.empty() ? U.Options : U.Objects},
                           U.Options)
              .first->second;
      Modes[{U.Part.Macro, Options}].push_back(std::move(U));
    }
  for (auto &[GroupKey, Group] : Modes)
    suggestMode(std::move(Group), Found);
  for (auto &[GroupKey, Group] : Groups)
    suggest(std::move(Group), Found);
  return Found;
}

std::unique_ptr<AdviceRule> instantrace::adviseCompileOnce(AdviceFacts &F) {
  return std::make_unique<CompileOnceFinder>(F);
}
