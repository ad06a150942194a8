#include "utils/trial/Trial.h"

#include "runtime/base/SystemMessage.h"
#include "utils/session/SessionJson.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>

using namespace instantrace;
namespace fs = std::filesystem;

namespace {

/// With less, the disk was full a moment before.
constexpr uint64_t FewestFreeBytes = 1 << 16;

/// For the list of a build's commands.
constexpr ProcessLimits ListLimits = {60, 64 << 20, uint64_t(2) << 30};
constexpr ProcessLimits LinkLimits = {600, 0, 0};

bool isFull(const std::string &Folder) {
  std::error_code Failed;
  const fs::space_info Found = fs::space(Folder, Failed);
  return !Failed && Found.available < FewestFreeBytes;
}

TrialResult notTried(std::string Reason) {
  TrialResult Found;
  Found.Reason = std::move(Reason);
  return Found;
}

/// Every so many, so that large and small ones are among them.
template <class T> void thinOut(std::vector<T> &All, size_t Most) {
  if (All.size() <= Most)
    return;
  std::vector<T> Chosen;
  for (size_t I = 0; I != Most; ++I)
    Chosen.push_back(std::move(All[(2 * I + 1) * All.size() / (2 * Most)]));
  All = std::move(Chosen);
}

double sum(const std::vector<double> &Values) {
  return std::accumulate(Values.begin(), Values.end(), 0.0);
}

/// Two standard errors of what all units save, of those that were tried, as a
/// ratio estimator has it; in the time of those tried.
double samplingNs(const std::vector<double> &BeforeNs,
                  const std::vector<double> &SavedNs, size_t AllUnits) {
  const double Tried = double(BeforeNs.size());
  if (BeforeNs.size() >= AllUnits || BeforeNs.size() < 2)
    return 0;
  const double Ratio = sum(SavedNs) / sum(BeforeNs);
  double Squares = 0;
  for (size_t I = 0; I != BeforeNs.size(); ++I)
    Squares += std::pow(SavedNs[I] - Ratio * BeforeNs[I], 2);
  return 2 * std::sqrt(Tried * (1 - Tried / double(AllUnits)) * Squares /
                       (Tried - 1));
}

} // namespace

Result<TrialRun> TrialRun::make(TrialProcess &Process,
                                const std::vector<RecordedCompile> &Compiles) {
  INSTANTRACE_TRY_ASSIGN(PrivateFolder Scratch, PrivateFolder::makeTemporary());
  return TrialRun(Process, Compiles, std::move(Scratch));
}

std::vector<TrialRun::Unit> TrialRun::sample(const std::vector<size_t> &Numbers,
                                             std::string &WhyFewer) const {
  std::vector<Unit> Units;
  for (size_t Number : Numbers) {
    Result<ScratchCommand> Command =
        scratchCommand(Compiles[Number].Session, Scratch.path() + "/out");
    if (Command)
      Units.push_back({std::move(*Command), Compiles[Number].Ns});
    else if (WhyFewer.empty())
      WhyFewer = Command.error().Message;
  }
  thinOut(Units, MostUnits);
  return Units;
}

