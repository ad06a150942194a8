#include "utils/analysis/index/IndexQuestions.h"

#include "runtime/format/EventKind.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

using namespace instantrace;

bool IndexCostRow::add(uint32_t Id, const InstantiationIndex::Record &R,
                       uint32_t &Until) {
  SelfNs += R.SelfNs;
  if (Id >= Until) {
    InclusiveNs += R.EndNs - R.BeginNs;
    Until = R.SubtreeEnd;
  }
  bool IsFirst = Count++ == 0;
  if (IsFirst)
    FirstRecord = Id;
  return IsFirst;
}

namespace {

using NameParts = InstantiationIndex::NameParts;
constexpr uint32_t Absent = InstantiationIndex::None;

Error faultOf(const InstantiationIndex &X) { return Error{X.fault()}; }

std::string kindName(uint8_t Kind) {
  return std::string(eventKindName(static_cast<EventKind>(Kind)));
}

bool nameOf(const InstantiationIndex &X, uint32_t Entity, NameParts Parts,
            std::string &Into) {
  return Entity == Absent || X.entityName(Entity, Parts, IndexNameBytes, Into);
}

Result<IndexStack> stackOf(const InstantiationIndex &X, uint32_t Compile,
                           uint64_t TimeNs, const std::vector<uint32_t> &Ids,
                           NameParts Parts) {
  InstantiationIndex::Compile C;
  if (!X.compile(Compile, C))
    return faultOf(X);
  IndexStack Stack = {Compile, C.Input, C.Trace, TimeNs, {}};
  for (uint32_t Id : Ids) {
    INSTANTRACE_TRY_ASSIGN(IndexFrame F, indexFrame(X, Id, Parts));
    Stack.Frames.push_back(std::move(F));
  }
  return Stack;
}

/// They are numbered from 1 for people.
Result<void> checkCompile(const InstantiationIndex &X, uint32_t Compile) {
  if (Compile < X.compileCount())
    return {};
  return makeError(
      std::string(X.name()), "compile " + std::to_string(Compile + uint64_t(1)),
      X.compileCount() == 0 ? "a trace with one"
                            : "1 to " + std::to_string(X.compileCount()));
}

} // namespace

Result<IndexFrame> instantrace::indexFrame(const InstantiationIndex &X,
                                           uint32_t Id, NameParts Parts) {
  IndexFrame F;
  F.Id = Id;
  InstantiationIndex::Location L = {Absent, 0, 0, 0};
  bool IsRead =
      X.record(Id, F.Is) && nameOf(X, F.Is.Entity, Parts, F.Name) &&
      (F.Is.Location == Absent || X.location(F.Is.Location, L)) &&
      (L.File == Absent || X.filePath(L.File, IndexNameBytes, F.File));
  if (IsRead && F.Is.Requester != Absent) {
    InstantiationIndex::Record R = {};
    IsRead = X.record(F.Is.Requester, R) &&
             nameOf(X, R.Entity, Parts, F.RequesterName);
    if (F.RequesterName.empty())
      F.RequesterName = kindName(R.Kind);
  }
  if (!IsRead)
    return faultOf(X);
  F.LineNo = L.LineNo;
  F.ColumnNo = L.ColumnNo;
  return F;
}

std::string IndexFrame::place() const {
  if (File.empty())
    return "<no location>";
  return File + ":" + std::to_string(LineNo) + ":" + std::to_string(ColumnNo);
}

Result<std::vector<IndexStack>>
instantrace::stacksAt(const InstantiationIndex &X,
                      std::optional<uint32_t> Compile, uint64_t TimeNs,
                      NameParts Parts) {
  if (Compile)
    INSTANTRACE_TRY(checkCompile(X, *Compile));
  std::vector<IndexStack> Stacks;
  std::vector<uint32_t> Ids;
  for (uint32_t No = Compile.value_or(0),
                End = Compile ? No + 1 : X.compileCount();
       No != End; ++No) {
    if (!X.stackAt(No, TimeNs, Ids))
      return faultOf(X);
    INSTANTRACE_TRY_ASSIGN(IndexStack Stack,
                           stackOf(X, No, TimeNs, Ids, Parts));
    Stacks.push_back(std::move(Stack));
  }
  return Stacks;
}

