#include "utils/analysis/costs/RowIndex.h"

#include "utils/analysis/costs/CompileMatch.h"
#include "utils/analysis/view/PathRules.h"

#include <algorithm>

using namespace instantrace;

namespace {

EntityLevel levelOf(CostKey Key) {
  switch (Key) {
  case CostKey::Template:
    return EntityLevel::Template;
  case CostKey::Class:
    return EntityLevel::Class;
  case CostKey::Namespace:
    return EntityLevel::Namespace;
  case CostKey::Library:
    return EntityLevel::Library;
  default:
    return EntityLevel::Specialization;
  }
}

bool isByPlace(CostKey Key) {
  switch (Key) {
  case CostKey::File:
  case CostKey::Directory:
  case CostKey::Line:
  case CostKey::Header:
  case CostKey::UserFrame:
    return true;
  default:
    return false;
  }
}

} // namespace

std::string_view instantrace::surroundingsName(EventKind Kind) {
  switch (Kind) {
  case EventKind::Frontend:
    return "(frontend)";
  case EventKind::Parsing:
    return "(parsing)";
  case EventKind::PendingInstantiations:
    return "(pending instantiations)";
  case EventKind::CodeGeneration:
    return "(code generation)";
  case EventKind::Profiling:
    return "(profiling)";
  case EventKind::FileInclusion:
  case EventKind::Statement: // parsing, too
    return "(file inclusion)";
  case EventKind::ConstantEvaluation:
    return "(constant evaluation)";
  case EventKind::OptimizeFunction:
    return "(function passes)";
  case EventKind::OptimizeModule:
    return "(module passes)";
  case EventKind::MachineCode:
    return "(machine code)";
  default:
    return "(other)";
  }
}

RowIndex::RowIndex(const Trace &T, CostKey Key, const LearnedScopes *Learned)
    : T(T), Keyed(Key), IsByPlace(::isByPlace(Key)),
      Groups(T, levelOf(Key), Learned) {
  KindRows.fill(Unknown);
}

void RowIndex::keepOnly(const RowKeys &Keys) {
  Only = &Keys;
  States.resize(Keys.size() + 1);
}

void RowIndex::enterSequence(uint32_t Index, const FunctionHomes &Functions) {
  HomeRows = {};
  S = &T.Sequences[Index];
  Unit = Unknown;
  Groups.enterSequence(Index);
  FileRows.clear();
  LinePaths.clear();
  LocationRows.assign(S->Locations.Rows.size() + 1, Unknown);
  Homes = &Functions;
  RowsOfRequested.clear();
}

uint32_t RowIndex::add(const RowName &Name, const NameKey &Key) {
  if (Only) {
    auto Known = Only->find(Key);
    return Known == Only->end() ? OtherKeys : Known->second;
  }
  auto [Number, IsNew] = ByKey.add(Key);
  if (IsNew) {
    CostRow &Row = Rows.emplace_back();
    Row.Name = Name;
    Row.Key = Key;
    States.emplace_back();
  }
  return Number;
}

uint32_t RowIndex::fixed(std::string_view Name) {
  auto [Entry, IsNew] = FixedRows.try_emplace(Name, Unknown);
  if (IsNew)
    Entry->second = add(RowName::fixed(Name), Dictionary::keyOf(Name));
  return Entry->second;
}

/// Of one that many intervals ask for.
uint32_t RowIndex::fixed(uint32_t &Known, std::string_view Name) {
  if (Known == Unknown)
    Known = fixed(Name);
  return Known;
}

uint32_t RowIndex::rowFor(const Interval &I, const BegunWork &Work,
                          uint32_t ParentRow) {
  const uint32_t OuterRow =
      Work.AskedBy != NoIndex ? RowsOfRequested[Work.AskedBy] : ParentRow;
  const uint32_t Row =
      Keyed != CostKey::Kind && isFunctionWork(I)
          ? functionRow(I.Entity)
          : rowFor({I.Kind, I.Entity ? I.Entity : Work.Is.Owner, I.Location,
                    Work.Is.UserFrame, Work.HasOuter, Work.OuterKind,
                    OuterRow});
  if (Work.Requested != NoIndex)
    RowsOfRequested.push_back(Row);
  return Row;
}

uint32_t RowIndex::functionRow(EntityId Entity) {
  if (Keyed == CostKey::Kind)
    return kindRow(EventKind::MachineCode);
  if (isByUnit())
    return unitRow();
  if (!IsByPlace)
    return entityRow(Entity);
  // A trace that lies may have it before what made it.
  return Homes->of(Entity) ? HomeRows.get(Entity.Value).Row
                           : fixed("(other functions)");
}

