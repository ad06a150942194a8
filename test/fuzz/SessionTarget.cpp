#include "test/fuzz/FuzzTargets.h"
#include "test/fuzz/ScratchFolder.h"
#include "utils/open/InputObserver.h"
#include "utils/session/SessionFolder.h"
#include "utils/session/SessionGaps.h"
#include "utils/session/SessionMerging.h"
#include "utils/session/SessionParsing.h"

#include <filesystem>
#include <fstream>

namespace instantrace::fuzz {

namespace {

namespace fs = std::filesystem;

/// What was made of a session is one, with the same units, but that one without
/// a name gets one, and problems.
void checkMade(const std::string &Folder, const RecordedSession &Session) {
  Result<RecordedSession> Made = readSession(Folder);
  require(bool(Made));
  require(Made->Traces.size() >= Session.Traces.size());
  require(Made->Problems == Session.Problems);
  require(Made->State != "running");
}

} // namespace

void fuzzSession(const uint8_t *Data, size_t SizeBytes) {
  static const ScratchFolder Where;
  static const std::string In = Where.path("in"), Out = Where.path("out");
  std::error_code None;
  fs::create_directory(In, None);
  std::string Text(reinterpret_cast<const char *>(Data), SizeBytes);
  Result<RecordedSession> Read = parseSession(Text, "fuzzed");
  if (!Read) {
    require(Read.error().Message.starts_with("fuzzed: found "));
    require(Read.error().Message.find(", expected ") != std::string::npos);
    return;
  }
  require(isSessionShaped(Text));
  // None of it comes from nowhere.
  size_t Kept = 0;
  for (const auto *List : {&Read->Command, &Read->Traces, &Read->Problems})
    for (const std::string &Word : *List)
      Kept += Word.size() + 2;
  require(Kept <= SizeBytes);
  require(sessionGaps(*Read, In).Text.size() < 4096);

  std::ofstream(In + "/session.json", std::ios::binary) << Text;
  std::vector<std::string> Warnings;
  MessageList Seen(Warnings);
  if (mergeSessions({In}, Out, Seen))
    checkMade(Out, *Read);
  else
    require(!fs::exists(Out, None));
  fs::remove_all(Out, None);
  Result<SplitSession> Split = SplitSession::of(In);
  if (!Split)
    return;
  fs::create_directory(Out, None);
  if (Split->write(Out))
    checkMade(Out, *Read);
  fs::remove_all(Out, None);
}

std::vector<std::string> sessionSeeds() {
  SessionFacts Facts;
  Facts.Command = {"ninja", "-j8"};
  Facts.WorkingDirectory = "/src";
  Facts.Revision = {"c0ffee", "main", "a <b>", "/src", true};
  Facts.Pid = 7;
  std::vector<std::string> Seeds = {sessionJson(Facts)};
  Facts.State = SessionFacts::StateKind::Ended;
  Facts.WallNs = 12;
  Facts.CompiledAgain = 1;
  Facts.Units = {{"a.itrace", "a.cpp", "22", 4, true},
                 {"b.itrace.zst", "b.cpp", "14", 5, false}};
  Facts.Foreign["GCC"] = {};
  Facts.Problems = {"a.itrace: cut"};
  Seeds.push_back(sessionJson(Facts));
  Facts.State = SessionFacts::StateKind::Interrupted;
  Facts.Signal = 2;
  Seeds.push_back(sessionJson(Facts));
  return Seeds;
}

} // namespace instantrace::fuzz
