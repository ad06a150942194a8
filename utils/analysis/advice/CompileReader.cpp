#include "utils/analysis/advice/CompileReader.h"

#include "runtime/format/EventKind.h"
#include "utils/analysis/view/PathRules.h"
#include "utils/analysis/view/UserFrame.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

using namespace instantrace;

namespace {

class CompileReader {
public:
  CompileReader(const AdviceUnit &U, HeaderPart &Into)
      : U(U), Into(Into), Work(U.S.Intervals.size()),
        ByName(U.S.Names.size() + 1, Unknown) {}

  void read() {
    for (uint32_t Index = 0; Index != Work.size(); ++Index) {
      const Interval &I = U.S.Intervals[Index];
      if (I.Parent)
        Work[Index].Reading = Work[I.Parent.Value].Reading;
      const Entity *E = U.S.entity(I.Entity);
      if (I.Kind == EventKind::FileInclusion && E)
        enterFile(Index, *E);
      else if (isTemplateWork(I.Kind))
        addTemplateWork(Index, E);
    }
  }

private:
  /// Where an interval is, and who asked for it.
  struct Origin {
    uint32_t Reading = NoReading; ///< it is in, or is
    uint32_t AskedIn = NoReading;
    FileNumber Asker = NoFile;
    FileNumber Candidate = NoFile; ///< of a library, for which it is
  };

  void enterFile(uint32_t Index, const Entity &E) {
    const Sequence &S = U.S;
    const Interval &I = S.Intervals[Index];
    CompileFiles &In = Into.In;
    const FileNumber File = fileOf(E.Name);
    if (File == NoFile)
      return;
    auto First = S.FirstInclusions.find(E.Name.Value);
    const Inclusion *Entered =
        First == S.FirstInclusions.end() ? nullptr : S.inclusion(First->second);
    if (Entered && Entered->IsSystem)
      Into.Files[File].IsSystem = true;
    const Location *L = S.location(I.Location);
    const uint32_t Outer = Work[Index].Reading;
    const bool IsMain = !L || Outer == NoReading;
    const uint64_t Ns = U.Costs.InclusiveNs[Index];
    Work[Index].Reading = static_cast<uint32_t>(In.Readings.size());
    FirstReading.try_emplace(File, Work[Index].Reading);
    // The main file, which nobody includes, is not a system header.
    In.Readings.push_back({File, IsMain ? NoFile : In.Readings[Outer].File,
                           Outer, L ? L->LineNo : 0, U.Filter.selects(I),
                           I.Location && Entered && Entered->IsSystem,
                           U.Costs.SelfNs[Index], Ns, Ns});
    if (IsMain)
      In.Mains.push_back(File);
    else
      In.Readings[Outer].SelfNs -= std::min(In.Readings[Outer].SelfNs, Ns);
  }

  void addTemplateWork(uint32_t Index, const Entity *E) {
    const Interval &I = U.S.Intervals[Index];
    Origin &Found = Work[Index];
    const IntervalId Requester = outwards(I);
    const Origin *Around =
        isTemplateWorkAt(Requester) ? &Work[Requester.Value] : nullptr;
    Found.Asker = Around ? Around->Asker : fileAt(I.Location);
    Found.AskedIn = Around                    ? Around->AskedIn
                    : isHeader(Found.Reading) ? Found.Reading
                                              : readingAt(I.Location);
    if (!isTemplateWorkAt(I.Parent) && isHeader(Found.AskedIn) &&
        !isHeader(Found.Reading))
      Into.In.Readings[Found.AskedIn].LateNs += U.Costs.InclusiveNs[Index];
    const FileNumber Declared = E ? fileAt(E->DeclaredAt) : NoFile;
    if (isCandidate(I.Kind) && isSystem(Declared))
      Found.Candidate = Declared;
    else if (Around)
      Found.Candidate = Around->Candidate;
    // A try or a default argument can be about what is only declared here,
    // and defined in a file that is not needed for it.
    if (Found.Asker == NoFile || I.Kind != EventKind::TemplateInstantiation)
      return;
    // What a library asks of itself for a candidate, nobody asks for who does
    // not read that.
    const FileNumber Asker = Found.Candidate != NoFile && isSystem(Declared)
                                 ? Found.Candidate
                                 : Found.Asker;
    if (Declared != NoFile)
      addUse({Asker, Declared});
    // Where a body is that was declared elsewhere.
    const FileNumber Place = Around ? fileAt(I.Location) : NoFile;
    if (Place != NoFile && Place != Declared)
      addUse({Asker, Place});
  }

  bool isTemplateWorkAt(IntervalId Id) const {
    return Id && isTemplateWork(U.S.Intervals[Id.Value].Kind);
  }

  /// The first of the file that it is in.
  uint32_t readingAt(LocationId Id) {
    auto First = FirstReading.find(fileAt(Id));
    return First == FirstReading.end() ? NoReading : First->second;
  }

  bool isHeader(uint32_t Reading) const {
    return Reading != NoReading && Into.In.Readings[Reading].Includer != NoFile;
  }

  FileNumber fileAt(LocationId Id) {
    const Location *L = U.S.location(Id);
    return L ? fileOf(L->File) : NoFile;
  }

  static bool isCandidate(EventKind Kind) {
    return Kind == EventKind::DeducedTemplateArgumentSubstitution ||
           Kind == EventKind::ExplicitTemplateArgumentSubstitution;
  }
  bool isSystem(FileNumber File) const {
    return File != NoFile && Into.Files[File].IsSystem;
  }

  void addUse(const CompileFiles::Use &U) {
    if (U.Asker >= UsedBy.size())
      UsedBy.resize(Into.Files.size());
    if (UsedBy[U.Asker].insert(U.Declared))
      Into.In.Uses.push_back(U);
  }

  FileNumber fileOf(NameId Path) {
    if (!U.S.Names.contains(Path))
      return NoFile;
    uint32_t &File = ByName[Path.Value];
    if (File == Unknown)
      File = findFile(Path);
    return File;
  }

  FileNumber findFile(NameId Path) {
    std::string Normal = normalPathOf(U.S, Path);
    if (Normal.empty())
      return NoFile;
    auto [Known, IsNewPath] =
        ByPath.try_emplace(Normal, static_cast<FileNumber>(Into.Files.size()));
    if (IsNewPath) {
      HeaderPart::File &File = Into.Files.emplace_back();
      if (!Normal.starts_with('/') && U.S.Session)
        File.Folder = U.S.Session->WorkingDirectory;
      File.Path = std::move(Normal);
    }
    return Known->second;
  }

  const AdviceUnit &U;
  HeaderPart &Into;
  std::vector<Origin> Work; ///< by interval
  static constexpr FileNumber Unknown = NoFile - 1;
  std::vector<FileNumber> ByName;
  std::unordered_map<std::string, FileNumber> ByPath;
  std::vector<FileSet> UsedBy; ///< by who asked
  std::unordered_map<FileNumber, uint32_t> FirstReading;
};

} // namespace

void instantrace::readCompileFiles(const AdviceUnit &U, HeaderPart &Into) {
  CompileReader(U, Into).read();
}