Result<TrialRun::Compiled>
TrialRun::compile(const std::vector<std::string> &Words,
                  const std::string &WorkingDirectory, const std::string &Shown,
                  const ProcessLimits &Limits) {
  if (Programs.insert(Words.front()).second && OnProgram)
    OnProgram(Words.front());
  if (OnCompile)
    OnCompile(Shown);
  const std::string Out = Scratch.path() + "/out",
                    Messages = Scratch.path() + "/messages";
  std::error_code Failed;
  fs::remove_all(Out, Failed); // of the compile before
  fs::create_directory(Out, Failed);
  if (Failed)
    return Error{Out + ": " + Failed.message()};
  Compiled Done;
  INSTANTRACE_TRY_ASSIGN(Done.End,
                         Process.run(Words, scratchEnvironment(Out),
                                     WorkingDirectory, Messages, Limits));
  std::ifstream Text(Messages);
  bool WasFull = false;
  for (std::string Line; std::getline(Text, Line);) {
    Done.Warnings += Line.find(": warning: ") != Line.npos;
    WasFull |= Line.find(systemMessage(ENOSPC)) != Line.npos;
    if (Done.FirstError.empty() &&
        (Line.find("error: ") != Line.npos ||
         Line.find("undefined reference to ") != Line.npos ||
         Line.find("multiple definition of ") != Line.npos))
      Done.FirstError = Line;
  }
  if (Done.End.ExitCode == 0)
    return Done;
  if (WasFull || isFull(Scratch.path()))
    return Error{Scratch.path() + ": " + systemMessage(ENOSPC) +
                 "; TMPDIR names another folder"};
  if (Done.End.IsLate)
    Done.FirstError =
        Shown + ": not done after " + std::to_string(Limits.Seconds) + " s";
  if (Done.FirstError.empty())
    Done.FirstError =
        Shown + ": exit code " + std::to_string(Done.End.ExitCode);
  return Done;
}

Result<void> TrialRun::applyEdits(const TrialChange &Change,
                                  std::vector<std::string> &Into) {
  EditedSources Sources;
  INSTANTRACE_TRY(
      Sources.add(Change.Edits, Compiles[Change.Compiles.front()].BuildFolder));
  INSTANTRACE_TRY_ASSIGN(std::string Overlay,
                         Sources.writeOverlay(Scratch.path()));
  Into.insert(Into.end(), {"-ivfsoverlay", Overlay});
  return {};
}

Result<TrialRun::Compiled> TrialRun::precompile(const TrialChange &Change,
                                                const Unit &First) {
  const std::string Header = Scratch.path() + "/precompiled.h",
                    Made = Scratch.path() + "/precompiled.h.pch";
  std::error_code Failed;
  if (!fs::exists(Header, Failed)) {
    std::string Text;
    for (const std::string &Name : Change.Precompiled)
      Text += "#include " + Name + "\n";
    INSTANTRACE_TRY(writeFile(Header, Text));
  }
  std::vector<std::string> Words;
  for (size_t I = 0; I != First.Command.Words.size(); ++I) {
    const std::string &Word = First.Command.Words[I];
    if (I == First.Command.InputIndex)
      Words.insert(Words.end(), {"-x", "c++-header", Header});
    else if (Word != "-fsyntax-only" && Word != "-S")
      Words.push_back(Word);
  }
  Words.back() = Made; // of -o
  if (Change.IsInstantiatedInHeader)
    Words.emplace_back("-fpch-instantiate-templates");
  INSTANTRACE_TRY_ASSIGN(
      Compiled Done,
      compile(Words, First.Command.WorkingDirectory, "precompiled header"));
  return Done;
}

