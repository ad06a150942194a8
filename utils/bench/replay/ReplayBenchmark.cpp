/// \file
/// How long each command of the debugger takes to answer.
///
/// Flow: made-up events -> IndexBuilder -> file -> Debugger -> table
///
/// A template for each ten entities, as in a trace of range-v3. Each command is
/// run at random places, from the line that somebody types to the text
/// that is written; of a command that changes what is found next, such as a
/// breakpoint, the first time counts. The tables that the debugger makes while
/// nobody types are there.
#include "utils/bench/index/MadeUpCompile.h"
#include "utils/replay/Debugger.h"
#include "utils/replay/ReplayText.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

using namespace instantrace;
using namespace instantrace::bench;

namespace {

[[noreturn]] void fail(const std::string &Why) {
  std::fprintf(stderr, "%s\n", Why.c_str());
  std::exit(1);
}

void makeIndex(uint32_t Count, const std::string &Folder,
               const std::string &Path) {
  uint32_t Entities = std::max(100u, Count / 20);
  IndexBuilder Builder(Folder);
  feed(Builder, randomEvents(Count, Entities), Names(Entities, 10));
  int Open = ::open(Path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (Result<void> Done = Builder.finish({1, 1}, Open); !Done)
    fail(Done.error().Message);
  ::close(Open);
}

double cpuMs() {
  timespec Is = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Is);
  return double(Is.tv_sec) * 1e3 + double(Is.tv_nsec) / 1e6;
}

struct Question {
  const char *Command;
  /// Before, at a place of its own, which is not measured.
  std::vector<std::string> Setting;
  int Times = 200;
  bool IsFromRandomPlace = true;
};

class Session {
public:
  Session(const InstantiationIndex &X, FILE *Nowhere)
      : R(made(X)), Answers(Nowhere), D(R, Answers, {}) {
    auto Begin = std::chrono::steady_clock::now();
    R.makeTables()->wait();
    TablesS =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin)
            .count();
  }
  double tablesSeconds() const { return TablesS; }

  /// What cannot be done, such as to go up from the outermost frame, is an
  /// answer as well.
  void execute(const std::string &Line) {
    Result<void> Done = D.execute(Line);
    if (!Done && Done.error().Kind != ErrorKind::Usage)
      fail(Line + ": " + Done.error().Message);
    if (Result<void> Written = Answers.finish(); !Written)
      fail(Written.error().Message);
  }
  void start() {
    R.breakpoints().clear();
    R.goTo(0);
  }
  Position end() const { return R.timeline().end(); }
  void goTo(Position P) { R.goTo(P); }

private:
  static Replay made(const InstantiationIndex &X) {
    Result<Replay> R = Replay::make(X);
    if (!R)
      fail(R.error().Message);
    return std::move(*R);
  }

  Replay R;
  ReplayText Answers;
  Debugger D;
  double TablesS = 0;
};

void measure(Session &S, const Question &Q, uint32_t Count) {
  std::mt19937_64 Random(3);
  std::vector<double> Ms, CpuMs;
  S.start();
  for (const std::string &Line : Q.Setting)
    S.execute(Line);
  for (int I = 0; I != Q.Times; ++I) {
    if (Q.IsFromRandomPlace)
      S.goTo(1 + Random() % (S.end() - 1));
    auto Begin = std::chrono::steady_clock::now();
    double CpuBegin = cpuMs();
    S.execute(Q.Command);
    CpuMs.push_back(cpuMs() - CpuBegin);
    Ms.push_back(std::chrono::duration<double, std::milli>(
                     std::chrono::steady_clock::now() - Begin)
                     .count());
  }
  std::sort(Ms.begin(), Ms.end());
  std::sort(CpuMs.begin(), CpuMs.end());
  std::string Set;
  for (const std::string &Line : Q.Setting)
    Set += (Set.empty() ? "" : ", ") + ("`" + Line + "`");
  std::printf("| %" PRIu32 " | `%s` | %s | %.3f | %.3f | %.3f |\n", Count,
              Q.Command, Set.c_str(), Ms[Ms.size() / 2], CpuMs.back(),
              Ms.back());
  std::fflush(stdout);
}

void run(uint32_t Count, const std::string &Folder) {
  const std::string Path = Folder + "/bench-replay.itx";
  makeIndex(Count, Folder, Path);
  std::string Why;
  InstantiationIndex X;
  if (!InstantiationIndex::open(Path, X, Why))
    fail(Why);
  FILE *Nowhere = std::fopen("/dev/null", "w");
  if (!Nowhere)
    fail("cannot open /dev/null");
  const std::string Some = "break library::detail::Template7<library::Argument<"
                           "77>, std::pair<int, char>>";
  const Question Questions[] = {
      {"step", {}},
      {"reverse-step", {}},
      {"step 1000000", {}},
      {"next", {}},
      {"reverse-next", {}},
      {"up", {}},
      {"finish", {}},
      {"reverse-finish", {}},
      {"goto 50%", {}},
      {"backtrace", {}},
      {"print", {}},
      {"print/a", {}},
      {"info frame", {}},
      {"info entity", {}},
      {"info statistics", {}, 20},
      {"break Template7", {}, 1},
      {"break Template7<library::Argument<77>, std::pair<int, char>>", {}, 5},
      {"info entity Template7<library::Argument<77>, std::pair<int, char>>",
       {},
       5},
      {"rbreak <77[0-9]>", {}, 5},
      {"rbreak [0-9]7[^0]>", {}, 5},
      {"rbreak (std|library)::.*Arg.*7>", {}, 5},
      {"break header.hpp:77", {}, 5},
      {"continue", {Some}},
      {"reverse-continue", {Some}},
      {"finish", {Some}},
      {"continue", {"rbreak <77[0-9]>"}},
      {"continue", {"break -kind TemplateInstantiation -depth 15"}},
      {"continue", {"break -kind Memoization"}, 5},
      {"reverse-continue", {"break -depth 16"}, 5},
      {"continue", {"break -duration 100ms"}, 20},
      {"continue", {"break -duration 1ms"}, 20},
      {"continue", {"break -duration 10us if self > 3us"}, 20},
      {"reverse-continue", {"break -duration 1ms"}, 20},
      {"continue", {"break -time 1s"}},
      {"continue", {"break if depth > 15 || kind == Memoization"}, 5},
      {"continue", {"break if self > 1s && depth < 3"}, 5},
      {"continue", {"break if open"}, 5},
  };
  Session S(X, Nowhere);
  std::fprintf(stderr, "%" PRIu32 " intervals: tables after %.3f s\n", Count,
               S.tablesSeconds());
  for (const Question &Q : Questions)
    measure(S, Q, Count);
  std::fclose(Nowhere);
  std::filesystem::remove(Path);
}

} // namespace

int main(int Argc, char **Argv) {
  std::string Folder = std::filesystem::temp_directory_path().string();
  std::vector<uint32_t> Counts = countsOf(Argc, Argv, {100000, 10000000});
  std::printf(
      "| intervals | command | with | median, ms | most CPU, ms | slowest, ms "
      "|\n|---:|---|---|---:|---:|---:|\n");
  for (uint32_t Count : Counts)
    run(Count, Folder);
}
