#include "utils/replay/SearchTables.h"

#include "utils/analysis/index/IndexQuestions.h"
#include "utils/replay/NameMatch.h"

#include <algorithm>
#include <csignal>
#include <new>
#include <pthread.h>
#include <system_error>

using namespace instantrace;

void RecordBlock::add(uint32_t Id, const InstantiationIndex::Shape &Is) {
  Kinds |= Is.Kind < 64 ? uint64_t(1) << Is.Kind : ~uint64_t(0);
  const uint32_t Inside = Is.SubtreeEnd - Id - 1;
  LeastInside = std::min(LeastInside, Inside);
  MostInside = std::max(MostInside, Inside);
  const auto Depth = static_cast<uint16_t>(Is.Depth);
  LeastDepth = std::min(LeastDepth, Depth);
  MostDepth = std::max(MostDepth, Depth);
  (Is.IsOpen ? HasOpen : HasEnded) = true;
  (Is.IsDefinition ? HasDefinition : HasOther) = true;
}

bool NameTable::add(std::string_view New) {
  if (New.size() > SearchTables::MostTextBytes - Text.size())
    return false;
  Text += New;
  Begins.push_back(static_cast<uint32_t>(Text.size()));
  return true;
}

SearchTables::SearchTables(const InstantiationIndex &Index,
                           uint32_t BlockRecords)
    : X(Index), BlockRecords(BlockRecords) {
  Blocks.resize(X.recordCount() / BlockRecords + 1);
  // A ^C is for the thread that waits for the keyboard.
  sigset_t All, Before;
  sigfillset(&All);
  // A fault that is blocked kills; one that is not says that the file was cut.
  for (int Fault : {SIGBUS, SIGSEGV, SIGILL, SIGFPE})
    sigdelset(&All, Fault);
  pthread_sigmask(SIG_SETMASK, &All, &Before);
  try {
    Maker = std::thread([this] {
      try {
        make();
      } catch (const std::bad_alloc &) {
        return; // what is made by then serves
      }
    });
  } catch (const std::system_error &) {
    Maker = std::thread(); // there is none: the index is read instead
  }
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

SearchTables::~SearchTables() {
  Unwanted.store(true, std::memory_order_relaxed);
  wait();
}

void SearchTables::wait() {
  if (Maker.joinable())
    Maker.join();
}

/// What is asked for most comes first.
void SearchTables::make() {
  // Release: a table is there before its mark. Pairs with made() and pass().
  if (!makeSets())
    return;
  HasSets.store(true, std::memory_order_release);
  if (!makeBlocks())
    return;
  checkTimes();
  if (makeEntities())
    HasEntities.store(true, std::memory_order_release);
}

bool SearchTables::makeSets() {
  std::string Text;
  for (uint32_t Id = 0; Id != X.templateSetCount(); ++Id) {
    Text.clear();
    if (isUnwanted() || !X.templateSetName(Id, {}, IndexNameBytes, Text) ||
        !Sets.add(nameOfSet(Text)))
      return false;
  }
  InstantiationIndex::Entity E = {};
  SetOf.resize(X.entityCount());
  for (uint32_t Id = 0; Id != SetOf.size(); ++Id) {
    if (isUnwanted() || !X.entity(Id, E))
      return false;
    SetOf[Id] = E.TemplateSet;
  }
  return true;
}

bool SearchTables::makeBlocks() {
  InstantiationIndex::Shape Is = {};
  const uint32_t Count = X.recordCount();
  for (uint32_t Id = 0; Id != Count; ++Id) {
    if (Id % BlockRecords == 0) {
      MadeBlocks.store(Id / BlockRecords, std::memory_order_release);
      if (isUnwanted())
        return false;
    }
    if (!X.shape(Id, Is))
      return false;
    Blocks[Id / BlockRecords].add(Id, Is);
  }
  MadeBlocks.store(static_cast<uint32_t>(Blocks.size()),
                   std::memory_order_release);
  return true;
}

void SearchTables::checkTimes() {
  InstantiationIndex::Record R = {};
  std::vector<uint32_t> Stack;
  for (uint32_t Id = 0; Id < X.recordCount() && !isUnwanted();
       Id += BlockRecords)
    if (!X.record(Id, R) || !X.stackAt(R.Compile, R.BeginNs, Stack))
      return; // who asks for this time is told
}

bool SearchTables::makeEntities() {
  std::string Text;
  for (uint32_t Id = 0; Id != X.entityCount(); ++Id) {
    Text.clear();
    if (isUnwanted() ||
        !X.entityName(Id, {true, false}, IndexNameBytes, Text) ||
        !Entities.add(Text))
      return false;
  }
  return true;
}
