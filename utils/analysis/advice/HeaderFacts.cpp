#include "utils/analysis/advice/HeaderFacts.h"

#include "utils/analysis/advice/CompileProduct.h"
#include "utils/analysis/advice/CompileReader.h"
#include "utils/analysis/advice/IncludeNames.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>

using namespace instantrace;

namespace {

uint64_t pairKey(FileNumber Includer, FileNumber Included) {
  return uint64_t(Includer) << 32 | Included;
}

void sortOnce(std::vector<FileNumber> &Files) {
  std::sort(Files.begin(), Files.end());
  Files.erase(std::unique(Files.begin(), Files.end()), Files.end());
}

} // namespace

HeaderFacts::HeaderFacts(const SourceReader &Sources)
    : ReadingOf(AdviceReading::First), Sources(Sources) {}

void HeaderFacts::read(const AdviceUnit &U, HeaderPart &Into) const {
  Into.Run = compileRun(U.S, U.Costs.TotalNs);
  Into.In.IsForOthers = isMadeForOthers(U.S);
  Into.In.UsesPrecompiled = hasPrecompiled(U.S);
  readCompileFiles(U, Into);
  if (U.S.Session)
    for (const std::string &Folder : includeFolders(U.S.Session->Argv))
      Into.IncludeFolders.push_back(normalPathIn(U.S, Folder));
}

void HeaderFacts::merge(HeaderPart Part, const Trace &) {
  std::vector<FileNumber> Known;
  for (HeaderPart::File &File : Part.Files) {
    auto [Entry, IsNew] =
        Numbers.try_emplace(File.Path, static_cast<FileNumber>(Paths.size()));
    Known.push_back(Entry->second);
    if (File.IsSystem)
      IsSystem.insert(Entry->second);
    if (!IsNew)
      continue;
    Paths.push_back(std::move(File.Path));
    if (File.Folder)
      FolderOf.emplace(Entry->second, std::move(*File.Folder));
  }
  for (const std::string &Folder : Part.IncludeFolders)
    IncludeFolders.insert(Folder);
  CompileFiles &In = Part.In;
  for (FileNumber &Main : In.Mains)
    Main = Known[Main];
  for (CompileFiles::Reading &R : In.Readings) {
    R.File = Known[R.File];
    R.Includer = R.Includer == NoFile ? NoFile : Known[R.Includer];
  }
  for (CompileFiles::Use &U : In.Uses)
    U = {Known[U.Asker], Known[U.Declared]};
  std::sort(In.Uses.begin(), In.Uses.end());
  MeanSelfNs.resize(Paths.size());
  Readings.resize(Paths.size());
  RecordedWays.resize(Paths.size());
  Runs.push_back(std::move(Part.Run));
  KnownCompile &C = Read.emplace_back();
  C.IsForOthers = In.IsForOthers;
  C.UsesPrecompiled = In.UsesPrecompiled;
  C.Mains = static_cast<uint32_t>(In.Mains.size());
  C.Readings = static_cast<uint32_t>(In.Readings.size());
  C.Uses = static_cast<uint32_t>(In.Uses.size());
  std::vector<Way> Ways;
  for (uint32_t Index = 0; Index != In.Readings.size(); ++Index) {
    const CompileFiles::Reading &R = In.Readings[Index];
    C.IsRead.insert(R.File);
    C.Numbers.add(R.File);
    C.Numbers.add(R.Includer == NoFile ? 0 : uint64_t(R.Includer) + 1);
    C.Numbers.add(R.Around == NoReading ? 0 : Index - R.Around);
    C.Numbers.add(uint64_t(R.LineNo) << 2 | uint64_t(R.IsOfSystem) << 1 |
                  uint64_t(R.IsSelected));
    C.Numbers.add(R.OwnNs);
    C.Numbers.add(R.SelfNs - R.OwnNs);
    C.Numbers.add(R.WholeNs - R.SelfNs);
    C.Numbers.add(R.LateNs);
    ++Readings[R.File];
    MeanSelfNs[R.File] += R.SelfNs;
    if (R.Includer == NoFile)
      continue;
    Ways.emplace_back(R.Includer, R.File);
    if (R.LineNo != 0)
      Lines.try_emplace(pairKey(R.Includer, R.File), R.LineNo);
  }
  addWays(std::move(Ways));
  for (FileNumber Main : In.Mains)
    C.Numbers.add(Main);
  CompileFiles::Use Before = {0, 0};
  for (const CompileFiles::Use &U : In.Uses) {
    C.Numbers.add(U.Asker - Before.Asker);
    C.Numbers.add(U.Declared - (U.Asker == Before.Asker ? Before.Declared : 0));
    Before = U;
  }
  C.Numbers.shrink();
}

