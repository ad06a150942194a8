#include "plugin/backend/BackendRecorder.h"

#include "runtime/strings/FunctionName.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <cstring>

namespace instantrace {

namespace {

/// Sizes wait until there are so many, and are lost by a kill.
constexpr size_t SizesPerPacket = 256;

/// As the object has it: an assembler label is marked in LLVM.
uint64_t hashOf(llvm::StringRef LinkageName) {
  LinkageName.consume_front("\01");
  uint64_t Hash = linkageHash(LinkageName);
  return Hash == UINT64_MAX ? 0 : Hash; // which is the map's empty key
}

Linkage linkageOf(const llvm::Function &F) {
  if (F.hasAvailableExternallyLinkage())
    return Linkage::AvailableExternally;
  if (F.hasLocalLinkage())
    return Linkage::Internal;
  if (F.hasLinkOnceLinkage())
    return Linkage::LinkOnce;
  if (F.hasWeakLinkage())
    return Linkage::Weak;
  return F.hasExternalLinkage() ? Linkage::External : Linkage::Unknown;
}

} // namespace

uint32_t BackendRecorder::indexOf(llvm::StringRef LinkageName,
                                  const llvm::Function *F) {
  uint64_t Hash = hashOf(LinkageName);
  if (const auto *Known = IndexByHash.find(Hash))
    return Known->second;
  FunctionNames::Payer Paying = Names.find(LinkageName);
  FunctionRow Row;
  Row.Owner = Paying.Owner;
  Row.NameHash = Hash;
  if (F) {
    Row.Link = linkageOf(*F);
    Row.IrInstructions = F->getInstructionCount();
  }
  Seen Entry{Paying.Key, EntityOrigin::Declaration};
  if (!Entry.Key) {
    Row.Owner = FunctionOwner::Name;
    Entry = {functionKey(*Texts
                              .insert(shownFunctionName(
                                  {LinkageName.data(), LinkageName.size()}))
                              .first),
             EntityOrigin::Function};
  }
  Rows.push_back(Row);
  Functions.push_back(Entry);
  auto Index = static_cast<uint32_t>(Functions.size() - 1);
  IndexByHash.insert(Hash, Index);
  return Index;
}

uint32_t BackendRecorder::indexOf(const llvm::Function &F) {
  llvm::StringRef Name = F.getName();
  NamePlace Now;
  Now.Data = Name.data();
  Now.SizeBytes = Name.size();
  llvm::StringRef Tail = Name.take_back(sizeof(Now.Tail));
  std::memcpy(&Now.Tail, Tail.data(), Tail.size());
  NamePlace &Known = Places[&F];
  if (Known.Data != Now.Data || Known.SizeBytes != Now.SizeBytes ||
      Known.Tail != Now.Tail) {
    Now.Index = indexOf(Name, &F);
    Known = Now;
  }
  return Known.Index;
}

void BackendRecorder::moduleGiven(const llvm::Module &M) {
  if (Is != State::Idle)
    return;
  Is = State::Optimizing;
  bool IsRecorded = Rec.wants(EventKind::Profiling);
  if (IsRecorded)
    Rec.begin(EventKind::Profiling);
  for (const llvm::Function &F : M)
    if (!F.isDeclaration())
      indexOf(F);
  writeRows();
  if (IsRecorded)
    Rec.end();
}

void BackendRecorder::writeRows() {
  if (RowsWritten == Rows.size())
    return;
  EntityTable &Entities = Rec.entities();
  // In the order in which they were met, so that two runs write the same.
  std::vector<const void *> New;
  std::unordered_set<const void *> IsNew;
  for (size_t I = RowsWritten; I != Rows.size(); ++I) {
    const void *Key = Functions[I].Key;
    if (Entities.idOf(Key) == 0 && IsNew.insert(Key).second)
      New.push_back(Key);
  }
  Client.nameFunctions(New);
  for (size_t I = RowsWritten; I != Rows.size(); ++I)
    Rows[I].Entity = Entities.idOf(Functions[I].Key);
  std::vector<FunctionRow> Unwritten(Rows.begin() + RowsWritten, Rows.end());
  RowsWritten +=
      static_cast<uint32_t>(Writer.writeFunctions(RowsWritten + 1, Unwritten));
}

void BackendRecorder::notePass(llvm::StringRef Pass) {
  if (Pass.data() == LastPass)
    return;
  LastPass = Pass.data();
  char Text[sizeof(Live.Pass)] = {};
  std::memcpy(Text, Pass.data(), std::min(Pass.size(), sizeof(Text)));
  for (size_t I = 0; I != std::size(Live.Pass); ++I) {
    uint64_t Word;
    std::memcpy(&Word, Text + I * sizeof(Word), sizeof(Word));
    Live.Pass[I].store(Word, std::memory_order_relaxed);
  }
}

void BackendRecorder::switchTo(EventKind Kind, const Seen *S, uint64_t TimeNs) {
  endInterval(TimeNs);
  if (!Rec.wants(Kind))
    return;
  Rec.beginFunction(Kind, S ? S->Key : nullptr,
                    S ? S->Origin : EntityOrigin::Declaration,
                    notBeforeLast(TimeNs));
  IsOpen = true;
}

void BackendRecorder::endInterval(uint64_t TimeNs) {
  if (IsOpen)
    Rec.endAt(EntityState::Declared, notBeforeLast(TimeNs));
  IsOpen = false;
}

void BackendRecorder::functionPass(const llvm::Function &F,
                                   llvm::StringRef Pass) {
  notePass(Pass);
  if (&F == Current)
    return;
  uint64_t NowNs = Rec.nowNs();
  Current = &F;
  uint32_t Index = indexOf(F);
  switchTo(EventKind::OptimizeFunction, &Functions[Index], NowNs);
}

void BackendRecorder::modulePass(llvm::StringRef Pass) {
  notePass(Pass);
  if (IsOpen && !Current)
    return;
  Current = nullptr;
  switchTo(EventKind::OptimizeModule, nullptr, Rec.nowNs());
}

void BackendRecorder::machineCodeBegins() {
  if (Is == State::Machine)
    return;
  Is = State::Machine;
  for (std::atomic<uint64_t> &Word : Live.Pass)
    Word.store(0, std::memory_order_relaxed);
  LastPass = nullptr;
  Current = nullptr;
  endInterval(Rec.nowNs());
  writeRows();
  switchTo(EventKind::MachineCode, nullptr, Rec.nowNs());
}

void BackendRecorder::machineFunction(llvm::StringRef LinkageName,
                                      uint64_t SinceNs) {
  uint32_t Index = indexOf(LinkageName, nullptr);
  MadeNs = 0;
  if (Index == CurrentMachine)
    return;
  CurrentMachine = Index;
  switchTo(EventKind::MachineCode, &Functions[Index], SinceNs);
}

void BackendRecorder::machineCodeMade(llvm::StringRef LinkageName,
                                      uint64_t Instructions) {
  uint32_t Index = indexOf(LinkageName, nullptr);
  if (Index != CurrentMachine) // nobody told of its begin
    machineFunction(LinkageName, Rec.lastTimeNs());
  MadeNs = Rec.nowNs();
  ++MachineFunctions;
  Made.push_back({Index + 1, Instructions});
  if (Made.size() >= SizesPerPacket)
    writeSizes();
}

void BackendRecorder::writeSizes() {
  writeRows();
  if (RowsWritten != Rows.size())
    return; // a size without its function would be damage
  size_t Kept = Writer.writeMachineInstructions(Made);
  Made.erase(Made.begin(), Made.begin() + static_cast<ptrdiff_t>(Kept));
}

void BackendRecorder::finish() {
  uint64_t NowNs = Rec.nowNs();
  // What follows the last function's code is the whole module's.
  if (CurrentMachine != UINT32_MAX && MadeNs != 0 && IsOpen)
    switchTo(EventKind::MachineCode, nullptr, MadeNs);
  endInterval(NowNs);
  CurrentMachine = UINT32_MAX;
  writeSizes();
}

void BackendRecorder::objectSizes(
    const std::vector<std::pair<uint64_t, uint64_t>> &ByHash) {
  std::vector<FunctionSizeRow> Sizes;
  for (auto [Hash, Bytes] : ByHash)
    if (const auto *Known = IndexByHash.find(Hash))
      Sizes.push_back({Known->second + 1, Bytes});
  if (RowsWritten == Rows.size())
    Writer.writeObjectBytes(Sizes);
}

} // namespace instantrace