/// What does not build is in \p Found. A unit that does not without the
/// suggestion either goes.
Result<void> TrialRun::runRound(const TrialChange &Change,
                                std::vector<Unit> &Units, bool IsFirst,
                                Round &Into, TrialResult &Found) {
  auto fail = [&Found](const Compiled &Done) {
    Found.Kind = TrialResult::Outcome::DoesNotBuild;
    Found.Reason = Done.FirstError;
  };
  auto without = [&](Unit &U) -> Result<bool> {
    INSTANTRACE_TRY_ASSIGN(Compiled Done,
                           compile(U.Command.Words, U.Command.WorkingDirectory,
                                   U.Command.Words[U.Command.InputIndex]));
    if (Done.End.ExitCode != 0) {
      Found.Reason = Done.FirstError;
      return false;
    }
    U.Warnings = Done.Warnings;
    U.BeforeNs += Done.End.CpuNs;
    Into.BeforeNs += Done.End.CpuNs;
    return true;
  };
  auto with = [&](Unit &U) -> Result<bool> {
    std::vector<std::string> Words = U.Command.Words;
    Words.insert(Words.end(), Added.begin(), Added.end());
    INSTANTRACE_TRY_ASSIGN(Compiled Done,
                           compile(Words, U.Command.WorkingDirectory,
                                   Words[U.Command.InputIndex]));
    if (Done.End.ExitCode != 0) {
      fail(Done);
      return false;
    }
    U.NewWarnings = Done.Warnings - std::min(Done.Warnings, U.Warnings);
    U.AfterNs += Done.End.CpuNs;
    Into.AfterNs += Done.End.CpuNs;
    return true;
  };
  for (size_t I = 0; IsFirst && I < Units.size();) {
    INSTANTRACE_TRY_ASSIGN(bool Compiles, without(Units[I]));
    if (Compiles)
      ++I;
    else
      Units.erase(Units.begin() + static_cast<std::ptrdiff_t>(I));
  }
  if (Units.empty())
    return {};
  if (!Change.Precompiled.empty()) {
    INSTANTRACE_TRY_ASSIGN(Compiled Made, precompile(Change, Units.front()));
    if (Made.End.ExitCode != 0) {
      fail(Made);
      return {};
    }
    Into.MakingNs = Made.End.CpuNs;
  }
  for (Unit &U : Units) {
    INSTANTRACE_TRY_ASSIGN(bool Compiles, with(U));
    if (Compiles && !IsFirst) {
      INSTANTRACE_TRY_ASSIGN(Compiles, without(U));
    }
    if (!Compiles)
      return {};
  }
  return {};
}

Result<std::vector<LinkCommand>>
TrialRun::linkCommands(const std::string &Folder,
                       const std::set<std::string> &Objects) {
  std::error_code Failed;
  std::string Text;
  if (fs::is_regular_file(Folder + "/build.ninja", Failed)) {
    const std::string Ninja = findProgram("ninja", Folder);
    if (Ninja.empty())
      return Error{"ninja is not there"};
    INSTANTRACE_TRY_ASSIGN(Compiled Done,
                           compile({Ninja, "-t", "compdb", "-x"}, Folder,
                                   "ninja -t compdb", ListLimits));
    if (Done.End.ExitCode != 0)
      return Error{Done.FirstError};
    std::ifstream Printed(Scratch.path() + "/messages");
    for (std::string Line; std::getline(Printed, Line);)
      if (!Text.empty() || Line == "[") // behind warnings
        Text += Line + "\n";
    return readLinkCommands(Text, Folder, Objects);
  }
  std::set<std::string> Files;
  for (const std::string &Object : Objects)
    if (const size_t End = Object.find(".dir/"); End != Object.npos)
      if (std::string Path = Object.substr(0, End) + ".dir/link.txt";
          fs::is_regular_file(Path, Failed))
        Files.insert(std::move(Path));
  if (Files.empty())
    return Error{"no build.ninja or link.txt there"};
  for (const std::string &Path : Files) {
    INSTANTRACE_TRY_ASSIGN(std::string Each,
                           json::readText(Path, "commands of CMake"));
    Text += Each;
  }
  return readLinkCommands(Text, Folder, Objects);
}

Result<TrialRun::Compiled>
TrialRun::buildProgram(const LinkCommand &Link,
                       const std::map<std::string, size_t> &ByObject,
                       bool IsTried) {
  std::map<std::string, std::string> Replaced;
  for (const auto &[Index, Object] : Link.Objects) {
    const std::string Made =
        Scratch.path() + "/linked-" + std::to_string(Index) + ".o";
    INSTANTRACE_TRY_ASSIGN(
        ScratchCommand Command,
        scratchCommand(Compiles[ByObject.at(Object)].Session, Made));
    std::vector<std::string> Words = std::move(Command.Words);
    Words.back() = Made; // of -o
    if (IsTried)
      Words.insert(Words.end(), Added.begin(), Added.end());
    INSTANTRACE_TRY_ASSIGN(
        Compiled Done,
        compile(Words, Command.WorkingDirectory, Words[Command.InputIndex]));
    if (Done.End.ExitCode != 0)
      return Done;
    Replaced[Object] = Made;
  }
  const std::string Program = Scratch.path() + "/out/linked";
  INSTANTRACE_TRY_ASSIGN(std::vector<std::string> Words,
                         scratchLink(Link, Program, Replaced));
  return compile(Words, Link.WorkingDirectory, "link", LinkLimits);
}

