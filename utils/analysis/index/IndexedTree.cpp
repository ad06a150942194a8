#include "utils/analysis/index/IndexedTree.h"

#include "utils/analysis/costs/RowIndex.h"
#include "utils/analysis/view/FunctionHomes.h"

#include <algorithm>
#include <utility>

using namespace instantrace;
using instantrace::index::Table;

namespace {

EventKind shapeKind(const InstantiationIndex::Shape &R) {
  return static_cast<EventKind>(R.Kind);
}

/// Whether a record is called by its entity.
bool isOfEntity(const InstantiationIndex::Shape &R) {
  EventKind Kind = shapeKind(R);
  return isTemplateWork(Kind) || (eventGroup(Kind) == EventGroup::Backend &&
                                  R.Entity != InstantiationIndex::None);
}

} // namespace

Result<IndexedTree> IndexedTree::of(const InstantiationIndex &X) {
  Result<IndexedTrace> All = IndexedTrace::of(X);
  if (!All)
    return All.error();
  IndexedTree Of(X, std::move(*All));
  for (uint32_t C = 0; C != X.compileCount(); ++C) {
    Of.FirstRecords.push_back(Of.All.firstRecord(C));
    Of.Entries.emplace_back(X);
  }
  Of.GroupOf.assign(X.entityCount(), Unknown);
  Of.FileGroupOf.assign(X.entityCount(), Unknown);
  if (!Of.findProfiling() || !X.selfNs(0, X.recordCount(), Of.Tree.TotalNs))
    return Of.All.fault();
  return Of;
}

Result<void> IndexedTree::check() const {
  if (std::string Fault = X->fault(); !Fault.empty())
    return Error{Fault};
  return {};
}

bool IndexedTree::findProfiling() {
  for (uint32_t C = 0; C != X->compileCount(); ++C) {
    const std::vector<uint64_t> *Rows = All.table(C, Table::Profiling);
    if (!Rows)
      return false;
    for (uint64_t Number : *Rows) {
      InstantiationIndex::Shape R;
      uint32_t Id = FirstRecords[C] + static_cast<uint32_t>(Number);
      if (!X->shape(Id, R))
        return false;
      Profiling.push_back({Id, R.SubtreeEnd});
    }
  }
  std::sort(
      Profiling.begin(), Profiling.end(),
      [](const Profiled &A, const Profiled &B) { return A.Record < B.Record; });
  return true;
}

uint32_t IndexedTree::compileOf(uint32_t Record) const {
  auto At = std::upper_bound(FirstRecords.begin(), FirstRecords.end(), Record);
  return static_cast<uint32_t>(At - FirstRecords.begin()) - 1;
}

/// One more record of a node below \p Parent.
void IndexedTree::add(uint32_t Parent, uint32_t Record,
                      const InstantiationIndex::Shape &R) {
  uint32_t Group = groupOf(Record, R);
  auto [At, IsNew] = Siblings.try_emplace(
      uint64_t(R.Kind) << 32 | Group, static_cast<uint32_t>(Tree.Nodes.size()));
  if (IsNew) {
    TreeNode New;
    New.Parent = Parent;
    New.Group = Group;
    New.Kind = shapeKind(R);
    Tree.Nodes.push_back(New);
    Nodes.emplace_back();
  }
  TreeNode &Node = Tree.Nodes[At->second];
  Nodes[At->second].Records.push_back(Record);
  uint64_t SelfNs = 0, InsideNs = 0, Bytes = 0;
  if (!X->selfNs(Record, Record + 1, SelfNs) ||
      !X->selfNs(Record, R.SubtreeEnd, InsideNs) ||
      !X->ownBytes(Record, Record + 1, Bytes))
    return;
  uint64_t Within = R.SubtreeEnd - Record;
  // Our own work is a root wherever it ran, with what is inside.
  auto Own = std::upper_bound(
      Profiling.begin(), Profiling.end(), Record,
      [](uint32_t Id, const Profiled &P) { return Id < P.Record; });
  for (uint32_t Until = 0; Own != Profiling.end() && Own->Record < R.SubtreeEnd;
       ++Own) {
    if (Own->Record < Until)
      continue;
    uint64_t Ns = 0;
    if (!X->selfNs(Own->Record, Own->SubtreeEnd, Ns))
      return;
    InsideNs -= Ns;
    Within -= Own->SubtreeEnd - Own->Record;
    Until = Own->SubtreeEnd;
  }
  ++Node.Count;
  Node.SelfNs += SelfNs;
  Node.InclusiveNs += InsideNs;
  Node.AstBytes += Bytes;
  Node.Within += Within;
}

void IndexedTree::expand(uint32_t Node) {
  Siblings.clear();
  auto AddInside = [&](uint32_t Begin, uint32_t End) {
    for (uint32_t Id = Begin; Id < End;) {
      InstantiationIndex::Shape R;
      if (!X->shape(Id, R))
        return;
      if (shapeKind(R) != EventKind::Profiling)
        add(Node, Id, R);
      Id = R.SubtreeEnd;
    }
  };
  auto First = static_cast<uint32_t>(Tree.Nodes.size());
  if (Node == TreeNode::None) {
    AddInside(0, X->recordCount());
    for (const Profiled &P : Profiling) {
      InstantiationIndex::Shape R;
      if (X->shape(P.Record, R))
        add(Node, P.Record, R);
    }
  } else {
    for (uint32_t Record : std::exchange(Nodes[Node].Records, {})) {
      InstantiationIndex::Shape R;
      if (X->shape(Record, R))
        AddInside(Record + 1, R.SubtreeEnd);
    }
  }
  Made &Of = Node == TreeNode::None ? Roots : Nodes[Node];
  Of.IsExpanded = true;
  Of.FirstChild = First;
  Of.EndChild = static_cast<uint32_t>(Tree.Nodes.size());
}

