#include "plugin/bench/NameContest.h"

#include "runtime/base/Hash.h"
#include "runtime/record/TraceWriter.h"
#include "runtime/strings/StringTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <ctime>
#include <malloc.h>
#include <numeric>
#include <random>

using namespace clang;

namespace instantrace {

namespace {

uint64_t cpuNowNs() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return static_cast<uint64_t>(Now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(Now.tv_nsec);
}

uint64_t heapBytes() {
  struct mallinfo2 Now = mallinfo2();
  return Now.uordblks + Now.hblkhd;
}

/// Between two looks at the clock, which is a system call: so many texts or so
/// many bytes of them.
constexpr unsigned TextsPerLook = 256;
constexpr uint64_t BytesPerLook = 1 << 20;

/// Whether a contestant may go on.
class Cap {
public:
  explicit Cap(unsigned Seconds)
      : StartNs(cpuNowNs()), LimitNs(uint64_t(Seconds) * 1'000'000'000) {}
  bool allows(size_t TextBytes) {
    Bytes += TextBytes;
    if (++Texts < TextsPerLook && Bytes < BytesPerLook)
      return true;
    Texts = 0;
    Bytes = 0;
    return elapsedNs() < LimitNs;
  }
  uint64_t elapsedNs() const { return cpuNowNs() - StartNs; }

private:
  uint64_t StartNs, LimitNs, Bytes = 0;
  unsigned Texts = 0;
};

/// Larger than any cache of the processor that matters here.
constexpr size_t FlushBytes = size_t(256) << 20;

void flushCaches() {
  std::vector<char> Other(FlushBytes, 1);
  volatile char Sum = 0;
  for (size_t I = 0; I < Other.size(); I += 64)
    Sum = static_cast<char>(Sum + Other[I]);
}

double perItem(uint64_t Ns, size_t Count) {
  return Count ? static_cast<double>(Ns) / static_cast<double>(Count) : 0;
}

} // namespace

void NameContest::run(llvm::json::OStream &Json) {
  for (unsigned I = 0; I != Settings.Repetitions; ++I) {
    StringTable Strings;
    NameBuilder Names(Context, Strings, /*HasParameters=*/false);
    nameAll(Names);
  }
  Json.attribute("entities", static_cast<int64_t>(Requests.Entities.size()));
  Json.attribute("begins",
                 static_cast<int64_t>(Requests.Events.size() - Requests.Hits));
  Json.attribute("hits", static_cast<int64_t>(Requests.Hits));
  PrintedAtEvents Begins{"print_begins", /*WithHits=*/false};
  PrintedAtEvents All{"print_begins_and_hits", /*WithHits=*/true};
  Json.attributeArray("rounds", [&] {
    for (unsigned Round = 0; Round != Settings.Rounds; ++Round)
      Json.object([&] {
        for (unsigned I = 0; I != 4; ++I)
          switch ((Round + I) % 4) {
          case 0:
            Json.attributeObject("build", [&] { buildNames(Json, false); });
            break;
          case 1:
            Json.attributeObject("print_each", [&] { printEach(Json); });
            break;
          case 2:
            printAtEvents(Json, Begins);
            break;
          default:
            printAtEvents(Json, All);
            break;
          }
      });
  });
  buildNames(Json, true);
}

/// As the profiler does.
void NameContest::nameAll(NameBuilder &Names) const {
  const auto &Entities = Requests.Entities;
  for (size_t I = 0; I != Entities.size(); ++I) {
    Names.prefetch(I, Entities.size(),
                   [&](size_t Index) { return Entities[Index]; });
    Names.namesOnce(*Entities[I]);
  }
}

void NameContest::buildNames(llvm::json::OStream &Json, bool IsLast) {
  uint64_t HeapBytes = heapBytes();
  uint64_t Start = cpuNowNs();
  StringTable Strings;
  NameBuilder Names(Context, Strings, /*HasParameters=*/false);
  nameAll(Names);
  uint64_t Built = cpuNowNs();
  HeapBytes = heapBytes() - HeapBytes;
  std::string Packets;
  StringSink Sink(Packets);
  TraceWriter(Sink, 1).writeDictionary(Strings);
  uint64_t Written = cpuNowNs();
  if (!IsLast) {
    Json.attribute("build_ns", static_cast<int64_t>(Built - Start));
    Json.attribute("write_ns", static_cast<int64_t>(Written - Built));
    return;
  }
  Json.attribute("entries", static_cast<int64_t>(Strings.size()));
  Json.attribute("held_bytes", static_cast<int64_t>(HeapBytes));
  Json.attribute("table_bytes", static_cast<int64_t>(Strings.memoryBytes()));
  Json.attribute("dictionary_bytes", static_cast<int64_t>(Packets.size()));
  Dictionary = std::move(Packets);
  compareTexts(Json, Strings, Names);
  Json.attributeObject("lookups", [&] {
    measureLookups(Json, Names);
    measureTextLookups(Json);
  });
}

void NameContest::printEach(llvm::json::OStream &Json) {
  NamePrinter Printer(Context); // for its policy
  std::string Text;
  uint64_t Bytes = 0, Start = cpuNowNs();
  for (const NamedDecl *D : Requests.Entities) {
    Text.clear();
    llvm::raw_string_ostream OS(Text);
    D->getNameForDiagnostic(OS, Printer.policyFor(*D), /*Qualified=*/true);
    Bytes += OS.str().size();
  }
  Json.attribute("ns", static_cast<int64_t>(cpuNowNs() - Start));
  Json.attribute("bytes", static_cast<int64_t>(Bytes));
}

void NameContest::printAtEvents(llvm::json::OStream &Json,
                                PrintedAtEvents &Contestant) {
  if (Contestant.IsOut)
    return;
  NamePrinter Printer(Context); // for its policy
  std::string Text;
  uint64_t Bytes = 0, Printed = 0;
  Cap Time(Settings.CapSeconds);
  for (NameRequests::Event E : Requests.Events) {
    if (E.IsHit && !Contestant.WithHits)
      continue;
    Text.clear();
    llvm::raw_string_ostream OS(Text);
    const NamedDecl *D = Requests.Entities[E.Entity];
    D->getNameForDiagnostic(OS, Printer.policyFor(*D), /*Qualified=*/true);
    Bytes += OS.str().size();
    ++Printed;
    if (!Time.allows(Text.size())) {
      Contestant.IsOut = true;
      break;
    }
  }
  uint64_t Ns = Time.elapsedNs();
  Json.attributeObject(Contestant.Name, [&] {
    Json.attribute("ns", static_cast<int64_t>(Ns));
    Json.attribute("bytes", static_cast<int64_t>(Bytes));
    Json.attribute("printed", static_cast<int64_t>(Printed));
    Json.attribute("is_stopped", Contestant.IsOut);
  });
}

void NameContest::compareTexts(llvm::json::OStream &Json,
                               const StringTable &Strings, NameBuilder &Names) {
  uint64_t Differences = 0, BuiltBytes = 0;
  for (const NamedDecl *D : Requests.Entities) {
    std::string Built = Strings.expand(Names.names(*D).Name);
    std::string Printed = Names.Printer.full(*D);
    Differences += Built != Printed;
    BuiltBytes += Built.size();
    Texts.append(Printed).push_back('\0');
    TextEnds.push_back(Texts.size() - 1);
  }
  Json.attribute("differences", static_cast<int64_t>(Differences));
  Json.attribute("built_text_bytes", static_cast<int64_t>(BuiltBytes));
  Json.attribute("printed_text_bytes",
                 static_cast<int64_t>(Texts.size() - TextEnds.size()));
}

/// A name that is known is found by the declaration's address: the cost must
/// not depend on how long the name is.
void NameContest::measureLookups(llvm::json::OStream &Json,
                                 NameBuilder &Names) {
  const auto &Entities = Requests.Entities;
  if (Entities.empty())
    return;
  for (const NamedDecl *D : Entities)
    Names.names(*D);         // known from now on
  volatile uint64_t Sum = 0; // keeps the lookups
  auto look = [&](size_t Entity) {
    Sum = Sum + Names.names(*Entities[Entity]).Name.Value;
  };
  uint64_t Start = cpuNowNs();
  for (NameRequests::Event E : Requests.Events)
    look(E.Entity);
  Json.attribute("as_met_ns", perItem(cpuNowNs() - Start, //
                                      Requests.Events.size()));

  constexpr size_t Repetitions = 1 << 20, HotEntities = 64;
  Start = cpuNowNs();
  for (size_t I = 0; I != Repetitions; ++I)
    look(I % std::min(HotEntities, Entities.size()));
  Json.attribute("hot_ns", perItem(cpuNowNs() - Start, Repetitions));

  std::vector<uint32_t> Order(Entities.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::shuffle(Order.begin(), Order.end(), std::mt19937(1));
  flushCaches();
  Start = cpuNowNs();
  for (uint32_t I : Order)
    look(I);
  Json.attribute("cold_ns", perItem(cpuNowNs() - Start, Order.size()));
}

/// The same by the text, were it there without being printed: hash and probe,
/// without comparing texts.
void NameContest::measureTextLookups(llvm::json::OStream &Json) {
  auto hash = [this](size_t Entity) {
    size_t Begin = Entity ? TextEnds[Entity - 1] + 1 : 0;
    // The map keeps the two largest numbers for itself.
    return hashBytes({Texts.data() + Begin, TextEnds[Entity] - Begin}) >> 1;
  };
  llvm::DenseMap<uint64_t, uint32_t> Known;
  for (size_t I = 0; I != TextEnds.size(); ++I)
    Known.try_emplace(hash(I), static_cast<uint32_t>(I));
  volatile uint64_t Sum = 0;
  size_t Found = 0;
  Cap Time(Settings.CapSeconds);
  for (NameRequests::Event E : Requests.Events) {
    Sum = Sum + Known.find(hash(E.Entity))->second;
    ++Found;
    if (!Time.allows(0))
      break;
  }
  Json.attribute("text_ns", perItem(Time.elapsedNs(), Found));
}

} // namespace instantrace
