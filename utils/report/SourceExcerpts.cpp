#include "utils/report/SourceExcerpts.h"

#include "utils/analysis/view/PathRules.h"
#include "utils/render/CleanText.h"
#include "utils/render/NumberText.h"
#include "utils/system/FileDescriptor.h"

#include <algorithm>
#include <cerrno>
#include <set>

using namespace instantrace;

namespace {

constexpr uint32_t Context = 4;
/// More of a line does not say more.
constexpr size_t LineBytes = 240;
/// Sources that people write are smaller.
constexpr off_t FileBytes = 8 << 20;
struct Costs {
  uint64_t CausedNs = 0, InclusiveNs = 0, Count = 0;
  uint64_t rank() const { return std::max(CausedNs, InclusiveNs); }
};
using LinesOfFile = std::map<uint32_t, Costs>;

struct Ranked {
  uint64_t Rank;
  const std::string *Path;
  uint32_t LineNo;
};

/// The file, or why not.
bool readText(const SourceRoots &Roots, const std::string &Path,
              std::string &Text, std::string &Problem) {
  FileDescriptor File = Roots.open(Path);
  struct stat Status{};
  if (!File || fstat(File.get(), &Status) != 0) {
    Problem = sourceProblem(errno);
    return false;
  }
  if (Status.st_size > FileBytes) {
    Problem = "larger than any source";
    return false;
  }
  Text = readSource(File);
  return true;
}

std::string shownLine(std::string_view Line) {
  if (Line.ends_with('\r'))
    Line.remove_suffix(1);
  std::string Text;
  for (char C : Line.substr(0, LineBytes))
    Text.append(C == '\t' ? "    " : std::string_view(&C, 1));
  return cleanText(Text) + (Line.size() > LineBytes ? "…" : "");
}

void readLines(SourceExcerpt &Into, const SourceRoots &Roots,
               const std::string &Path, const std::set<uint32_t> &Wanted,
               const LinesOfFile &Lines) {
  std::string Text;
  if (!readText(Roots, Path, Text, Into.Problem))
    return;
  uint32_t LineNo = 0;
  for (size_t Begin = 0; Begin < Text.size();) {
    size_t End = std::min(Text.find('\n', Begin), Text.size());
    if (Wanted.contains(++LineNo)) {
      auto Cost = Lines.find(LineNo);
      Costs C = Cost == Lines.end() ? Costs() : Cost->second;
      Into.Lines.push_back(
          {LineNo, shownLine(std::string_view(Text).substr(Begin, End - Begin)),
           C.CausedNs, C.InclusiveNs, C.Count});
    }
    Begin = End + 1;
  }
  if (Lines.rbegin()->first > LineNo)
    Into.Problem = "has changed since it was compiled: found " +
                   counted(LineNo, "line") + ", expected at least " +
                   std::to_string(Lines.rbegin()->first);
}

} // namespace

PathFolders::PathFolders(const Trace &T) {
  for (const Sequence &S : T.Sequences) {
    if (!S.Session)
      continue;
    const std::string Folder = S.Session->WorkingDirectory + "/";
    if (First.empty())
      First = Folder;
    std::set<uint32_t> Names;
    for (const Location &L : S.Locations.Rows)
      Names.insert(L.File.Value);
    for (uint32_t Name : Names) {
      std::string Path = normalPathOf(S, NameId{Name});
      if (!Path.starts_with('/'))
        Folders.try_emplace(std::move(Path), Folder);
    }
  }
}

void PathFolders::add(PathFolders More) {
  Folders.merge(More.Folders);
  if (First.empty())
    First = std::move(More.First);
}

std::string PathFolders::folderOf(const std::string &Path) const {
  if (Path.starts_with('/'))
    return {};
  auto Known = Folders.find(Path);
  return Known != Folders.end() ? Known->second : First;
}

SourceExcerpts instantrace::sourceExcerpts(const PathFolders &Folders,
                                           const CostTable &ByLine,
                                           const CostTable &ByUserFrame,
                                           const SourceRoots &Roots,
                                           size_t MaxLines) {
  std::map<std::string, LinesOfFile> Files;
  auto Line = [&Files](const CostRow &Row) -> Costs * {
    // A line of a file whose path is known.
    return Row.Name.LineNo == 0 || Row.Name.Text.empty()
               ? nullptr
               : &Files[Row.Name.Text.text()][Row.Name.LineNo];
  };
  for (const CostRow &Row : ByLine.Rows)
    if (Costs *Sum = Line(Row)) {
      Sum->InclusiveNs = Row.InclusiveNs;
      Sum->Count = Row.Count;
    }
  for (const CostRow &Row : ByUserFrame.Rows)
    if (Costs *Sum = Line(Row))
      Sum->CausedNs = Row.SelfNs;
  SourceExcerpts Found;
  std::vector<Ranked> Order; // by path and line at first, which decides ties
  for (const auto &[Path, Lines] : Files)
    for (const auto &[LineNo, Cost] : Lines)
      Order.push_back({Cost.rank(), &Path, LineNo});
  std::stable_sort(
      Order.begin(), Order.end(),
      [](const Ranked &A, const Ranked &B) { return A.Rank > B.Rank; });
  Found.CostlyLines = Order.size();
  std::map<std::string, std::set<uint32_t>> Wanted;
  size_t Lines = 0;
  for (const Ranked &R : Order) {
    if (Lines + size_t(2) * Context + 1 > MaxLines)
      break;
    std::set<uint32_t> &Numbers = Wanted[*R.Path];
    uint32_t Last =
        R.LineNo > UINT32_MAX - Context ? UINT32_MAX : R.LineNo + Context;
    for (uint32_t No = R.LineNo > Context ? R.LineNo - Context : 1;; ++No) {
      Lines += Numbers.insert(No).second;
      if (No == Last)
        break;
    }
    ++Found.ShownCostlyLines;
  }
  for (const auto &[Path, Numbers] : Wanted) {
    SourceExcerpt &File = Found.Files.emplace_back();
    File.Path = Path;
    readLines(File, Roots, Folders.folderOf(Path) + Path, Numbers, Files[Path]);
  }
  return Found;
}
