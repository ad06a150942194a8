#include "utils/analysis/overview/UserLines.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

using namespace instantrace;

namespace {

using FileNumber = HeaderSums::FileNumber;
constexpr FileNumber NoFile = HeaderSums::NoFile;

class LineRanking {
public:
  explicit LineRanking(const OverviewSums &Sums);
  std::vector<UserLine> take();

private:
  struct Line {
    uint64_t Ns = 0, Units = 0;
    FileNumber Included = NoFile;
    uint64_t IncludedNs = 0;
    SharedText WorkingDirectory;
  };
  struct File {
    std::string_view Path;
    std::map<uint32_t, Line> Lines; ///< by number
    bool IsSeen = false;
  };

  FileNumber fileOf(std::string_view Path);
  bool isUserFile(FileNumber Number) const;
  void enterIncludes();
  void finishBelow(FileNumber Top);
  void finish(FileNumber Number);
  void addRow(FileNumber Number, uint32_t LineNo, const Line &L);

  const OverviewSums &Sums;
  const std::vector<HeaderSums::File> &Headers;
  const double SmallestNs;
  std::vector<File> Files; ///< those of the headers, and then others
  std::unordered_map<std::string_view, FileNumber> Numbers;
  std::vector<UserLine> Rows;
  std::unordered_map<FileNumber, size_t> RowOf; ///< by what it includes
};

LineRanking::LineRanking(const OverviewSums &Sums)
    : Sums(Sums), Headers(Sums.Headers.files()),
      SmallestNs(static_cast<double>(Sums.totalNs()) * RowPercent / 100) {
  for (const HeaderSums::File &Header : Headers)
    fileOf(Header.Path);
  for (const auto &[Key, Sum] : Sums.Lines) {
    Line &L = Files[fileOf(Sum.Path.text())].Lines[Sum.LineNo];
    L.Ns += Sum.Ns;
    L.Units += Sum.Units;
    L.WorkingDirectory = Sum.WorkingDirectory;
  }
  enterIncludes();
}

FileNumber LineRanking::fileOf(std::string_view Path) {
  auto [Entry, IsNew] =
      Numbers.try_emplace(Path, static_cast<FileNumber>(Files.size()));
  if (IsNew)
    Files.emplace_back().Path = Path;
  return Entry->second;
}

bool LineRanking::isUserFile(FileNumber Number) const {
  return (Number >= Headers.size() || !Headers[Number].IsSystem) &&
         !Files[Number].Path.starts_with('<');
}

void LineRanking::enterIncludes() {
  for (FileNumber Included = 0; Included != Headers.size(); ++Included)
    for (const auto &[Place, Part] : Headers[Included].Includers) {
      if (!isUserFile(Place.first))
        continue;
      Line &L = Files[Place.first].Lines[Place.second];
      // What a macro names may be another file in each compile.
      if (L.Included != NoFile && Part.InclusiveNs <= L.IncludedNs)
        continue;
      L.Included = Included;
      L.IncludedNs = Part.InclusiveNs;
      L.Units = std::max(L.Units, Part.Units);
    }
}

/// What a file includes comes before it, but for circles. No recursion: whoever
/// wrote the trace says how deep that is.
void LineRanking::finishBelow(FileNumber Top) {
  std::vector<std::pair<FileNumber, bool>> Way = {{Top, false}};
  while (!Way.empty()) {
    auto [File, IsDone] = Way.back();
    Way.pop_back();
    if (IsDone) {
      finish(File);
      continue;
    }
    if (std::exchange(Files[File].IsSeen, true))
      continue;
    Way.push_back({File, true});
    if (File < Headers.size())
      for (const auto &[Included, Part] : Headers[File].Includes)
        Way.push_back({Included, false});
  }
}

void LineRanking::finish(FileNumber Number) {
  double IncludedNs = 0;
  if (Number < Headers.size())
    for (const auto &[Place, Part] : Headers[Number].Includers)
      if (isUserFile(Place.first))
        IncludedNs += static_cast<double>(Part.InclusiveNs);
  double SmallNs = 0;
  for (const auto &[LineNo, Line] : Files[Number].Lines)
    if (IncludedNs == 0 || static_cast<double>(Line.Ns) >= SmallestNs)
      addRow(Number, LineNo, Line);
    else
      SmallNs += static_cast<double>(Line.Ns);
  if (IncludedNs == 0)
    return;
  for (const auto &[Place, Part] : Headers[Number].Includers)
    if (isUserFile(Place.first))
      Files[Place.first].Lines[Place.second].Ns += static_cast<uint64_t>(
          SmallNs * static_cast<double>(Part.InclusiveNs) / IncludedNs);
}

void LineRanking::addRow(FileNumber Number, uint32_t LineNo, const Line &L) {
  if (L.Ns == 0)
    return;
  UserLine Row;
  Row.Path = Files[Number].Path;
  Row.WorkingDirectory = L.WorkingDirectory.empty() ? Sums.WorkingDirectory
                                                    : L.WorkingDirectory.text();
  Row.LineNo = LineNo;
  Row.Ns = L.Ns;
  Row.Units = L.Units;
  if (L.Included == NoFile) {
    Rows.push_back(std::move(Row));
    return;
  }
  Row.Included = Files[L.Included].Path;
  auto [Entry, IsNew] = RowOf.try_emplace(L.Included, Rows.size());
  if (IsNew) {
    Rows.push_back(std::move(Row));
    return;
  }
  // The first one stands for all.
  UserLine &Known = Rows[Entry->second];
  uint64_t Ns = Known.Ns + Row.Ns;
  uint64_t Units =
      std::min(Known.Units + Row.Units, Headers[L.Included].Readings.Units);
  uint64_t Others = Known.Others + 1;
  if (std::tie(Row.Path, Row.LineNo) < std::tie(Known.Path, Known.LineNo))
    Known = std::move(Row);
  Known.Ns = Ns;
  Known.Units = Units;
  Known.Others = Others;
}

std::vector<UserLine> LineRanking::take() {
  for (FileNumber Number = 0; Number != Files.size(); ++Number)
    if (isUserFile(Number))
      finishBelow(Number);
  std::sort(Rows.begin(), Rows.end(), [](const UserLine &A, const UserLine &B) {
    return A.Ns != B.Ns
               ? A.Ns > B.Ns
               : std::tie(A.Path, A.LineNo) < std::tie(B.Path, B.LineNo);
  });
  return std::move(Rows);
}

} // namespace

std::vector<UserLine> instantrace::userLines(const OverviewSums &Sums) {
  return LineRanking(Sums).take();
}