uint32_t RowIndex::rowFor(const Instant &I, LocationId UserFrame,
                          const WorkFrame *Parent, uint32_t ParentRow) {
  return rowFor({I.Kind, I.Entity, I.Location, UserFrame, Parent != nullptr,
                 Parent ? Parent->Kind : EventKind{}, ParentRow});
}

uint32_t RowIndex::hitsRow(EntityId Entity) {
  return rowFor({EventKind::Memoization, Entity, {}});
}

uint32_t RowIndex::rowFor(const Subject &Work) {
  if (Keyed == CostKey::Kind)
    return kindRow(Work.Kind);
  if (isByUnit() && Work.Kind != EventKind::Profiling)
    return unitRow();
  if (Work.Kind == EventKind::FileInclusion)
    return inclusionRow(Work);
  if (isLineWork(Work.Kind) && !IsByPlace)
    return lineWorkRow(Work);
  if (!isTemplateWork(Work.Kind) && !isLineWork(Work.Kind))
    return kindRow(Work.Kind);
  switch (Keyed) {
  case CostKey::File:
  case CostKey::Directory:
    return locationRow(Work.Location);
  case CostKey::Line:
    return lineRow(Work.Location);
  case CostKey::UserFrame:
    return userFrameRow(Work.Kind, Work.UserFrame);
  case CostKey::Header: // what ends a file may be done in the next
    return isLineWork(Work.Kind) ? locationRow(Work.Location) : headerRow(Work);
  case CostKey::Function:
    return Homes->isFunction(Work.Entity) ? entityRow(Work.Entity)
                                          : noFunctionRow();
  default:
    return entityRow(Work.Entity);
  }
}

/// Folders may have sources of equal names.
uint32_t RowIndex::unitRow() {
  if (Unit != Unknown)
    return Unit;
  std::string Path = inputPath(*S);
  if (Path.empty())
    return Unit = noFileRow();
  NameKey Key = Dictionary::keyOf(Path);
  return Unit = add(RowName::fromText(std::move(Path)), Key);
}

/// A variable has a row of its own. A statement is where it stands: which of
/// a function are long enough is another in each run.
uint32_t RowIndex::lineWorkRow(const Subject &Work) {
  if (Keyed == CostKey::Library && Work.HasOuter &&
      Work.OuterKind == EventKind::FileInclusion)
    return Work.OuterRow;
  return Keyed == CostKey::Library || Keyed == CostKey::Function ||
                 !Work.Entity || Work.Kind == EventKind::Statement
             ? kindRow(Work.Kind)
             : entityRow(Work.Entity);
}

uint32_t RowIndex::kindRow(EventKind Kind) {
  uint32_t &Row = KindRows[static_cast<size_t>(Kind)];
  if (Row == Unknown)
    Row = fixed(Keyed == CostKey::Kind ? eventKindName(Kind)
                                       : surroundingsName(Kind));
  return Row;
}

uint32_t RowIndex::entityRow(EntityId Id) {
  uint32_t Group = Groups.groupFor(Id);
  if (Group >= GroupRows.size())
    GroupRows.resize(Groups.size(), Unknown);
  uint32_t &Row = GroupRows[Group];
  if (Row == Unknown)
    Row = add(Groups.name(Group), Groups.key(Group));
  return Row;
}

uint32_t RowIndex::fileRow(NameId Path) {
  auto [Entry, IsNew] = FileRows.try_emplace(Path.Value, Unknown);
  if (!IsNew)
    return Entry->second;
  std::string Normal = normalPathOf(*S, Path);
  if (Keyed == CostKey::Directory && !Normal.empty())
    Normal = folderOf(Normal);
  NameKey Key = Dictionary::keyOf(Normal);
  return Entry->second = Normal.empty()
                             ? noFileRow()
                             : add(RowName::fromText(std::move(Normal)), Key);
}

uint32_t RowIndex::locationRow(LocationId Id) {
  const Location *L = S->location(Id);
  if (!L)
    return noFileRow();
  uint32_t &Row = LocationRows[Id.Value];
  if (Row == Unknown)
    Row = fileRow(L->File);
  return Row;
}

const RowIndex::LinePath &RowIndex::linePath(NameId Path) {
  auto [Entry, IsNew] = LinePaths.try_emplace(Path.Value);
  if (IsNew) {
    Entry->second.Text = normalPathOf(*S, Path);
    Entry->second.Key = Dictionary::keyOf(Entry->second.Text.text());
  }
  return Entry->second;
}

