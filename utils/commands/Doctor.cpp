/// \file
/// `instantrace doctor`: what is installed, and whether it works here.
///
/// Flow: Installation, ClangCheck, SystemCheck -> HealthCheck -> HealthText
///       -> stdout
#include "utils/cli/Amounts.h"
#include "utils/cli/ColorOption.h"
#include "utils/cli/Installation.h"
#include "utils/commands/Commands.h"
#include "utils/render/HealthText.h"
#include "utils/session/BuildEnvironment.h"
#include "utils/session/ClangCheck.h"
#include "utils/session/CompilerProbe.h"
#include "utils/session/SessionFolder.h"
#include "utils/session/SystemCheck.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

struct DoctorOptions {
  std::vector<std::string> Clangs;
  bool SearchesNone = false;
  bool Json = false;
  std::string Wait = "20s"; ///< for each compile
};

/// No longer than anybody waits, and than a number of milliseconds.
constexpr uint64_t LongestWaitMs = uint64_t(24) * 60 * 60 * 1000;

Result<int> patienceMs(const std::string &Wait) {
  Result<uint64_t> Ns = parseDuration(Wait);
  if (!Ns)
    return usageError("--wait: " + Ns.error().Message);
  uint64_t Ms = *Ns / 1'000'000;
  if (Ms == 0 || Ms > LongestWaitMs)
    return usageError(makeError({}, "--wait=" + Wait, "1ms to 24 hours"));
  return static_cast<int>(Ms);
}

constexpr const char *InstalledGroup = "installed";

/// The loader and the modules, and whether each module has its entry.
void checkInstallation(std::vector<HealthCheck> &Checks) {
  std::error_code Failed;
  Checks.push_back({InstalledGroup, "tool", HealthState::Good,
                    std::string("instantrace " INSTANTRACE_VERSION ", ") +
                        std::string(buildType()) + ", " +
                        fs::read_symlink("/proc/self/exe", Failed).string()});
  Result<std::string> Folder = pluginFolder();
  if (!Folder) {
    Checks.push_back({InstalledGroup, "loader", HealthState::Problem,
                      Folder.error().Message,
                      "install the whole package; the tool alone only reads"});
    return;
  }
  Checks.push_back(
      {InstalledGroup, "loader", HealthState::Good, loaderIn(*Folder)});
  const std::vector<int> Majors = installedClangs();
  if (Majors.empty())
    Checks.push_back({InstalledGroup, "modules", HealthState::Problem, "none",
                      "install instantrace-clang-N for each Clang N"});
  else
    Checks.push_back({InstalledGroup, "modules", HealthState::Good,
                      "Clang " + majorsText(Majors)});
  for (const auto &[Name, Other] :
       {std::pair("instantrace-clang-", "instantrace-entry-clang-"),
        std::pair("instantrace-entry-clang-", "instantrace-clang-")})
    for (int Major : modulesNamed(Name)) {
      std::string Missing =
          *Folder + "/" + Other + std::to_string(Major) + ".so";
      if (!fs::exists(Missing, Failed))
        Checks.push_back(
            {InstalledGroup, "module of Clang " + std::to_string(Major),
             HealthState::Problem, Missing + " is missing",
             "install instantrace-clang-" + std::to_string(Major) + " again"});
    }
  if (Folder->find(' ') != std::string::npos)
    Checks.push_back({InstalledGroup, "path", HealthState::Note,
                      *Folder + " has a space",
                      "--print-override cannot be used; `record` can"});
}