void IndexedTree::eachChild(uint32_t Node,
                            const std::function<void(uint32_t)> &See) {
  if (!(Node == TreeNode::None ? Roots : Nodes[Node]).IsExpanded)
    expand(Node);
  const Made Of =
      Node == TreeNode::None
          ? Roots
          : Made{true, Nodes[Node].FirstChild, Nodes[Node].EndChild, {}};
  for (uint32_t Child = Of.FirstChild; Child != Of.EndChild; ++Child)
    See(Child);
}

void IndexedTree::makeAll() {
  if (!Roots.IsExpanded)
    expand(TreeNode::None);
  for (uint32_t Node = 0; Node != Nodes.size(); ++Node)
    if (!Nodes[Node].IsExpanded)
      expand(Node);
}

// What a node is called: as EntityGroups does, by the entities of the index.

uint32_t IndexedTree::fixedGroup(std::string_view Name) {
  auto [At, IsNew] =
      ByFixed.try_emplace(Name, static_cast<uint32_t>(Tree.Names.size()));
  if (IsNew) {
    Tree.Names.push_back(RowName::fixed(Name));
    EntityOf.push_back(InstantiationIndex::None);
    IsNamed.push_back(true);
  }
  return At->second;
}

uint32_t IndexedTree::groupOf(uint32_t Record,
                              const InstantiationIndex::Shape &R) {
  bool IsFile = shapeKind(R) == EventKind::FileInclusion;
  if (!IsFile && !isOfEntity(R))
    return fixedGroup(surroundingsName(shapeKind(R)));
  if (R.Entity == InstantiationIndex::None)
    return fixedGroup(IsFile ? surroundingsName(shapeKind(R)) : "(unnamed)");
  if (R.Entity >= GroupOf.size())
    return fixedGroup("(unnamed)"); // damaged, which shape() does not look at
  uint32_t &Known = (IsFile ? FileGroupOf : GroupOf)[R.Entity];
  if (Known == Unknown)
    Known = entityGroup(Record, R.Entity, IsFile);
  return Known;
}

uint32_t IndexedTree::entityGroup(uint32_t Record, uint32_t Entity,
                                  bool IsFile) {
  InstantiationIndex::Entity Is;
  if (!X->entity(Entity, Is))
    return fixedGroup("(unnamed)");
  if (Is.NameHash != 0) {
    auto [At, IsNew] = ByHash.try_emplace(
        Is.NameHash, static_cast<uint32_t>(Tree.Names.size()));
    if (IsNew) {
      Tree.Names.emplace_back();
      EntityOf.push_back(Entity);
      IsNamed.push_back(false);
    }
    return At->second;
  }
  // Of one without a name, the trace says whether it was lost.
  uint32_t C = compileOf(Record);
  Sequence &S = All.trace().Sequences[C];
  if ((S.Entities.empty() && !All.readEntities(C)) || !All.enterCompile(C) ||
      !All.table(C, Table::Names))
    return fixedGroup("(unnamed)");
  EntityId Id = All.entityOf(Record, Entity);
  if (IsFile)
    return fixedGroup(S.entity(Id)
                          ? "(no file)"
                          : surroundingsName(EventKind::FileInclusion));
  return fixedGroup(All.isNameLost(C, Id) ? "(unresolved)" : "(unnamed)");
}

const RowName &IndexedTree::name(uint32_t Group) {
  if (!IsNamed[Group])
    IsNamed[Group] = nameGroup(Group);
  return Tree.Names[Group];
}

/// The name of the first that has it, as in the trace: others may have other
/// parameters.
bool IndexedTree::nameGroup(uint32_t Group) {
  std::string Text;
  std::vector<uint32_t> Equal, Records;
  if (!X->entityName(EntityOf[Group], {true, false}, MaxNameBytes, Text) ||
      !X->entitiesNamed(Text, Equal))
    return false;
  uint32_t First = InstantiationIndex::None,
           FirstEntity = InstantiationIndex::None;
  for (uint32_t Entity : Equal) {
    if (!X->recordsOf(Entity, Records))
      return false;
    for (uint32_t Record : Records) {
      InstantiationIndex::Shape R;
      if (Record >= First || !X->shape(Record, R))
        break;
      if (!isOfEntity(R) && shapeKind(R) != EventKind::FileInclusion)
        continue;
      First = Record;
      FirstEntity = Entity;
      break;
    }
  }
  if (First == InstantiationIndex::None)
    return false;
  uint32_t C = compileOf(First);
  Sequence &S = All.trace().Sequences[C];
  if ((S.Entities.empty() && !All.readEntities(C)) || !All.enterCompile(C) ||
      !All.table(C, Table::Names))
    return false;
  const Entity *E = S.entity(All.entityOf(First, FirstEntity));
  uint64_t At = E ? All.nameAt(C, E->Name) : IndexedTrace::NoName;
  if (At == IndexedTrace::NoName)
    return false;
  Tree.Names[Group] = RowName::named(C, {Entries[C].add(At, S.Names)});
  return true;
}
