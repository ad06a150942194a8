/// \file
/// Which files each compile reads, for how long, through which others, and
/// which of them something in another file makes use of.
///
/// Flow:   file inclusions, instantiations, sources -> [HeaderFacts] ->
///         Precompile, NarrowInclude, SplitHeader, UnneededHeader
/// Memory: some 10 kB for each compile
///
/// A file with a guard is read once, so a trace has only the first way to it.
/// Further ways come from other compiles, and from the #include lines of the
/// sources, as far as they are there. A file goes away when no way is left to
/// it: with the ways of traces alone that is an upper limit, with those of the
/// sources, of which some are in branches that are never taken, an estimate.
///
/// A file is used where something that it declares is instantiated, at any
/// depth, because another file asked. Uses of what is no template are not in a
/// trace; what the sources name tells of these (SourceScan.h).
#pragma once

#include "runtime/read/Trace.h"
#include "utils/analysis/advice/AdviceRule.h"
#include "utils/analysis/advice/CompileRun.h"
#include "utils/analysis/advice/DefinitionForm.h"
#include "utils/analysis/advice/PackedNumbers.h"
#include "utils/analysis/advice/SourceScan.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace instantrace {

/// A file of any of the compiles, by its normal path.
using FileNumber = uint32_t;
inline constexpr FileNumber NoFile = UINT32_MAX;

/// By file; grows when it is written.
class FileSet {
public:
  bool contains(FileNumber File) const {
    return File < Has.size() && Has[File];
  }
  /// False: it was there.
  bool insert(FileNumber File) {
    if (contains(File))
      return false;
    if (File >= Has.size())
      Has.resize(File + 1);
    return Has[File] = true;
  }
  void remove(const FileSet &Others) {
    for (size_t File = 0; File != Has.size(); ++File)
      Has[File] = Has[File] && !(File < Others.Has.size() && Others.Has[File]);
  }

private:
  std::vector<bool> Has;
};

/// All that \p Includes leads to, which gives the files that one includes.
template <class Function>
FileSet closureOf(FileNumber File, const Function &Includes) {
  FileSet Reached;
  std::vector<FileNumber> Open{File};
  Reached.insert(File);
  while (!Open.empty()) {
    FileNumber Current = Open.back();
    Open.pop_back();
    for (FileNumber Included : Includes(Current))
      if (Reached.insert(Included))
        Open.push_back(Included);
  }
  return Reached;
}

inline constexpr uint32_t NoReading = UINT32_MAX;

/// Of one compile.
struct CompileFiles {
  struct Reading {
    FileNumber File;
    FileNumber Includer; ///< has the #include; NoFile: a main file
    uint32_t Around;     ///< the one that it is in, or NoReading
    uint32_t LineNo;     ///< of the #include
    bool IsSelected;     ///< by the filter
    bool IsOfSystem;     ///< and included by something
    uint64_t OwnNs;      ///< without what it includes and has instantiated
    uint64_t SelfNs;     ///< without what it includes
    uint64_t WholeNs;
    uint64_t LateNs = 0; ///< of bodies that it asked for, made after it
  };
  /// Something that \p Declared declares, because \p Asker asked.
  struct Use {
    FileNumber Asker, Declared;
    friend auto operator<=>(const Use &, const Use &) = default;
  };

  std::vector<FileNumber> Mains;
  std::vector<Reading> Readings; ///< outer ones first
  std::vector<Use> Uses;         ///< each once
  std::vector<FileNumber> Files; ///< each once
  FileSet IsRead;
  bool IsForOthers = false;     ///< Uses lacks what those make of it
  bool UsesPrecompiled = false; ///< Uses lacks that of what is not read here
};

/// A compile, and its files by numbers of its own.
struct HeaderPart {
  struct File {
    std::string Path;
    /// In which a relative path begins.
    std::optional<std::string> Folder;
    bool IsSystem = false;
  };
  std::vector<File> Files;
  std::vector<std::string> IncludeFolders; ///< of its options
  CompileFiles In;
  CompileRun Run;
};

class HeaderFacts : public ReadingOf<HeaderPart, AdvicePass> {
public:
  explicit HeaderFacts(const SourceReader &Sources);

  /// When all compiles were added, and before anything is asked.
  void finish();

  /// Of traces alone, or of the sources as well.
  enum class Ways { Recorded, All };
  /// Whether an #include of \p Included in \p Includer is to be left out.
  using Removal = std::function<bool(FileNumber Includer, FileNumber Included)>;
  struct Addition {
    FileNumber Includer, Included;
  };
  /// What a compile includes instead, once suggestions are followed.
  struct Changes {
    std::set<std::pair<FileNumber, FileNumber>> Removed; ///< #includes
    std::vector<Addition> Added;
  };

  size_t compileCount() const { return Read.size(); }
  /// Costs time for all that there is of it.
  CompileFiles compile(size_t Compile) const;
  std::vector<CompileFiles::Reading> readings(size_t Compile) const;
  const CompileRun &run(size_t Compile) const { return Runs[Compile]; }
  bool isForOthers(size_t Compile) const { return Read[Compile].IsForOthers; }
  bool isRead(size_t Compile, FileNumber File) const {
    return Read[Compile].IsRead.contains(File);
  }
  bool usesPrecompiled(size_t Compile) const {
    return Read[Compile].UsesPrecompiled;
  }
  /// NoFile: no compile reads it.
  FileNumber find(const std::string &Path) const {
    auto Found = Numbers.find(Path);
    return Found == Numbers.end() ? NoFile : Found->second;
  }
  const std::string &path(FileNumber File) const { return Paths[File]; }
  /// Absolute, if it is known where it begins.
  std::string fullPath(FileNumber File) const;
  size_t fileCount() const { return Paths.size(); }
  bool isSystem(FileNumber File) const { return IsSystem.contains(File); }
  /// Beside what is changed in it already.
  void follow(size_t Compile, const Changes &More);
  /// The compile reads it no more, once suggestions are followed.
  bool isUnneeded(size_t Compile, FileNumber File) const {
    return Unneeded[Compile].contains(File);
  }
  const std::vector<FileNumber> &includes(FileNumber File, Ways Scope);
  /// Everything that reading it may read, itself too.
  FileSet closure(FileNumber File, Ways Scope);
  /// By the ways of traces; may be asked by several threads at once.
  FileSet recordedClosure(FileNumber File) const;
  /// The mean over the compiles that read it, without what it includes.
  uint64_t selfNs(FileNumber File) const { return MeanSelfNs[File]; }