std::vector<CompileFiles::Reading>
HeaderFacts::readingsOf(const KnownCompile &C, PackedNumbers::Reader &Numbers) {
  std::vector<CompileFiles::Reading> Read(C.Readings);
  for (uint32_t Index = 0; Index != C.Readings; ++Index) {
    CompileFiles::Reading &R = Read[Index];
    R.File = Numbers.next32();
    R.Includer = Numbers.next32() - 1; // 0: NoFile
    uint32_t Back = Numbers.next32();
    R.Around = Back == 0 ? NoReading : Index - Back;
    uint64_t Line = Numbers.next();
    R.LineNo = static_cast<uint32_t>(Line >> 2);
    R.IsOfSystem = (Line & 2) != 0;
    R.IsSelected = Line & 1;
    R.OwnNs = Numbers.next();
    R.SelfNs = R.OwnNs + Numbers.next();
    R.WholeNs = R.SelfNs + Numbers.next();
    R.LateNs = Numbers.next();
  }
  return Read;
}

std::vector<CompileFiles::Reading> HeaderFacts::readings(size_t Compile) const {
  PackedNumbers::Reader Numbers(Read[Compile].Numbers);
  return readingsOf(Read[Compile], Numbers);
}

CompileFiles HeaderFacts::compile(size_t Compile) const {
  const KnownCompile &C = Read[Compile];
  PackedNumbers::Reader Numbers(C.Numbers);
  CompileFiles In;
  In.IsRead = C.IsRead;
  In.IsForOthers = C.IsForOthers;
  In.UsesPrecompiled = C.UsesPrecompiled;
  In.Readings = readingsOf(C, Numbers);
  FileSet IsListed;
  for (const CompileFiles::Reading &R : In.Readings)
    if (IsListed.insert(R.File))
      In.Files.push_back(R.File);
  In.Mains.resize(C.Mains);
  for (FileNumber &Main : In.Mains)
    Main = Numbers.next32();
  In.Uses.resize(C.Uses);
  CompileFiles::Use Before = {0, 0};
  for (CompileFiles::Use &U : In.Uses) {
    uint32_t Asker = Numbers.next32();
    U.Asker = Before.Asker + Asker;
    U.Declared = Numbers.next32() + (Asker == 0 ? Before.Declared : 0);
    Before = U;
  }
  return In;
}

/// All of a compile at once: what it adds to a file's is merged once.
void HeaderFacts::addWays(std::vector<Way> Ways) {
  std::sort(Ways.begin(), Ways.end());
  for (auto It = Ways.begin(); It != Ways.end();) {
    std::vector<FileNumber> &Known = RecordedWays[It->first];
    const size_t Before = Known.size();
    for (const FileNumber Includer = It->first;
         It != Ways.end() && It->first == Includer; ++It)
      Known.push_back(It->second);
    std::inplace_merge(Known.begin(),
                       Known.begin() + static_cast<std::ptrdiff_t>(Before),
                       Known.end());
    Known.erase(std::unique(Known.begin(), Known.end()), Known.end());
  }
}

void HeaderFacts::finish() {
  for (FileNumber File = 0; File != Paths.size(); ++File) {
    MeanSelfNs[File] /= std::max<uint64_t>(Readings[File], 1);
    ByLastPart[Paths[File].substr(Paths[File].rfind('/') + 1)].push_back(File);
  }
  Scans.resize(Paths.size());
  Unneeded.resize(Read.size());
  Followed.resize(Read.size());
}

void HeaderFacts::follow(size_t Compile, const Changes &More) {
  Changes &All = Followed[Compile];
  All.Removed.insert(More.Removed.begin(), More.Removed.end());
  All.Added.insert(All.Added.end(), More.Added.begin(), More.Added.end());
  auto isRemoved = [&All](FileNumber Includer, FileNumber Included) {
    return All.Removed.contains({Includer, Included});
  };
  const CompileFiles In = this->compile(Compile);
  const FileSet Kept = reached(In, isRemoved, All.Added, Ways::All);
  Unneeded[Compile] = {};
  for (FileNumber File : In.Files)
    if (!Kept.contains(File))
      Unneeded[Compile].insert(File);
}

std::string HeaderFacts::fullPath(FileNumber File) const {
  auto Folder = FolderOf.find(File);
  return pathFrom(Folder == FolderOf.end() ? "" : Folder->second, Paths[File]);
}

