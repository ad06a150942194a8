#include "utils/session/ClangCheck.h"

#include "runtime/read/Trace.h"
#include "utils/open/EachTrace.h"
#include "utils/open/InputObserver.h"
#include "utils/render/NumberText.h"
#include "utils/session/BuildEnvironment.h"
#include "utils/session/CommandOutput.h"
#include "utils/session/CompilerProbe.h"
#include "utils/system/FileDescriptor.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <glob.h>
#include <set>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

constexpr const char *ClangGroup = "clang";

/// clang++ and clang++-22; another name of it is found by the program.
bool isClangName(std::string_view Name) {
  constexpr std::string_view Clang = "clang++";
  return Name.starts_with(Clang) &&
         (Name.size() == Clang.size() ||
          (Name[Clang.size()] == '-' &&
           Name.find_first_not_of("0123456789.", Clang.size() + 1) ==
               Name.npos));
}

/// ccache and the like are one program by many names.
std::string programIdentity(const std::string &Program) {
  std::error_code Failed;
  fs::path Real = fs::canonical(Program, Failed);
  if (Failed)
    return Program;
  return isCompilerName(Real.filename().native())
             ? Real.string()
             : Real.string() + " " + fs::path(Program).filename().string();
}

/// What a compile printed, in a line.
std::string saidText(const std::string &Text) {
  constexpr size_t MostBytes = 300;
  size_t Begin = Text.find_first_not_of(" \t\r\n");
  if (Begin == Text.npos)
    return {};
  std::string Line = Text.substr(Begin, Text.find('\n', Begin) - Begin);
  if (Line.size() > MostBytes)
    Line = Line.substr(0, MostBytes) + "...";
  return Line;
}

/// The command, without what the environment says of recording; without the
/// plugin if that is empty.
std::vector<std::string> trialCommand(const std::string &Program,
                                      const std::string &Plugin,
                                      const std::string &Folder) {
  std::vector<std::string> Command = {"env"};
  for (const std::string &Variable : ownEnvironment())
    if (Variable.starts_with("INSTANTRACE_") ||
        Variable.starts_with("CCC_OVERRIDE_OPTIONS=")) {
      Command.push_back("-u");
      Command.push_back(Variable.substr(0, Variable.find('=')));
    }
  Command.push_back(Program);
  if (!Plugin.empty()) {
    Command.push_back("-fplugin=" + Plugin);
    Command.push_back("-fplugin-arg-instantrace-output=" + Folder +
                      "/line.itrace");
  }
  for (std::string Word : {std::string("-c"), Folder + "/line.cpp",
                           std::string("-o"), Folder + "/line.o"})
    Command.push_back(std::move(Word));
  return Command;
}

/// Of a compile that did not end in time.
void judgeHanging(ClangTrial &Trial, const std::string &Folder,
                  const std::string &Said, int PatienceMs) {
  const std::string Waited =
      timeText(static_cast<uint64_t>(PatienceMs) * 1'000'000);
  CommandOutput Without =
      runShortly(trialCommand(Trial.Program, {}, Folder), PatienceMs);
  HealthCheck &Check = Trial.Check;
  Check.State = HealthState::Problem;
  Check.Found = "Clang " + std::to_string(Trial.Major) +
                " has not compiled a line after " + Waited +
                (Without.IsTooLate ? ", with the plugin or without it"
                                   : " with the plugin, and does without it") +
                (Said.empty() ? "" : ": " + Said);
  Check.Todo =
      Without.IsTooLate
          ? "see why it hangs, or give it longer on a slow machine: --wait=60s"
          : "leave -fplugin away for it, and report this with its stack (gdb "
            "-p PID); a slow machine may need --wait=60s";
}

/// Whether the trace has what the line instantiates.
bool isWhole(const Trace &T) {
  return T.losses().empty() && T.Sequences.size() == 1 &&
         T.Sequences.front().Footer && T.Sequences.front().EventCount != 0 &&
         !T.Sequences.front().Entities.empty();
}

