/// \file
/// What the rule of compile-once keeps of each compile, and its steps.
///
/// Flow:   ImplementationPart, HeaderFacts -> [CompileOnce] ->
///         CompileOnce.cpp, CompileOnceMode.cpp, CompileOnceSource.cpp
#pragma once

#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/BuildTarget.h"
#include "utils/analysis/advice/CompiledMode.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/advice/ImplementationPart.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace instantrace {

struct ObjectFacts {
  uint32_t Compile = 0;
  std::string Folder;  ///< in which it was compiled
  std::string Options; ///< equal ones can share an object
  /// Equal ones make equal objects of one source, if they read the same files.
  /// None: a file has some of them.
  std::optional<std::string> SourceOptions = {};
  BuildTarget Target;
  std::string Source, Objects; ///< as CMake names them; empty: not CMake's
};

struct UnitImplementation : ObjectFacts {
  ImplementationPart Part;
  Saving Saves = {};
  std::vector<std::string> NewIncludes = {}; ///< with their delimiters
};

/// Of one compile.
struct UnitObject {
  std::vector<ObjectFacts> Object; ///< one; none: others use what it makes
  std::vector<UnitImplementation> Parts;
};

struct GroupSum {
  Saving Sum, Saves;
  uint64_t CodeNs = 0;
};

inline constexpr size_t FewestUnits = 2;

/// A header, which all units of a group read with the same macros.
struct PartTexts {
  MacroPart Lines;
  SourceScan Part, Rest;
};

/// The targets, each once; and the folders of their objects.
struct TargetNames {
  std::set<std::string> Names, Objects;

  void add(const ObjectFacts &U) {
    Names.insert(U.Target.Name);
    Objects.insert(U.Objects);
  }
  /// All are CMake's, and its call names \p U.
  bool areKnown(const ObjectFacts &U) const {
    return !U.Source.empty() && !Names.contains("");
  }
};

std::optional<std::string> sourceOptions(const TraceSession &Session);

class CompileOnceFinder final : public ReadingOf<UnitObject> {
public:
  using Units = std::vector<UnitImplementation>;
  explicit CompileOnceFinder(AdviceFacts &F)
      : ReadingOf(AdviceReading::Second), F(F), H(F.headers()) {}
  Suggestions take() override;

protected:
  void read(const AdviceUnit &U, UnitObject &Into) const override;
  void merge(UnitObject Part, const Trace &) override {
    std::ranges::move(Part.Parts, std::back_inserter(All));
    std::ranges::move(Part.Object, std::back_inserter(Objects));
  }

private:
  bool addFiles(UnitImplementation &U, const PartTexts &Texts) const;
  std::optional<uint32_t> neededWord(const CompileFiles &In,
                                     const FileSet &Kept,
                                     const ImplementationPart &P,
                                     const PartTexts &Texts) const;
  std::vector<FileNumber>
  headersDeclaring(uint32_t Word, const std::map<FileNumber, FileNumber> &Among,
                   const FileSet &Without) const;
  bool isReadWithout(FileNumber File) const;
  bool isMadeByBuild(const ObjectFacts &U) const;
  void suggest(Units Group, Suggestions &Into) const;
  std::string newSource(const UnitImplementation &First) const;
  static GroupSum sumOf(const Units &Group);
  // CompileOnceSource.cpp
  using SourceObjects = std::vector<ObjectFacts>; ///< of one source
  FileSet suggestSources(Suggestions &Into);
  void suggestSources(std::vector<SourceObjects> Sources, Suggestions &Into);
  std::vector<SourceObjects> sharedSources();
  bool isSourceKnown(const ObjectFacts &U) const;
  std::string sourcesSnippet(const std::vector<SourceObjects> &Sources,
                             const TargetNames &Targets);
  // CompileOnceMode.cpp
  void suggestMode(Units Group, Suggestions &Into) const;
  ModeCheck checkMode(const Units &Group) const;
  std::string modeSource(const Units &Group, const std::string &Name) const;
  const std::string *text(const UnitImplementation &U,
                          const std::string &Path) const {
    return F.Spec.Sources(&U.Folder, Path);
  }

  AdviceFacts &F;
  HeaderFacts &H;
  mutable AskedMacros Asked; ///< by several threads
  Units All;
  std::vector<ObjectFacts> Objects;
  std::set<std::string> Libraries; ///< that snippets make of sources
  FileSet WithPart;                ///< compiles
  std::map<std::string, std::string> CompiledBy; ///< targets, by their files
};

} // namespace instantrace