uint32_t RowIndex::lineRow(LocationId Id) {
  const Location *L = S->location(Id);
  if (!L)
    return noLineRow();
  uint32_t &Row = LocationRows[Id.Value];
  if (Row == Unknown) {
    const LinePath &Path = linePath(L->File);
    RowName Name = RowName::fromText(Path.Text);
    Name.LineNo = L->LineNo;
    Row = Name.Text.empty()
              ? noLineRow()
              : add(Name, Dictionary::keyOf(Path.Key, Name.lineSuffix()));
  }
  return Row;
}

uint32_t RowIndex::userFrameRow(EventKind Kind, LocationId Frame) {
  if (S->location(Frame))
    return lineRow(Frame);
  // The main file is included by no line.
  return Kind == EventKind::FileInclusion ? kindRow(Kind) : noUserFrameRow();
}

/// What was asked for outside any file being read, as what is pending at the
/// end of a compile, is of the file that its location is in.
uint32_t RowIndex::headerRow(const Subject &Work) {
  if (!Work.HasOuter)
    return locationRow(Work.Location);
  return isTemplateWork(Work.OuterKind) ||
                 Work.OuterKind == EventKind::FileInclusion
             ? Work.OuterRow
             : locationRow(Work.Location);
}

uint32_t RowIndex::inclusionRow(const Subject &Work) {
  if (Keyed == CostKey::UserFrame || Keyed == CostKey::Line)
    return Keyed == CostKey::Line && S->location(Work.Location)
               ? lineRow(Work.Location)
               : userFrameRow(Work.Kind, Work.UserFrame);
  bool IsByFile = Keyed == CostKey::File || Keyed == CostKey::Directory ||
                  Keyed == CostKey::Header;
  if (Keyed != CostKey::Library && !IsByFile)
    return kindRow(Work.Kind);
  const Entity *File = S->entity(Work.Entity);
  if (!File || !S->Names.contains(File->Name))
    return IsByFile ? locationRow(Work.Location) : kindRow(Work.Kind);
  return IsByFile ? fileRow(File->Name) : entityRow(Work.Entity);
}

void RowIndex::addKind(uint32_t Row, EventKind Kind, uint64_t SelfNs) {
  for (KindSelf &Known : States[Row].Kinds) {
    if (Known.Kind != Kind)
      continue;
    Known.SelfNs += SelfNs;
    return;
  }
  States[Row].Kinds.push_back({Kind, SelfNs});
}

std::optional<EventKind>
instantrace::largestKind(const std::vector<KindSelf> &Kinds) {
  auto Largest = std::max_element(
      Kinds.begin(), Kinds.end(), [](const KindSelf &A, const KindSelf &B) {
        // What was instantiated stays that, whatever LLVM does with it.
        bool IsWorkA = isTemplateWork(A.Kind), IsWorkB = isTemplateWork(B.Kind);
        if (IsWorkA != IsWorkB)
          return IsWorkB;
        return A.SelfNs != B.SelfNs ? A.SelfNs < B.SelfNs : A.Kind > B.Kind;
      });
  if (Largest == Kinds.end())
    return std::nullopt;
  return Largest->Kind;
}

std::string_view instantrace::kindText(std::optional<EventKind> Kind) {
  return Kind ? eventKindName(*Kind) : ElidedName;
}

std::vector<CostRow> RowIndex::take(std::vector<std::vector<KindSelf>> *Kinds) {
  for (size_t Row = 0; Row != Rows.size(); ++Row)
    Rows[Row].Kind = kindText(largestKind(States[Row].Kinds));
  // An interval that the filter does not select may have made a row.
  auto IsEmpty = [this](size_t Row) {
    return States[Row].Kinds.empty() && Rows[Row].Count == 0 &&
           Rows[Row].SelfNs == 0;
  };
  size_t Kept = 0;
  for (size_t Row = 0; Row != Rows.size(); ++Row) {
    if (IsEmpty(Row))
      continue;
    if (Kinds)
      Kinds->push_back(std::move(States[Row].Kinds));
    if (Kept != Row)
      Rows[Kept] = std::move(Rows[Row]);
    ++Kept;
  }
  Rows.resize(Kept);
  States.clear();
  ByKey = {};
  GroupRows.clear();
  KindRows.fill(Unknown);
  FixedRows.clear();
  NoFile = NoLine = NoFunction = NoUserFrame = Unknown;
  return std::exchange(Rows, {});
}