void judgeTrace(ClangTrial &Trial, const std::string &Folder,
                const std::string &Said) {
  HealthCheck &Check = Trial.Check;
  const std::string Clang = "Clang " + std::to_string(Trial.Major);
  std::vector<std::string> Messages;
  MessageList Seen(Messages);
  const std::string File = Folder + "/line.itrace";
  std::error_code NoFile;
  Check.State = HealthState::Problem;
  if (!fs::exists(File, NoFile)) {
    Check.Found = Clang + " compiles, but leaves no trace" +
                  (Said.empty() ? "" : ": " + Said);
    Check.Todo = "install the packages of one version of Instantrace; a module "
                 "works in Clangs that are built as the one it was built for";
    return;
  }
  Result<Trace> T = readTraces({File}, Seen);
  if (!T || !isWhole(*T)) {
    Check.Found = Clang + " leaves a trace that is not whole" +
                  (T ? T->losses().empty() ? "" : ": " + T->losses().front()
                     : ": " + T.error().Message);
    Check.Todo = "report it, with the trace of a small file";
    return;
  }
  const Sequence &S = T->Sequences.front();
  Trial.DoesWork = true;
  Check.State = HealthState::Good;
  Check.Found = Clang + " loads the plugin; " + counted(S.EventCount, "event") +
                " in its trace";
  if (S.Session && S.Session->Buffer.find(": ") != std::string::npos) {
    Check.State = HealthState::Note;
    Check.Found += "; events were kept in " + S.Session->Buffer;
    Check.Todo = "a compile that is killed leaves no trace then";
  }
  if (S.Session && S.Session->Hook.starts_with("observer: ")) {
    Check.State = HealthState::Note;
    Check.Found += "; recorded by hook=" + S.Session->Hook;
    Check.Todo = "self times and the times of aliases are rough then";
  }
}

} // namespace

std::vector<std::string>
instantrace::clangsHere(const std::string &SearchPath) {
  std::vector<std::string> Found;
  for (size_t Index = 0; Index < SearchPath.size();) {
    size_t End = std::min(SearchPath.find(':', Index), SearchPath.size());
    std::string Folder = SearchPath.substr(Index, End - Index);
    Index = End + 1;
    std::vector<std::string> Files;
    std::error_code Failed;
    if (Folder.starts_with('/'))
      for (fs::directory_iterator It(Folder, Failed), NoMore;
           !Failed && It != NoMore; It.increment(Failed))
        if (isClangName(It->path().filename().native()))
          Files.push_back(It->path().string());
    std::sort(Files.begin(), Files.end());
    Found.insert(Found.end(), Files.begin(), Files.end());
  }
  glob_t Installed = {};
  if (::glob("/usr/lib/llvm-*/bin/clang++", 0, nullptr, &Installed) == 0)
    Found.insert(Found.end(), Installed.gl_pathv,
                 Installed.gl_pathv + Installed.gl_pathc);
  ::globfree(&Installed);
  std::set<std::string> Seen;
  std::vector<std::string> Once;
  for (std::string &Program : Found)
    if (::access(Program.c_str(), X_OK) == 0 &&
        Seen.insert(programIdentity(Program)).second)
      Once.push_back(std::move(Program));
  return Once;
}

ClangTrial instantrace::tryClang(const std::string &Program, bool IsNamed,
                                 const std::string &Plugin,
                                 const std::vector<int> &Majors,
                                 const std::string &Folder, int PatienceMs) {
  ClangTrial Trial{Program, IsNamed, 0, {ClangGroup, Program, {}, {}}, false};
  HealthCheck &Check = Trial.Check;
  Compiler C = probeCompiler(Program);
  Trial.Major = C.Kind == CompilerKind::Clang ? C.Major : 0;
  if (std::string Why = whyNoProfile(C, Majors); !Why.empty()) {
    Check.State = IsNamed ? HealthState::Problem : HealthState::Note;
    Check.Found = Why;
    Check.Todo =
        Trial.Major != 0
            ? moduleTodo(Trial.Major) + "; there are modules for " +
                  majorsText(Majors)
            : "compile with a Clang of a version that there is a module for: " +
                  majorsText(Majors);
    return Trial;
  }
  std::string Own = Folder + "/compile-XXXXXX";
  if (!::mkdtemp(Own.data())) {
    Check.State = HealthState::Problem;
    Check.Found = Own + ": no such folder can be made";
    Check.Todo = "name a folder that you may write in by TMPDIR";
    return Trial;
  }
  std::ofstream(Own + "/line.cpp")
      << "template <class T> struct Box { T Value; }; Box<int> One;\n";
  CommandOutput Said = runShortly(trialCommand(Program, Plugin, Own),
                                  PatienceMs, ErrorOutput::Kept);
  if (Said.isGood()) {
    judgeTrace(Trial, Own, saidText(Said.Text));
  } else if (Said.IsTooLate) {
    judgeHanging(Trial, Own, saidText(Said.Text), PatienceMs);
  } else {
    Check.State = HealthState::Problem;
    Check.Found =
        "Clang " + std::to_string(Trial.Major) +
        (Said.Signal != 0 ? " ends by signal " + std::to_string(Said.Signal) +
                                " with the plugin"
                          : " fails with the plugin") +
        (saidText(Said.Text).empty() ? "" : ": " + saidText(Said.Text));
    Check.Todo = "compile without it, and report this";
  }
  std::error_code Failed;
  fs::remove_all(Own, Failed);
  return Trial;
}