  /// What a compile would read yet.
  FileSet reached(const CompileFiles &In, const Removal &IsRemoved,
                  const std::vector<Addition> &Added, Ways Scope);
  /// Of the readings of files that are not in \p Kept.
  static uint64_t nsWithout(const CompileFiles &In, const FileSet &Kept);

  /// For a suggestion, when only \p After of what was read \p Before is
  /// reached.
  CompileChange change(size_t Compile, const CompileFiles &In,
                       const FileSet &Before, const FileSet &After) const;

  /// Null: its source is not there.
  const SourceScan *scan(FileNumber File);
  /// Of a part of one, by the same numbers of words.
  SourceScan scanText(std::string_view Text) { return scanSource(Text, Words); }
  bool hasSource(FileNumber File) { return scan(File) != nullptr; }
  /// It is in a namespace, or uses one, in which others than the program have
  /// names.
  bool usesForeignNamespace(const SourceScan &In);
  /// `Scope::Word`, where only the program has such a scope.
  bool isInOwnScope(const SourceScan::Mention &M) {
    return M.Qualifier != UINT32_MAX && own().Scopes.contains(M.Qualifier);
  }
  /// The program has that in a namespace, where it hides a global one.
  bool isOwnName(uint32_t Word) { return own().Scoped.contains(Word); }
  const std::string &word(uint32_t Number) const { return Words.word(Number); }
  /// The words that files declare, and further names for their types that
  /// others do.
  FileSet namesOf(const std::vector<FileNumber> &Files,
                  const std::vector<FileNumber> &WithAliasesIn);
  /// A word of \p File that is in \p Names, and not only behind `*` or `&`.
  std::optional<uint32_t> mentioned(FileNumber File, const FileSet &Names,
                                    bool ByDefinition);
  /// As \p Includer spells the #include of \p Included; as one would, if it has
  /// none.
  std::string spelling(FileNumber Includer, FileNumber Included);
  /// As all that have the folders of any compile name it; its path, if none of
  /// them has it.
  std::string includedAs(FileNumber File) const;
  /// A line of \p Includer, if that is known from traces or sources; otherwise
  /// 0.
  uint32_t includeLine(FileNumber Includer, FileNumber Included);
  /// "list.h:4", or without the line.
  std::string includePlace(FileNumber Includer, FileNumber Included) {
    uint32_t LineNo = includeLine(Includer, Included);
    return path(Includer) + (LineNo == 0 ? "" : ":" + std::to_string(LineNo));
  }
  /// May be told to users of the library: no folder or ending in its path says
  /// that it is internal, nor does it itself, by a pragma or an #error.
  bool isPublic(FileNumber File);

protected:
  void read(const AdviceUnit &U, HeaderPart &Into) const override;
  void merge(HeaderPart Part, const Trace &T) override;

private:
  /// A compile, in fewer bytes.
  struct KnownCompile {
    uint32_t Mains = 0, Readings = 0, Uses = 0;
    PackedNumbers Numbers;
    FileSet IsRead;
    bool IsForOthers = false, UsesPrecompiled = false;
  };
  std::vector<FileNumber> resolve(FileNumber Includer, const std::string &Name);
  using Way = std::pair<FileNumber, FileNumber>; ///< an inclusion
  static std::vector<CompileFiles::Reading>
  readingsOf(const KnownCompile &C, PackedNumbers::Reader &Numbers);
  void addWays(std::vector<Way> Ways);
  bool needsIncluder(FileNumber File);
  /// That the program declares.
  struct OwnWords {
    FileSet Scopes; ///< namespaces and types that nobody else has
    FileSet Scoped; ///< in namespaces
  };
  const OwnWords &own();

  const SourceReader &Sources;
  std::vector<KnownCompile> Read;
  std::vector<CompileRun> Runs;
  std::vector<Changes> Followed; ///< by compile
  std::vector<FileSet> Unneeded; ///< by compile
  std::set<std::string> IncludeFolders;
  std::unordered_map<std::string, FileNumber> Numbers;
  std::vector<std::string> Paths;
  /// Of relative paths, by file.
  std::unordered_map<FileNumber, std::string> FolderOf;
  FileSet IsSystem;
  std::vector<uint64_t> MeanSelfNs; ///< before finish(): the sum
  std::vector<uint64_t> Readings;   ///< by file
  std::vector<std::vector<FileNumber>> RecordedWays, AllWays;
  std::unordered_map<uint64_t, uint32_t> Lines; ///< by both files
  /// Whether it, or what it includes, has an #error without; if asked for.
  std::unordered_map<FileNumber, bool> NeedIncluder;
  std::vector<std::optional<std::optional<SourceScan>>> Scans;
  WordTable Words;
  std::optional<OwnWords> Own; ///< if asked for
  std::unordered_map<std::string, std::vector<FileNumber>> ByLastPart;
};

} // namespace instantrace
