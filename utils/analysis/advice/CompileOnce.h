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
  /// Some that a library with the target's properties would not have.
  bool HasOtherOptions = false;
  BuildTarget Target;
  std::string Source, Objects; ///< as CMake names them; empty: not CMake's
};

struct UnitImplementation : ObjectFacts {
  ImplementationPart Part;
  Saving Saves = {};
  std::vector<std::string> NewIncludes = {}; ///< with their delimiters
};

/// What a compile makes, and the parts of headers in it.
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

/// Of one source, its objects have the same in them.
struct SharedSource {
  std::vector<ObjectFacts> Objects;
  uint64_t SumNs = 0, SavedNs = 0;
};

std::optional<std::string> sourceOptions(const TraceSession &Session);
bool hasOtherOptions(const TraceSession &Session);

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
  FileSet suggestSources(Suggestions &Into);
  void suggestSources(std::vector<SharedSource> Sources, Suggestions &Into);
  std::vector<SharedSource> sharedSources();
  SharedSource sharedSource(std::vector<ObjectFacts> Made) const;
  bool isSourceKnown(const ObjectFacts &U) const;
  std::string sourcesSnippet(const std::vector<SharedSource> &Sources,
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
