#include "runtime/base/Result.h"
#include "test/fuzz/FuzzTargets.h"
#include "test/fuzz/ScratchFolder.h"
#include "utils/sqlite/Database.h"
#include "utils/store/AskStore.h"
#include "utils/store/FileStore.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

namespace instantrace::fuzz {

namespace {

namespace fs = std::filesystem;

class Folder : public ScratchFolder {
public:
  /// By name, with their bytes.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> Found;
    for (const auto &Entry : fs::directory_iterator(path())) {
      std::ifstream File(Entry.path(), std::ios::binary);
      Found[Entry.path().filename()] = {std::istreambuf_iterator<char>(File),
                                        std::istreambuf_iterator<char>()};
    }
    return Found;
  }
  void write(std::string_view Name, std::string_view Bytes) const {
    std::ofstream(path(Name), std::ios::binary) << Bytes;
  }
};

constexpr std::string_view Endings[] = {"", "-wal", "-shm", "-journal"};
constexpr size_t JournalNo = std::size(Endings) - 1;
using StoreBytes = std::array<std::string, std::size(Endings)>;

/// A build in the file and one in its log alone, as another process leaves them
/// that still has it open.
const StoreBytes &sampleStore() {
  static const StoreBytes Sample = [] {
    Folder In;
    std::string Path = In.path("x.db");
    constexpr const char *Rows[] = {
        R"(INSERT INTO builds VALUES(1, 's', 'c', 5, 'abc', 'main', 'ann', 0,
           'complete', 0, 'make', 'clang 22', 'h', 'm', 'linux', 1, 1, 1, 1, 0, 1);
           INSERT INTO names VALUES(1, 77, 5, 0, 'Box<$>');
           INSERT INTO units VALUES(1, 'a.cpp', 'x86_64', '');
           INSERT INTO compiles VALUES(1, 1, 1, 'a.itrace', 1, 9, 1, 0, 9, 0, 0, 0);
           INSERT INTO costs VALUES(1, 1, 1, 1, 0, 9, 9, 0, 0, 0, 0);
           INSERT INTO build_costs VALUES(1, 1, 1, 1, 1, 0, 9, 9, 0, 0, 0, 0))",
        R"(INSERT INTO builds VALUES(2, 't', 'd', 6, 'def', 'main', 'bob', 0,
           'complete', 0, 'make', 'clang 22', 'h', 'm', 'linux', 1, 1, 1, 0, 0, 1))"};
    for (const char *Sql : Rows) {
      require(static_cast<bool>(FileStore::openForWriting(Path)));
      Result<DatabasePointer> Database = openDatabaseToWrite(Path);
      require(Database && execute(Database->get(), Sql));
      if (Sql == Rows[0])
        continue; // closed, and the log with it
      StoreBytes Made;
      for (size_t I = 0; I != JournalNo; ++I)
        Made[I] = In.files()["x.db" + std::string(Endings[I])];
      return Made;
    }
    std::abort();
  }();
  return Sample;
}

/// One that says that \p Victim is to go when it has been played back.
std::string journalOf(const std::string &Victim) {
  auto number = [](uint32_t Value) {
    return std::string{char(Value >> 24), char(Value >> 16), char(Value >> 8),
                       char(Value)};
  };
  const std::string Magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  uint32_t Sum = 0;
  for (char C : Victim)
    Sum += static_cast<uint32_t>(static_cast<signed char>(C));
  constexpr uint32_t SectorBytes = 512, PageBytes = 4096;
  std::string Text = Magic + number(0) + number(1) + number(0) +
                     number(SectorBytes) + number(PageBytes);
  Text.resize(SectorBytes);
  constexpr uint32_t LockPage = (1U << 30) / PageBytes + 1;
  return Text + number(LockPage) + Victim +
         number(static_cast<uint32_t>(Victim.size())) + number(Sum) + Magic;
}

/// What a command does, and whether it may write.
enum Use { List, Check, Hottest, Blame, Select, Prune, UseCount };

