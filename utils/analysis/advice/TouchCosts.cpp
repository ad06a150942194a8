#include "utils/analysis/advice/TouchCosts.h"

#include "utils/analysis/view/PathRules.h"

#include <algorithm>
#include <utility>

using namespace instantrace;

namespace {

/// Adds what one commit costs.
void addCommit(const Rebuilds &R, const CompileSet &Built,
               TouchFrequency &Into) {
  const RebuildCost Cost = R.cost(Built);
  ++Into.Commits;
  Into.WeekNs += Cost.Ns;
  Into.WeekWallNs += Cost.WallNs;
}

uint64_t perWeek(uint64_t Ns, double Weeks) {
  return static_cast<uint64_t>(static_cast<double>(Ns) / Weeks);
}

void makeWeekly(TouchFrequency &Sum, double Weeks) {
  Sum.WeekNs = perWeek(Sum.WeekNs, Weeks);
  Sum.WeekWallNs = perWeek(Sum.WeekWallNs, Weeks);
}

void unite(CompileSet &Into, const CompileSet &More) {
  for (size_t Compile = 0; Compile != More.size(); ++Compile)
    if (More[Compile])
      Into[Compile] = true;
}

uint64_t touchValue(const RebuildCost &Touch, const TouchFrequency &Often,
                    TouchOrder Order) {
  switch (Order) {
  case TouchOrder::Week:
    return Often.WeekNs;
  case TouchOrder::Time:
    return Touch.Ns;
  case TouchOrder::Wall:
    return Touch.WallNs;
  case TouchOrder::Commits:
    return Often.Commits;
  case TouchOrder::Units:
    return Touch.Units;
  case TouchOrder::Name:
    return 0;
  }
  return 0;
}

} // namespace

TouchTable instantrace::touchCosts(const Rebuilds &R,
                                   const std::vector<OwnFile> &Files,
                                   const TouchHistory *History, TouchKey Key,
                                   TouchOrder Order) {
  TouchTable Table;
  Table.HasHistory = History;
  Table.HasWall = R.hasTimeOfDay();
  Table.Clean = R.cost(R.all());
  std::vector<CompileSet> Readers, RowReaders;
  std::vector<size_t> RowOf;
  std::unordered_map<std::string, size_t> FileOf, Rows;
  for (const OwnFile &File : Files) {
    Readers.push_back(R.readers(File.Spelled));
    FileOf.emplace(File.Name, RowOf.size());
    std::string Name = Key == TouchKey::File ? File.Name : folderOf(File.Name);
    auto [Row, IsNew] = Rows.try_emplace(Name, Table.Rows.size());
    RowOf.push_back(Row->second);
    if (IsNew) {
      Table.Rows.push_back({std::move(Name), {}});
      RowReaders.emplace_back(R.headers().compileCount());
    }
    unite(RowReaders[Row->second], Readers.back());
  }
  for (size_t Row = 0; Row != RowReaders.size(); ++Row)
    Table.Rows[Row].Touch = R.cost(RowReaders[Row]);
  if (History) {
    Table.Commits = History->Commits.size();
    for (const std::vector<std::string> &Commit : History->Commits) {
      // Of a commit in each row, and of all of it.
      std::unordered_map<size_t, CompileSet> Built;
      CompileSet Whole(R.headers().compileCount());
      for (const std::string &Name : Commit)
        if (auto File = FileOf.find(Name); File != FileOf.end()) {
          unite(Whole, Readers[File->second]);
          auto [Row, IsNew] =
              Built.try_emplace(RowOf[File->second], Readers[File->second]);
          if (!IsNew)
            unite(Row->second, Readers[File->second]);
        }
      for (const auto &[Row, Set] : Built)
        addCommit(R, Set, Table.Rows[Row].Often);
      if (!Built.empty())
        addCommit(R, Whole, Table.Often);
    }
    for (TouchRow &Row : Table.Rows)
      makeWeekly(Row.Often, History->Weeks);
    makeWeekly(Table.Often, History->Weeks);
  }
  auto keyOf = [Order](const TouchRow &Row) {
    return std::pair(touchValue(Row.Touch, Row.Often, Order),
                     Order == TouchOrder::Name ? 0 : Row.Touch.Ns);
  };
  std::sort(Table.Rows.begin(), Table.Rows.end(),
            [&keyOf](const TouchRow &A, const TouchRow &B) {
              return keyOf(A) != keyOf(B) ? keyOf(A) > keyOf(B)
                                          : A.Name < B.Name;
            });
  return Table;
}

