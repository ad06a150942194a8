#include "utils/commands/CriticalWhatIf.h"

#include "utils/commands/RebuildReading.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"
#include "utils/render/Output.h"
#include "utils/render/ProjectPath.h"
#include "utils/render/TextTable.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace instantrace;

namespace {

using IncludeEdge = std::pair<FileNumber, FileNumber>;

/// A clean build, or a touch of a file.
struct WhatIfRow {
  std::string What, Name;
  RebuildCost Now, Then;
};

Result<IncludeEdge> edgeNamed(RebuildReading &Reading,
                              const std::string &Text) {
  constexpr std::string_view Arrow = "->";
  const size_t Middle = Text.find(Arrow);
  auto trimmed = [](std::string Name) {
    Name.erase(0, Name.find_first_not_of(' '));
    Name.erase(Name.find_last_not_of(' ') + 1);
    return Name;
  };
  std::string IncluderName = trimmed(Text.substr(0, Middle));
  std::string IncludedName =
      Middle == Text.npos ? "" : trimmed(Text.substr(Middle + Arrow.size()));
  if (IncluderName.empty() || IncludedName.empty())
    return usageError("--without: '" + Text +
                      "' is no #include; write 'a.h -> b.h'");
  INSTANTRACE_TRY_ASSIGN(FileNumber Includer, Reading.fileNamed(IncluderName));
  INSTANTRACE_TRY_ASSIGN(FileNumber Included, Reading.fileNamed(IncludedName));
  const std::vector<FileNumber> &Known =
      Reading.headers().includes(Includer, HeaderFacts::Ways::All);
  if (!std::binary_search(Known.begin(), Known.end(), Included))
    return makeError(
        {}, "no #include of " + IncludedName + " in " + IncluderName,
        "one that `instantrace headers --of=" + IncludedName + "` shows");
  return IncludeEdge(Includer, Included);
}

/// How a touch of the files changes that are included there.
std::vector<WhatIfRow> rowsFor(RebuildReading &Reading,
                               const std::set<IncludeEdge> &Removed) {
  const Rebuilds &R = Reading.rebuilds();
  auto IsRemoved = [&Removed](FileNumber Includer, FileNumber Included) {
    return Removed.contains({Includer, Included});
  };
  const std::vector<uint64_t> Saved = R.savedNs(IsRemoved);
  std::vector<WhatIfRow> Rows{
      {"clean build", "", R.cost(R.all()), R.cost(R.all(), Saved)}};
  std::set<FileNumber> Included;
  for (const auto &[Includer, Next] : Removed)
    if (!Reading.headers().isSystem(Next)) // nobody touches those
      Included.insert(Next);
  std::vector<Rebuilds::Cut> Cuts;
  for (FileNumber File : Included)
    Cuts.push_back({IsRemoved, File});
  const std::vector<CompileSet> Readers = R.readersWithout(Cuts);
  for (size_t Index = 0; Index != Cuts.size(); ++Index) {
    const FileNumber File = Cuts[Index].File;
    Rows.push_back({"touch", Reading.headers().path(File),
                    R.cost(R.readers({File})), R.cost(Readers[Index], Saved)});
  }
  std::stable_sort(Rows.begin() + 1, Rows.end(),
                   [](const WhatIfRow &A, const WhatIfRow &B) {
                     auto lessNs = [](const WhatIfRow &Row) {
                       return Row.Now.Ns - std::min(Row.Now.Ns, Row.Then.Ns);
                     };
                     return lessNs(A) > lessNs(B);
                   });
  return Rows;
}

void writeRows(Output &Out, const std::vector<WhatIfRow> &Rows, bool HasWall,
               const Terminal &Term) {
  Out.append("Estimated by what is known of other ways to the files; not "
             "tried.\n\n");
  TextTable Table(Out, Term,
                  {{"units", 6},
                   {"then", 6},
                   {"time", 10},
                   {"then", 10},
                   {"wall", 10},
                   {"then", 10}});
  Table.head("");
  for (const WhatIfRow &Row : Rows) {
    auto wallText = [HasWall](uint64_t Ns) {
      return HasWall ? longTimeText(Ns) : std::string("-");
    };
    std::string Name =
        Row.Name.empty() ? Row.What : Row.What + " of " + shownPath(Row.Name);
    Table.row({groupedText(Row.Now.Units), groupedText(Row.Then.Units),
               longTimeText(Row.Now.Ns), longTimeText(Row.Then.Ns),
               wallText(Row.Now.WallNs), wallText(Row.Then.WallNs)},
              elideName(Name, Table.nameColumns()));
  }
}

void writeRowRecords(Output &Out, RecordFormat Format,
                     const std::vector<WhatIfRow> &Rows, bool HasWall) {
  RecordText Records(Out, Format);
  Records.wholeBoolean("has_wall", HasWall);
  for (const WhatIfRow &Row : Rows) {
    Records.begin();
    Records.text("kind", Row.Name.empty() ? "clean" : "touch");
    Records.text("name", Row.Name);
    Records.number("units", Row.Now.Units);
    Records.number("time_ns", Row.Now.Ns);
    Records.number("wall_ns", Row.Now.WallNs);
    Records.number("units_then", Row.Then.Units);
    Records.number("time_then_ns", Row.Then.Ns);
    Records.number("wall_then_ns", Row.Then.WallNs);
    Records.end();
  }
  Records.finish();
}

} // namespace

Result<int> instantrace::runWhatIf(const std::vector<std::string> &Inputs,
                                   const WhatIfOptions &Opts) {
  RebuildReading Reading;
  INSTANTRACE_TRY(Reading.read(Inputs, Opts.MoreRoots));
  std::set<IncludeEdge> Removed;
  for (const std::string &Text : Opts.Without) {
    INSTANTRACE_TRY_ASSIGN(IncludeEdge Edge, edgeNamed(Reading, Text));
    Removed.insert(Edge);
  }
  for (const std::string &Name : Opts.Split) {
    INSTANTRACE_TRY_ASSIGN(FileNumber File, Reading.fileNamed(Name));
    const std::vector<FileNumber> &Included =
        Reading.headers().includes(File, HeaderFacts::Ways::All);
    if (Included.empty())
      return makeError({}, "no #include in " + Name,
                       "a header that includes others");
    for (FileNumber Next : Included)
      Removed.insert({File, Next});
  }
  const bool HasWall = Reading.rebuilds().hasTimeOfDay();
  const std::vector<WhatIfRow> Rows = rowsFor(Reading, Removed);
  Output Out(stdout);
  if (Opts.Records)
    writeRowRecords(Out, *Opts.Records, Rows, HasWall);
  else
    writeRows(Out, Rows, HasWall, standardOutputTerminal());
  return Out.finish();
}
