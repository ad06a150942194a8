#include "utils/analysis/advice/CompileOnce.h"
#include "utils/analysis/advice/PrecompileSnippet.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <set>

using namespace instantrace;

/// By the texts that the first compile reads.
ModeCheck CompileOnceFinder::checkMode(const Units &Group) const {
  ModeMacros Mode;
  const UnitImplementation &First = Group.front();
  Mode.HeaderOnly = First.Part.OtherMacros;
  Mode.Compiled = First.Part.OtherMacros;
  FileSet Bodies;
  for (const UnitImplementation &U : Group)
    for (const ImplementationPart::ModeFile &File : U.Part.Files) {
      Bodies.insert(H.find(File.Path));
      Mode.Switches.insert(File.Switch);
      if (File.Switch != U.Part.Macro || !U.Part.IsModeDefined)
        Mode.HeaderOnly.insert(File.Switch);
      Mode.Compiled.erase(File.Switch);
    }
  Mode.Switches.insert(First.Part.Macro);
  if (First.Part.IsModeDefined)
    Mode.Compiled.insert(First.Part.Macro);
  std::vector<const std::string *> Headers, Files;
  for (FileNumber File = 0; File != H.fileCount(); ++File)
    if (const std::string *Text =
            Bodies.contains(File) || H.isRead(First.Compile, File)
                ? text(First, H.path(File))
                : nullptr)
      (Bodies.contains(File) ? Files : Headers).push_back(Text);
  ModeCheck Check = instantrace::checkMode(Mode, Headers, Files, Asked);
  for (const UnitImplementation &U : Group) {
    const SourceScan *Scan = H.scan(H.find(U.Part.Main));
    Check.IsWhole =
        Check.IsWhole && !U.Part.NeedsSpecialization && Scan &&
        std::none_of(Scan->Mentions.begin(), Scan->Mentions.end(),
                     [&](const SourceScan::Mention &M) {
                       return M.IsCalled &&
                              Check.Templates.contains(H.word(M.Word));
                     });
  }
  return Check;
}

/// The headers first, for what the files need.
std::string CompileOnceFinder::modeSource(const Units &Group,
                                          const std::string &Name) const {
  const ImplementationPart &P = Group.front().Part;
  std::string Text = "// " + Name + ", beside " +
                     P.Main.substr(P.Main.rfind('/') + 1) + "\n" + P.OtherLines;
  std::set<std::string> Known;
  auto include = [&](const std::string &Path) {
    if (!Known.insert(Path).second)
      return;
    const std::string Beside = folderOf(P.Main) + "/";
    const std::string Spelling = H.includedAs(H.find(Path));
    Text += "#include " +
            (Path.starts_with(Beside) ? '"' + Path.substr(Beside.size()) + '"'
             : Spelling == Path       ? '"' + Path + '"'
                                      : '<' + Spelling + '>') +
            "\n";
  };
  for (const UnitImplementation &U : Group)
    for (const std::string &Path : U.Part.Outermost)
      include(Path);
  for (const UnitImplementation &U : Group)
    for (const ImplementationPart::ModeFile &File : U.Part.Files)
      include(File.Path);
  return Text;
}