/// Those that are found, and those that are named.
void checkClangs(const DoctorOptions &Opts, int PatienceMs,
                 std::vector<HealthCheck> &Checks) {
  Result<std::string> Plugin = pluginFolder();
  Result<PrivateFolder> Folder = PrivateFolder::make();
  if (!Plugin || !Folder)
    return; // has been said, or will be of the system
  const std::vector<int> Majors = installedClangs();
  std::vector<std::string> Programs;
  if (!Opts.SearchesNone)
    Programs = clangsHere(variableOf(ownEnvironment(), "PATH"));
  bool DoesAnyWork = false;
  std::vector<int> Found;
  auto Try = [&](const std::string &Program, bool IsNamed) {
    ClangTrial Trial = tryClang(Program, IsNamed, loaderIn(*Plugin), Majors,
                                Folder->path(), PatienceMs);
    DoesAnyWork |= Trial.DoesWork;
    Found.push_back(Trial.Major);
    Checks.push_back(std::move(Trial.Check));
  };
  for (const std::string &Program : Programs)
    if (std::find(Opts.Clangs.begin(), Opts.Clangs.end(), Program) ==
        Opts.Clangs.end())
      Try(Program, /*IsNamed=*/false);
  for (const std::string &Program : Opts.Clangs)
    Try(Program, /*IsNamed=*/true);
  if (Found.empty())
    Checks.push_back({"clang", "clang++", HealthState::Problem,
                      "none in PATH or /usr/lib/llvm-*/bin",
                      "install Clang " + majorsText(Majors) +
                          ", or name one: instantrace doctor CLANG"});
  for (int Major : Majors)
    if (!Opts.SearchesNone &&
        std::find(Found.begin(), Found.end(), Major) == Found.end())
      Checks.push_back({"clang",
                        "clang++-" + std::to_string(Major),
                        HealthState::Note,
                        "not found, and has a module",
                        {}});
  if (!Found.empty() && !DoesAnyWork)
    Checks.push_back({"clang", "all of them", HealthState::Problem,
                      "none can be profiled",
                      "install one of a version that there is a module for: " +
                          majorsText(Majors)});
}

Result<int> runDoctor(const DoctorOptions &Opts) {
  INSTANTRACE_TRY_ASSIGN(int PatienceMs, patienceMs(Opts.Wait));
  if (Opts.SearchesNone && Opts.Clangs.empty())
    return usageError(makeError({}, "--no-search without a Clang",
                                "one by name or path, or a search"));
  std::vector<HealthCheck> Checks;
  checkInstallation(Checks);
  checkClangs(Opts, PatienceMs, Checks);
  for (HealthCheck &Check : checkSystem())
    Checks.push_back(std::move(Check));
  Output Out(stdout);
  if (Opts.Json)
    writeHealthJson(Out, Checks);
  else
    writeHealthText(Out, Checks, standardOutputTerminal());
  INSTANTRACE_TRY(Out.finish());
  return problemsIn(Checks) == 0 ? ExitSuccess : ExitBadInput;
}

} // namespace

CommandRun instantrace::addDoctor(CLI::App &App) {
  auto Opts = std::make_shared<DoctorOptions>();
  CLI::App *Command = App.add_subcommand(
      "doctor", "Say what is installed, and which Clangs can be profiled.");
  Command->add_option("clang", Opts->Clangs,
                      "Clangs that have to work, by name or path, beside those "
                      "in PATH and /usr/lib/llvm-*/bin");
  Command->add_flag("--no-search", Opts->SearchesNone,
                    "try only the Clangs that are named");
  Command
      ->add_option("--wait", Opts->Wait,
                   "how long a Clang may take for its line, such as 60s "
                   "(default 20s); one that hangs is ended then")
      ->allow_extra_args(false);
  Command->add_flag("--json", Opts->Json, "print one JSON object");
  addColorOption(*Command);
  Command->footer(
      R"(Each Clang that a module is installed for compiles a line with the plugin, in
a private folder that is removed again, and the trace of it is read. `problem`
is what should work and does not, `note` what may surprise; below it stands what
to do. A Clang that hangs is ended after --wait, and tried without the plugin. A
Clang without a module is a note, and a problem if it was named, or if there is
no other one.

Exit code: 1 if there is a problem.

Examples:
  instantrace doctor
  instantrace doctor --json clang++)");
  return [Opts] { return runDoctor(*Opts); };
}