/// What does not link is in \p Found, which paid.
Result<void> TrialRun::link(const TrialChange &Change, TrialResult &Found) {
  std::set<std::string> Edited;
  auto absolute = [](const TraceSession &In, const std::string &Path) {
    return (fs::path(In.WorkingDirectory) / Path).lexically_normal().string();
  };
  for (const SourceEdit &Edit : Change.Edits)
    Edited.insert(
        absolute(Compiles[Change.Compiles.front()].Session, Edit.Path));
  std::map<std::string, size_t> ByObject;
  std::map<std::string, std::set<std::string>> ByFolder;
  const std::set<size_t> Changed(Change.Compiles.begin(),
                                 Change.Compiles.end());
  for (size_t I = 0; I != Compiles.size(); ++I) {
    const TraceSession &In = Compiles[I].Session;
    if (In.Object.empty() || !In.WorkingDirectory.starts_with('/') ||
        (!Changed.contains(I) && !Edited.contains(absolute(In, In.Input))))
      continue;
    const std::string Object = absolute(In, In.Object);
    ByObject[Object] = I;
    ByFolder[In.WorkingDirectory].insert(Object);
  }
  std::string Why;
  auto miss = [&](const std::string &Reason) {
    if (Why.empty())
      Why = Reason;
    // ^C and a full disk are no reasons.
    return Process.interruptedBy() == 0 && !isFull(Scratch.path())
               ? Result<void>()
               : Result<void>(Error{Reason});
  };
  std::vector<LinkCommand> Links;
  for (const auto &[Folder, Objects] : ByFolder) {
    Result<std::vector<LinkCommand>> Read = linkCommands(Folder, Objects);
    if (Read)
      std::move(Read->begin(), Read->end(), std::back_inserter(Links));
    else
      INSTANTRACE_TRY(miss(Read.error().Message));
  }
  size_t Linked = 0, Units = 0;
  for (const LinkCommand &Link : Links) {
    // First without anything compiled: most that cannot be run ends here.
    if (Result<std::vector<std::string>> Words = scratchLink(Link, "a.out", {});
        !Words) {
      INSTANTRACE_TRY(miss(Words.error().Message));
      continue;
    }
    Units += Link.Objects.size();
    if (Linked == MostLinks || Units > MostLinkUnits) {
      INSTANTRACE_TRY(miss("no more than " + std::to_string(MostLinks) +
                           " links of " + std::to_string(MostLinkUnits) +
                           " units are tried"));
      break;
    }
    Result<Compiled> With = buildProgram(Link, ByObject, /*IsTried=*/true);
    if (!With) {
      INSTANTRACE_TRY(miss(With.error().Message));
      continue;
    }
    if (With->End.ExitCode == 0) {
      ++Linked;
      continue;
    }
    Result<Compiled> Without = buildProgram(Link, ByObject, /*IsTried=*/false);
    if (!Without || Without->End.ExitCode != 0) {
      INSTANTRACE_TRY(miss(Without ? "nor is it without the suggestion: " +
                                         Without->FirstError
                                   : Without.error().Message));
      continue;
    }
    Found.Kind = TrialResult::Outcome::DoesNotBuild;
    Found.Reason = With->FirstError;
    Found.Linking = DoesNotLink;
    return {};
  }
  if (Links.empty() && Why.empty())
    Why = "no command of the build has its objects";
  Found.Linking = Linked == 0 ? "not linked: " + Why : "links";
  if (Linked != 0 && Linked != Links.size())
    Found.Linking += " " + std::to_string(Linked) + " of " +
                     std::to_string(Links.size()) + " (" + Why + ")";
  return {};
}

