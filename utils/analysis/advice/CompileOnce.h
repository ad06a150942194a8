/// \file
/// What the rule of compile-once keeps of each compile, and its steps.
///
/// Flow:   ImplementationPart, HeaderFacts -> [CompileOnce] ->
///         CompileOnce.cpp, CompileOnceMode.cpp
#pragma once

#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/BuildTarget.h"
#include "utils/analysis/advice/CompiledMode.h"
#include "utils/analysis/advice/HeaderFacts.h"
#include "utils/analysis/advice/ImplementationPart.h"

#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace instantrace {

struct UnitImplementation {
  ImplementationPart Part;
  uint32_t Compile = 0;
  std::string Folder;  ///< in which it was compiled
  std::string Options; ///< equal ones can share an object
  BuildTarget Target;
  std::string Source, Objects; ///< as CMake names them; empty: not CMake's
  Saving Saves = {};
  std::vector<std::string> NewIncludes; ///< with their delimiters
};
using UnitImplementations = std::vector<UnitImplementation>;

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

class CompileOnceFinder final : public ReadingOf<UnitImplementations> {
public:
  using Units = UnitImplementations;
  explicit CompileOnceFinder(AdviceFacts &F)
      : ReadingOf(AdviceReading::Second), F(F), H(F.headers()) {}
  Suggestions take() override;

protected:
  void read(const AdviceUnit &U, Units &Into) const override;
  void merge(Units Part, const Trace &) override {
    std::move(Part.begin(), Part.end(), std::back_inserter(All));
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
  bool isMadeByBuild(const UnitImplementation &U) const;
  void suggest(Units Group, bool IsOneSource, Suggestions &Into) const;
  std::string newSource(const UnitImplementation &First) const;
  static GroupSum sumOf(const Units &Group);
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
  FileSet WithPart;                              ///< compiles
  std::map<std::string, std::string> CompiledBy; ///< targets, by their files
};

} // namespace instantrace