Result<IndexStack> instantrace::stackAfter(const InstantiationIndex &X,
                                           std::optional<uint32_t> Compile,
                                           uint64_t Event, NameParts Parts) {
  if (!Compile && X.compileCount() > 1)
    return usageError(makeError(
        std::string(X.name()), std::to_string(X.compileCount()) + " compiles",
        "--compile with --event, since each numbers its own"));
  uint32_t No = Compile.value_or(0);
  INSTANTRACE_TRY(checkCompile(X, No));
  InstantiationIndex::Compile C;
  if (!X.compile(No, C))
    return faultOf(X);
  if (Event >= X.eventCount(C))
    return makeError(std::string(X.name()), "event " + std::to_string(Event),
                     "one below " + std::to_string(X.eventCount(C)));
  std::vector<uint32_t> Ids;
  uint64_t TimeNs = 0;
  if (!X.stackAfter(No, Event, Ids, TimeNs))
    return faultOf(X);
  return stackOf(X, No, TimeNs, Ids, Parts);
}

Result<IndexLine> instantrace::lineOf(const InstantiationIndex &X,
                                      const std::string &Place,
                                      NameParts Parts) {
  size_t Colon = Place.rfind(':');
  IndexLine Line;
  const char *End = Place.data() + Place.size();
  auto Parsed =
      Colon == std::string::npos
          ? std::from_chars_result{End, std::errc::invalid_argument}
          : std::from_chars(Place.data() + Colon + 1, End, Line.LineNo);
  if (Parsed.ec != std::errc() || Parsed.ptr != End || Colon == 0)
    return usageError(
        makeError("--line", "'" + Place + "'", "FILE:LINE, such as a.cpp:12"));
  std::string Path = Place.substr(0, Colon);
  std::vector<uint32_t> Files, Ids;
  if (!X.filesNamed(Path, Files))
    return faultOf(X);
  if (Files.empty())
    return makeError(std::string(X.name()),
                     "no location in a file '" + Path + "'",
                     "the path or the end of the path of one that there is");
  std::map<std::pair<uint32_t, uint8_t>, IndexLineRow> ByEntity;
  for (uint32_t File : Files) {
    Line.Files.emplace_back();
    if (!X.filePath(File, IndexNameBytes, Line.Files.back()) ||
        !X.recordsAt(File, Line.LineNo, Ids))
      return faultOf(X);
    // Behind the subtree of the outermost one of each.
    std::map<std::pair<uint32_t, uint8_t>, uint32_t> UntilOf;
    for (uint32_t Id : Ids) {
      InstantiationIndex::Record R = {};
      if (!X.record(Id, R))
        return faultOf(X);
      auto Key = std::pair(R.Entity, R.Kind);
      IndexLineRow &Row = ByEntity[Key];
      if (!Row.add(Id, R, UntilOf[Key]))
        continue;
      Row.Entity = R.Entity;
      Row.Kind = kindName(R.Kind);
      if (!nameOf(X, R.Entity, Parts, Row.Name))
        return faultOf(X);
    }
  }
  for (auto &[Key, Row] : ByEntity)
    Line.Rows.push_back(std::move(Row));
  std::stable_sort(Line.Rows.begin(), Line.Rows.end(), IndexCostRow::isBefore);
  return Line;
}

Result<IndexSubtree> instantrace::subtreeOf(const InstantiationIndex &X,
                                            uint32_t Record,
                                            SubtreeLimits Limits,
                                            NameParts Parts) {
  if (Record >= X.recordCount())
    return makeError(std::string(X.name()), "record " + std::to_string(Record),
                     X.recordCount() == 0
                         ? "a trace with records"
                         : "0 to " + std::to_string(X.recordCount() - 1));
  INSTANTRACE_TRY_ASSIGN(IndexFrame Root, indexFrame(X, Record, Parts));
  IndexSubtree Tree;
  Tree.Root = std::move(Root);
  Tree.RecordCount = Tree.Root.Is.SubtreeEnd - Record - 1;
  for (uint32_t Id = Record + 1; Id != Tree.Root.Is.SubtreeEnd;) {
    if (Limits.Rows != 0 && Tree.Shown.size() == Limits.Rows)
      break;
    INSTANTRACE_TRY_ASSIGN(IndexFrame F, indexFrame(X, Id, Parts));
    bool IsDeepest =
        Limits.Depth != 0 && F.Is.Depth >= Tree.Root.Is.Depth + Limits.Depth;
    Id =
        IsDeepest ? std::min(F.Is.SubtreeEnd, Tree.Root.Is.SubtreeEnd) : Id + 1;
    Tree.Shown.push_back(std::move(F));
  }
  Tree.LeftOut = Tree.RecordCount - Tree.Shown.size();
  return Tree;
}