const SourceScan *HeaderFacts::scan(FileNumber File) {
  std::optional<std::optional<SourceScan>> &Known = Scans[File];
  if (!Known) {
    auto Folder = FolderOf.find(File);
    const std::string *Text =
        Sources ? Sources(Folder == FolderOf.end() ? nullptr : &Folder->second,
                          Paths[File])
                : nullptr;
    Known.emplace();
    if (Text)
      *Known = scanSource(*Text, Words);
  }
  return *Known ? &**Known : nullptr;
}

std::vector<FileNumber> HeaderFacts::resolve(FileNumber Includer,
                                             const std::string &Name) {
  std::string Normal = normalPath(Name);
  auto Beside =
      Numbers.find(normalPath(folderOf(Paths[Includer]) + "/" + Normal));
  if (Beside != Numbers.end())
    return {Beside->second};
  std::vector<FileNumber> Found;
  auto Named = ByLastPart.find(Normal.substr(Normal.rfind('/') + 1));
  if (Named == ByLastPart.end())
    return Found;
  for (FileNumber File : Named->second)
    if (Paths[File] == Normal || Paths[File].ends_with("/" + Normal))
      Found.push_back(File);
  return Found;
}

const std::vector<FileNumber> &HeaderFacts::includes(FileNumber File,
                                                     Ways Scope) {
  if (Scope == Ways::Recorded)
    return RecordedWays[File];
  if (AllWays.empty()) {
    AllWays = RecordedWays;
    for (FileNumber Includer = 0; Includer != Paths.size(); ++Includer) {
      const SourceScan *Scan = scan(Includer);
      if (!Scan)
        continue;
      for (const SourceScan::Include &I : Scan->Includes)
        for (FileNumber Included : resolve(Includer, I.Name)) {
          AllWays[Includer].push_back(Included);
          Lines.try_emplace(pairKey(Includer, Included), I.LineNo);
        }
      sortOnce(AllWays[Includer]);
    }
  }
  return AllWays[File];
}

FileSet HeaderFacts::closure(FileNumber File, Ways Scope) {
  return closureOf(File, [&](FileNumber Includer) -> const auto & {
    return includes(Includer, Scope);
  });
}

FileSet HeaderFacts::recordedClosure(FileNumber File) const {
  return closureOf(File, [this](FileNumber Includer) -> const auto & {
    return RecordedWays[Includer];
  });
}

FileSet HeaderFacts::reached(const CompileFiles &In, const Removal &IsRemoved,
                             const std::vector<Addition> &Added, Ways Scope) {
  FileSet Reached;
  std::vector<FileNumber> Open;
  auto reach = [&](FileNumber File) {
    if (In.IsRead.contains(File) && Reached.insert(File))
      Open.push_back(File);
  };
  for (FileNumber Main : In.Mains)
    reach(Main);
  while (!Open.empty()) {
    FileNumber Current = Open.back();
    Open.pop_back();
    for (FileNumber Included : includes(Current, Scope))
      if (!IsRemoved(Current, Included))
        reach(Included);
    for (const Addition &A : Added)
      if (A.Includer == Current)
        reach(A.Included);
  }
  return Reached;
}

uint64_t HeaderFacts::nsWithout(const CompileFiles &In, const FileSet &Kept) {
  uint64_t Ns = 0;
  for (const CompileFiles::Reading &R : In.Readings)
    if (!Kept.contains(R.File))
      Ns += R.SelfNs + R.LateNs;
  return Ns;
}

CompileChange HeaderFacts::change(size_t Compile, const CompileFiles &In,
                                  const FileSet &Before,
                                  const FileSet &After) const {
  const uint64_t WasNs = nsWithout(In, Before), Ns = nsWithout(In, After);
  CompileChange Changed{Compile, Ns - std::min(Ns, WasNs), {}, {}};
  for (FileNumber File : In.Files)
    if (!isSystem(File) && Before.contains(File) && !After.contains(File))
      Changed.Dropped.push_back(File);
  std::sort(Changed.Dropped.begin(), Changed.Dropped.end());
  return Changed;
}