/// All sources of these targets have to change.
void CompileOnceFinder::suggestMode(Units Group, Suggestions &Into) const {
  std::erase_if(Group, [this](const UnitImplementation &U) {
    return H.find(U.Part.Main) == NoFile ||
           std::any_of(U.Part.Files.begin(), U.Part.Files.end(),
                       [this](const ImplementationPart::ModeFile &File) {
                         return H.find(File.Path) == NoFile;
                       });
  });
  if (Group.size() < FewestUnits)
    return;
  const ModeCheck Check = checkMode(Group);
  if (!Check.HasMode)
    return;
  std::set<std::string> Needing;
  size_t LeftOut = 0;
  for (UnitImplementation &U : Group)
    if (!addFiles(U, {}))
      Needing.insert(U.Target.Name);
  LeftOut = std::erase_if(Group, [&](const UnitImplementation &U) {
    return Needing.contains(U.Target.Name);
  });
  if (Group.size() < FewestUnits)
    return;
  const UnitImplementation &First = Group.front();
  const ImplementationPart &P = First.Part;
  const bool IsDefined = P.IsModeDefined;
  const auto [Sum, Saves, CodeNs] = sumOf(Group);
  TargetNames Targets;
  std::set<std::string> Files, Compiled;
  for (const UnitImplementation &U : Group) {
    Targets.add(U);
    for (const ImplementationPart::ModeFile &File : U.Part.Files) {
      Files.insert(File.Path);
      if (auto Known = CompiledBy.find(File.Path); Known != CompiledBy.end())
        Compiled.insert(Known->second);
    }
  }
  Suggestion &S =
      Into.emplace_back(Suggestion{RowName::fromText(P.Header), P.Main, Saves});
  S.count(Group.size(), "compiles of the library's functions", Sum.EstimateNs,
          EvidenceKey::Readers);
  S.count(Group.size(), "compiles generate code of these for about", CodeNs);
  S.count(Files.size(), "files have these, included because of", {},
          EvidenceKey::Mode)
      .one("file has these, included because of")
      .name(RowName::fromText(P.Macro),
            P.Files.front().Includer + ":" +
                std::to_string(P.Files.front().LineNo));
  for (const std::string &Target : Compiled)
    S.count(1, "target compiles them already:").name(Target);
  for (const UnitImplementation &U : Group)
    for (const std::string &Name : U.NewIncludes)
      S.count(1, "compile has to have its own")
          .name(RowName::fromText("#include " + Name), U.Part.Main);
  S.countIfAny(LeftOut, "compiles need what they declare, and are left out",
               "compile needs what they declare, and is left out");
  const bool IsSure =
      Check.IsWhole && Compiled.empty() &&
      std::all_of(Group.begin(), Group.end(), [&](auto &U) {
        return U.Part.OtherLines == P.OtherLines && !isMadeByBuild(U);
      });
  if (IsSure) {
    const std::string Name = newSource(First);
    const std::string Definition = IsDefined ? P.Macro : "";
    S.Snippet = modeSource(Group, Name);
    if (Targets.areKnown(First))
      S.Snippet += objectLibrarySnippet(
          Targets.Names, Targets.Objects,
          {First.Source.substr(0, First.Source.rfind('/') + 1) + Name},
          H.isSystem(H.find(P.Header)), Definition);
    else if (IsDefined)
      S.Snippet += "// and -D" + Definition + " for all of these sources";
    for (const UnitImplementation &U : Group)
      if (!U.NewIncludes.empty()) {
        S.Snippet += "\n// " + U.Part.Main;
        for (const std::string &Include : U.NewIncludes)
          S.Snippet += "\n#include " + Include;
      }
  }
  S.conclude(
      IsSure ? IsDefined
                   ? "Define the macro for all sources of these targets, and "
                     "compile the files once, in a source of its own."
                   : "Take the macro out of all sources and options of these "
                     "targets, and compile the files once, in a source of its "
                     "own."
      : Compiled.empty()
          ? IsDefined
                ? "Link the library's compiled form, as its documentation has "
                  "it, with the macro defined for all sources."
                : "Link the library's compiled form, as its documentation has "
                  "it, and take the macro out of all sources and options."
      : IsDefined ? "Link the target that compiles them, and define the macro "
                    "for all sources."
                  : "Link the target that compiles them, and take the macro "
                    "out of all sources and options.",
      "the time in these files and in all that they include and have "
      "instantiated, and in their code, in all compiles; less that of the one "
      "that takes longest, and of reading the headers once more",
      {"Where code generation is not recorded by function, it is divided as "
       "the time in the frontend is.",
       IsSure ? "Operators and specializations of these files may be needed "
                "without being mentioned: compile and link after the change."
              : "The files alone may lack what these sources need, such as "
                "explicit instantiations: so there is no snippet."});
}