int64_t instantrace::weekSavedNs(const Rebuilds &R,
                                 const std::vector<OwnFile> &Files,
                                 const TouchHistory &History,
                                 const std::vector<CompileChange> &Changes) {
  const HeaderFacts &H = R.headers();
  std::vector<double> BeforeNs, AfterNs;
  for (size_t Compile = 0; Compile != H.compileCount(); ++Compile)
    BeforeNs.push_back(double(H.run(Compile).Ns));
  AfterNs = BeforeNs;
  for (const CompileChange &C : Changes)
    AfterNs[C.Compile] = std::max(AfterNs[C.Compile] - double(C.SavedNs), 0.0);
  std::unordered_map<std::string, std::pair<CompileSet, CompileSet>> Readers;
  for (const OwnFile &File : Files)
    Readers.try_emplace(File.Name, R.readers(File.Spelled),
                        R.readers(File.Spelled, Changes));
  double SavedNs = 0;
  for (const std::vector<std::string> &Commit : History.Commits) {
    CompileSet Before(BeforeNs.size()), After(BeforeNs.size());
    for (const std::string &Name : Commit)
      if (auto File = Readers.find(Name); File != Readers.end()) {
        unite(Before, File->second.first);
        unite(After, File->second.second);
      }
    for (size_t Compile = 0; Compile != BeforeNs.size(); ++Compile)
      SavedNs += (Before[Compile] ? BeforeNs[Compile] : 0) -
                 (After[Compile] ? AfterNs[Compile] : 0);
  }
  return static_cast<int64_t>(SavedNs / History.Weeks);
}

void instantrace::addSplits(const Rebuilds &R,
                            const std::vector<OwnFile> &Files,
                            const TouchHistory *History, size_t Wanted,
                            TouchTable &Table) {
  HeaderFacts &H = R.headers();
  std::unordered_map<std::string, const OwnFile *> ByName;
  std::unordered_map<FileNumber, const OwnFile *> ByNumber;
  for (const OwnFile &File : Files) {
    ByName.emplace(File.Name, &File);
    for (FileNumber Spelled : File.Spelled)
      ByNumber.emplace(Spelled, &File);
  }
  std::vector<Rebuilds::Cut> Cuts;
  std::vector<std::pair<const OwnFile *, const TouchRow *>> Ends;
  for (size_t Row = 0; Row != std::min(Wanted, Table.Rows.size()); ++Row) {
    const OwnFile &Included = *ByName.at(Table.Rows[Row].Name);
    auto isIncluded = [&Included](FileNumber File) {
      return std::find(Included.Spelled.begin(), Included.Spelled.end(),
                       File) != Included.Spelled.end();
    };
    for (const OwnFile &Includer : Files) {
      auto isIncluder = [&Includer](FileNumber File) {
        return std::find(Includer.Spelled.begin(), Includer.Spelled.end(),
                         File) != Includer.Spelled.end();
      };
      bool Includes = false;
      for (FileNumber Spelled : Includer.Spelled)
        for (FileNumber Next : H.includes(Spelled, HeaderFacts::Ways::All))
          Includes |= isIncluded(Next);
      // A source has its own #include; there is nothing to split.
      if (!Includes || R.cost(R.readers(Includer.Spelled)).Units < 2)
        continue;
      for (FileNumber Spelled : Included.Spelled) {
        Cuts.push_back({[isIncluder, isIncluded](FileNumber A, FileNumber B) {
                          return isIncluder(A) && isIncluded(B);
                        },
                        Spelled});
        Ends.emplace_back(&Includer, &Table.Rows[Row]);
      }
    }
  }
  const std::vector<CompileSet> Kept = R.readersWithout(Cuts);
  for (size_t First = 0; First != Cuts.size();) {
    const auto [Includer, Row] = Ends[First];
    CompileSet Left(H.compileCount());
    for (; First != Cuts.size() && Ends[First] == std::pair(Includer, Row);
         ++First)
      unite(Left, Kept[First]);
    const RebuildCost After = R.cost(Left);
    if (After.Units >= Row->Touch.Units)
      continue;
    SplitRow Split{Includer->Name, Row->Name, Row->Touch, Row->Often};
    Split.Saved.Units -= After.Units;
    Split.Saved.Ns -= std::min(Split.Saved.Ns, After.Ns);
    Split.Saved.WallNs -= std::min(Split.Saved.WallNs, After.WallNs);
    if (History) {
      Split.Often.WeekNs =
          perWeek(Split.Often.Commits * Split.Saved.Ns, History->Weeks);
      Split.Often.WeekWallNs =
          perWeek(Split.Often.Commits * Split.Saved.WallNs, History->Weeks);
    }
    Table.Splits.push_back(std::move(Split));
  }
  std::sort(Table.Splits.begin(), Table.Splits.end(),
            [](const SplitRow &A, const SplitRow &B) {
              auto keyOf = [](const SplitRow &Row) {
                return std::pair(Row.Often.WeekNs, Row.Saved.Ns);
              };
              return keyOf(A) != keyOf(B)
                         ? keyOf(A) > keyOf(B)
                         : std::pair(A.Included, A.Includer) <
                               std::pair(B.Included, B.Includer);
            });
}