Result<void> useStore(Use How, const std::string &Path) {
  Result<FileStore> Store = How == Prune ? FileStore::openForWriting(Path)
                                         : FileStore::openForReading(Path);
  if (!Store)
    return Store.error();
  auto said = [](const auto &R) {
    return R ? Result<void>() : Result<void>(R.error());
  };
  switch (How) {
  case List:
    return said(listBuilds(*Store));
  case Check:
    return said(Store->check());
  case Hottest:
  case Blame: {
    Result<Question> Asked = findQuestion(How == Hottest ? "hottest" : "blame");
    require(static_cast<bool>(Asked));
    return said(ask(*Store, *Asked, {}));
  }
  case Select: {
    AnswerTable Rows;
    return Store->read("SELECT hash, text, path FROM names, units", {}, nullptr,
                       Rows);
  }
  case Prune:
    return said(Store->prune(6, std::nullopt));
  case UseCount:
    break;
  }
  return {};
}

} // namespace

void fuzzStore(const uint8_t *Data, size_t SizeBytes) {
  if (SizeBytes == 0)
    return;
  auto How = static_cast<Use>(Data[0] % UseCount);
  constexpr uint8_t HasJournal = 0x80;
  Folder In;
  In.write("precious", "precious");
  StoreBytes Files = sampleStore();
  if (Data[0] & HasJournal)
    Files[JournalNo] = journalOf(In.path("precious"));
  constexpr size_t HeadBytes = 4;
  for (size_t Index = 1; SizeBytes - Index > HeadBytes;) {
    uint32_t Place = Data[Index] | Data[Index + 1] << 8 | Data[Index + 2] << 16;
    std::string &File = Files[Place >> 22];
    size_t Offset = Place & 0x3FFFFF;
    size_t Count =
        std::min<size_t>(Data[Index + 3], SizeBytes - Index - HeadBytes);
    Index += HeadBytes;
    // Nothing behind a place: the file ends there.
    if (Count == 0)
      File.resize(std::min(Offset, File.size()));
    else if (Offset < File.size())
      File.replace(Offset, Count, reinterpret_cast<const char *>(Data) + Index,
                   Count);
    Index += Count;
  }
  for (size_t I = 0; I != Files.size(); ++I)
    if (I == 0 || !Files[I].empty())
      In.write("x.db" + std::string(Endings[I]), Files[I]);
  std::map<std::string, std::string> Before = In.files();
  Result<void> Done = useStore(How, In.path("x.db"));
  std::map<std::string, std::string> After = In.files();
  require(SizeBytes != 1 || !Files[JournalNo].empty() || Done);
  require(After["precious"] == "precious");
  require(After["x.db-journal"] == Before["x.db-journal"]);
  if (!Files[JournalNo].empty())
    require(!Done && Done.error().Message.find("journal") != std::string::npos);
  if (How != Prune) {
    Before.erase("x.db-journal");
    After.erase("x.db-journal");
    require(After == Before);
  }
}

std::vector<std::string> storeSeeds() {
  std::vector<std::string> Seeds;
  auto patch = [](size_t File, uint32_t Offset, const std::string &Bytes) {
    uint32_t Place = static_cast<uint32_t>(File << 22) | Offset;
    return std::string{char(Place), char(Place >> 8), char(Place >> 16),
                       char(Bytes.size())} +
           Bytes;
  };
  for (char How = 0; How != UseCount; ++How) {
    std::string Head(1, How);
    Seeds.push_back(Head);
    Seeds.push_back(std::string(1, static_cast<char>(How | 0x80)));
    Seeds.push_back(Head + patch(1, 0, ""));      // without a log
    Seeds.push_back(Head + patch(1, 40, "\xff")); // a frame of another sum
    Seeds.push_back(Head + patch(2, 0, std::string(48, '\xff')));
    Seeds.push_back(Head + patch(0, 18, "\1\1")); // not of a log
    Seeds.push_back(Head + patch(0, 0, ""));      // nothing but a log
    // Names of tables in the schema, which is at the end of the first page.
    const std::string &File = sampleStore()[0];
    for (const char *Name : {"builds", "names", "TABLE"})
      if (size_t Position = File.find(Name); Position != File.npos)
        Seeds.push_back(Head +
                        patch(0, static_cast<uint32_t>(Position), "views"));
  }
  return Seeds;
}

} // namespace instantrace::fuzz