FileSet HeaderFacts::namesOf(const std::vector<FileNumber> &Files,
                             const std::vector<FileNumber> &WithAliasesIn) {
  FileSet Names, Types;
  for (FileNumber File : Files)
    if (const SourceScan *Scan = scan(File))
      for (const SourceScan::Declaration &D : Scan->Declarations) {
        Names.insert(D.Word);
        if (D.IsType)
          Types.insert(D.Word);
      }
  // Of an alias, so that each one may be of another one.
  for (bool IsMore = true; IsMore;) {
    IsMore = false;
    for (FileNumber File : WithAliasesIn) {
      const SourceScan *Scan = scan(File);
      if (!Scan)
        continue;
      for (const SourceScan::Declaration &D : Scan->Declarations) {
        if (!D.IsAlias || Types.contains(D.Word))
          continue;
        for (uint32_t Index = D.FirstMention; Index != D.EndMention; ++Index)
          if (Types.contains(Scan->Mentions[Index].Word))
            IsMore |= Types.insert(D.Word);
        if (Types.contains(D.Word))
          Names.insert(D.Word);
      }
    }
  }
  return Names;
}

std::optional<uint32_t> HeaderFacts::mentioned(FileNumber File,
                                               const FileSet &Names,
                                               bool ByDefinition) {
  if (const SourceScan *Scan = scan(File))
    for (const SourceScan::Mention &M : Scan->Mentions)
      if (!M.IsMember && Names.contains(M.Word) &&
          (M.NeedsDefinition || !ByDefinition))
        return M.Word;
  return std::nullopt;
}

const HeaderFacts::OwnWords &HeaderFacts::own() {
  if (Own)
    return *Own;
  Own.emplace();
  FileSet Foreign;
  for (FileNumber File = 0; File != fileCount(); ++File)
    if (const SourceScan *Scan = scan(File)) {
      FileSet &Scopes = isSystem(File) ? Foreign : Own->Scopes;
      for (uint32_t Word : Scan->Namespaces)
        Scopes.insert(Word);
      for (const SourceScan::Declaration &D : Scan->Declarations) {
        if (D.IsType && !D.IsAlias)
          Scopes.insert(D.Word);
        if (D.IsInNamespace && !isSystem(File))
          Own->Scoped.insert(D.Word);
      }
    }
  Own->Scopes.remove(Foreign);
  return *Own;
}

bool HeaderFacts::usesForeignNamespace(const SourceScan &In) {
  const auto isForeign = [this](uint32_t Word) {
    return !own().Scopes.contains(Word);
  };
  return std::any_of(In.UsedNamespaces.begin(), In.UsedNamespaces.end(),
                     isForeign) ||
         std::any_of(In.Namespaces.begin(), In.Namespaces.end(), isForeign);
}

std::string HeaderFacts::spelling(FileNumber Includer, FileNumber Included) {
  if (const SourceScan *Scan = scan(Includer))
    for (const SourceScan::Include &I : Scan->Includes) {
      std::vector<FileNumber> Files = resolve(Includer, I.Name);
      if (std::find(Files.begin(), Files.end(), Included) != Files.end())
        return I.Name;
    }
  return includedAs(Included);
}

std::string HeaderFacts::includedAs(FileNumber File) const {
  std::string_view Path = Paths[File];
  for (size_t End = Path.size();
       (End = Path.substr(0, End).rfind('/')) != Path.npos && End != 0;)
    if (IncludeFolders.contains(std::string(Path.substr(0, End))))
      return std::string(Path.substr(End + 1));
  return includeName(Path);
}

uint32_t HeaderFacts::includeLine(FileNumber Includer, FileNumber Included) {
  auto Found = Lines.find(pairKey(Includer, Included));
  return Found == Lines.end() ? 0 : Found->second;
}

bool HeaderFacts::isPublic(FileNumber File) {
  if (isInternalPath(Paths[File]))
    return false;
  const SourceScan *Scan = scan(File);
  return (!Scan || !Scan->IsPrivate) && !needsIncluder(File);
}

bool HeaderFacts::needsIncluder(FileNumber File) {
  auto [Known, IsNew] = NeedIncluder.try_emplace(File);
  if (!IsNew)
    return Known->second;
  const FileSet Below = recordedClosure(File);
  auto IsDefined = [&](uint32_t Macro, bool IsBelow) {
    for (FileNumber Each = 0; Each != Paths.size(); ++Each)
      if (const SourceScan *S =
              Below.contains(Each) == IsBelow ? scan(Each) : nullptr;
          S && S->isMacro(Macro))
        return true;
    return false;
  };
  for (FileNumber Each = 0; Each != Paths.size(); ++Each)
    if (const SourceScan *S = Below.contains(Each) ? scan(Each) : nullptr)
      for (uint32_t Macro : S->NeededMacros)
        if (!IsDefined(Macro, true) && IsDefined(Macro, false))
          return Known->second = true;
  return false;
}
