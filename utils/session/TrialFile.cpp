#include "utils/session/TrialFile.h"

#include "runtime/base/Hash.h"
#include "utils/render/JsonText.h"
#include "utils/session/SessionFolder.h"
#include "utils/session/SessionJson.h"

#include <array>
#include <filesystem>

using namespace instantrace;
using namespace instantrace::json;

namespace {

using Outcome = TrialResult::Outcome;
constexpr std::array Outcomes = {Outcome::DoesNotBuild, Outcome::DidNotPay,
                                 Outcome::Paid};
/// A hundred years: sums of what a file says fit.
constexpr uint64_t MostNs = 3'000'000'000'000'000'000;

std::string trialFile(const std::string &Folder) {
  return Folder + "/trials.json";
}

/// All that is counted, by the same names as in the answers of `advise`.
template <class Result, class Function>
void forEachNumber(Result &R, const Function &Do) {
  Do("tried_units", R.Units);
  Do("tried_all_units", R.AllUnits);
  Do("tried_rounds", R.Rounds);
  Do("tried_before_ns", R.BeforeNs);
  Do("tried_after_ns", R.AfterNs);
  Do("tried_making_ns", R.MakingNs);
  Do("tried_margin_ns", R.MarginNs);
  Do("tried_new_warnings", R.NewWarnings);
}

bool readTrial(const Json &Object, PastTrial &Into) {
  std::string Word;
  uint64_t GainNs = 0, LossNs = 0, Largest = 0;
  read(Object, "recording", Into.Recording);
  read(Object, "kind", Into.Kind);
  read(Object, "name", Into.Subject);
  read(Object, "change", Into.Change);
  read(Object, "tried", Word);
  read(Object, "tried_reason", Into.Result.Reason);
  read(Object, "tried_link", Into.Result.Linking);
  read(Object, "estimate_ns", Into.EstimateNs);
  read(Object, "tried_saving_ns", GainNs);
  read(Object, "tried_loss_ns", LossNs);
  forEachNumber(Into.Result, [&](const char *Name, uint64_t &Number) {
    read(Object, Name, Number);
    Largest = std::max(Largest, Number);
  });
  if (std::max({Largest, GainNs, LossNs, Into.EstimateNs}) > MostNs)
    return false;
  Into.Result.SavedNs =
      static_cast<int64_t>(GainNs) - static_cast<int64_t>(LossNs);
  for (Outcome Kind : Outcomes)
    if (trialWord(Kind) == Word)
      Into.Result.Kind = Kind;
  return Into.Result.Kind != Outcome::NotTried && !Into.Recording.empty();
}

} // namespace

Result<TrialHistory> instantrace::readTrials(const std::string &Folder,
                                             const RecordedSession &Session) {
  TrialHistory History;
  History.Recording = std::to_string(
      hashBytes(Session.Host + "\n" + std::to_string(Session.Pid) + "\n" +
                std::to_string(Session.BeginRealtimeNs)));
  const std::string Path = trialFile(Folder);
  std::error_code None;
  if (std::filesystem::symlink_status(Path, None).type() ==
      std::filesystem::file_type::not_found)
    return History;
  constexpr std::string_view Writer = "instantrace advise --try writes";
  INSTANTRACE_TRY_ASSIGN(std::string Text,
                         readText(Path, "what " + std::string(Writer)));
  INSTANTRACE_TRY_ASSIGN(Json Whole,
                         parse(Text, Path, "instantrace trials", Writer));
  for (const Json &Each : member(Whole, "trials", JsonType::array)) {
    PastTrial Trial;
    if (!Each.is_object() || !readTrial(Each, Trial) ||
        History.Trials.size() == TrialHistory::MostTrials)
      return makeError(Path, "trial " + std::to_string(History.Trials.size()),
                       "what " + std::string(Writer));
    History.Trials.push_back(std::move(Trial));
  }
  return History;
}

Result<void> instantrace::writeTrials(const std::string &Folder,
                                      const TrialHistory &History) {
  std::string Out;
  {
    JsonObject Whole(Out);
    Whole.text("format", "instantrace trials");
    Whole.number("version", 1);
    Whole.objects("trials", History.Trials,
                  [](JsonObject &Object, const PastTrial &Trial) {
                    const TrialResult &R = Trial.Result;
                    Object.text("recording", Trial.Recording);
                    Object.text("kind", Trial.Kind);
                    Object.text("name", Trial.Subject);
                    Object.text("change", Trial.Change);
                    Object.number("estimate_ns", Trial.EstimateNs);
                    Object.text("tried", trialWord(R.Kind));
                    Object.text("tried_reason", R.Reason);
                    Object.text("tried_link", R.Linking);
                    Object.number("tried_saving_ns",
                                  R.SavedNs < 0 ? 0 : uint64_t(R.SavedNs));
                    Object.number("tried_loss_ns",
                                  R.SavedNs < 0 ? uint64_t(-R.SavedNs) : 0);
                    forEachNumber(R, [&](const char *Name, uint64_t Number) {
                      Object.number(Name, Number);
                    });
                  });
  }
  return writeFile(trialFile(Folder), Out + "\n");
}