Result<TrialResult> TrialRun::run(const Suggestion &S) {
  const TrialChange &Change = S.Change;
  if (const std::string_view Why = whyNotTried(S.Kind); !Why.empty())
    return notTried(std::string(Why));
  if (Change.isEmpty() || Change.Compiles.empty())
    return notTried("its change cannot be made mechanically");
  std::vector<size_t> Numbers = Change.Compiles;
  std::stable_sort(Numbers.begin(), Numbers.end(), [&](size_t A, size_t B) {
    return Compiles[A].Ns > Compiles[B].Ns;
  });
  uint64_t AllNs = 0;
  for (size_t Number : Numbers)
    AllNs += Compiles[Number].Ns;
  TrialResult Found;
  Found.AllUnits = Numbers.size();
  std::string WhyFewer;
  std::vector<Unit> Units = sample(Numbers, WhyFewer);
  if (Units.empty())
    return notTried(WhyFewer);
  std::error_code Failed;
  for (const auto &Left : fs::directory_iterator(Scratch.path(), Failed))
    fs::remove_all(Left.path(), Failed); // of the suggestion before
  Added.clear();
  if (!Change.Edits.empty())
    if (Result<void> Applied = applyEdits(Change, Added); !Applied)
      return isFull(Scratch.path()) ? Result<TrialResult>(Applied.error())
                                    : notTried(Applied.error().Message);
  if (!Change.Precompiled.empty())
    Added.insert(Added.end(),
                 {"-include-pch", Scratch.path() + "/precompiled.h.pch"});
  std::vector<Round> Done;
  while (Done.size() != Rounds) {
    const bool IsFirst = Done.empty();
    INSTANTRACE_TRY(
        runRound(Change, Units, IsFirst, Done.emplace_back(), Found));
    if (Units.empty())
      return notTried("its units do not compile as they were recorded: " +
                      Found.Reason);
    Found.Units = Units.size();
    if (Found.Kind == TrialResult::Outcome::DoesNotBuild)
      return Found;
  }
  Found.Reason.clear();
  Found.Rounds = Rounds;
  std::vector<double> BeforeNs, SavedNs;
  double TriedNs = 0; // as recorded
  for (const Unit &U : Units) {
    TriedNs += double(U.RecordedNs);
    BeforeNs.push_back(double(U.BeforeNs) / Rounds);
    SavedNs.push_back((double(U.BeforeNs) - double(U.AfterNs)) / Rounds);
    Found.NewWarnings += U.NewWarnings;
  }
  std::vector<double> OfRounds;
  for (const Round &R : Done) {
    Found.BeforeNs += R.BeforeNs / Rounds;
    Found.AfterNs += R.AfterNs / Rounds;
    Found.MakingNs += R.MakingNs / Rounds;
    const double Before = double(std::max<uint64_t>(R.BeforeNs, 1));
    OfRounds.push_back(double(AllNs) * (1 - double(R.AfterNs) / Before) -
                       TriedNs * double(R.MakingNs) / Before);
  }
  const auto [Least, Most] =
      std::minmax_element(OfRounds.begin(), OfRounds.end());
  const double Sampling = samplingNs(BeforeNs, SavedNs, Numbers.size()) *
                          double(AllNs) / std::max(sum(BeforeNs), 1.0);
  Found.SavedNs = std::llround(sum(OfRounds) / Rounds);
  Found.MarginNs = static_cast<uint64_t>(
      std::llround(std::hypot((*Most - *Least) / 2, Sampling)));
  Found.Kind = Found.SavedNs > static_cast<int64_t>(Found.MarginNs)
                   ? TrialResult::Outcome::Paid
                   : TrialResult::Outcome::DidNotPay;
  if (Found.Kind == TrialResult::Outcome::Paid) {
    INSTANTRACE_TRY(link(Change, Found));
  }
  return Found;
}
