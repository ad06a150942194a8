#include "utils/analysis/advice/TrialHistory.h"

#include "runtime/base/Hash.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

using namespace instantrace;

namespace {

/// Limits of what is stored; the compiler may say anything.
constexpr size_t SubjectBytes = 1 << 12, ReasonBytes = 1 << 12;
/// Above any saving; sums and roundings of it fit.
constexpr double MostNs = 1e18;

/// Another number of units is another target.
std::string changeHash(const Suggestion &S, const Trace &Names) {
  PieceHash Hash;
  auto add = [&Hash](std::string_view Text) {
    const uint64_t Size = Text.size();
    Hash.add(&Size, sizeof(Size)).add(Text.data(), Text.size());
  };
  add(adviceKindName(S.Kind));
  add(S.Subject.text(Names, {}, SubjectBytes));
  for (const SourceEdit &Edit : S.Change.Edits) {
    add(Edit.Path);
    add(std::to_string(Edit.LineNo));
    add(Edit.Lines);
  }
  for (const std::string &Header : S.Change.Precompiled)
    add(Header);
  add(std::to_string(S.Change.Compiles.size()));
  return std::to_string(Hash.value());
}

bool isTried(const Suggestion &S) {
  return S.Tried && S.Tried->Kind != TrialResult::Outcome::NotTried;
}

} // namespace

bool TrialHistory::add(const Suggestions &All, const Trace &Names) {
  bool IsMore = false;
  for (const Suggestion &S : All) {
    if (!isTried(S))
      continue;
    PastTrial Made{Recording,
                   std::string(adviceKindName(S.Kind)),
                   S.Subject.text(Names, {}, SubjectBytes),
                   changeHash(S, Names),
                   S.Saves.EstimateNs,
                   *S.Tried};
    Made.Result.Reason.resize(std::min(Made.Result.Reason.size(), ReasonBytes));
    std::erase_if(Trials, [&Made](const PastTrial &Before) {
      return Before.Recording == Made.Recording && Before.Change == Made.Change;
    });
    Trials.push_back(std::move(Made));
    IsMore = true;
  }
  if (Trials.size() > MostTrials)
    Trials.erase(Trials.begin(),
                 Trials.end() - static_cast<ptrdiff_t>(MostTrials));
  return IsMore;
}

void TrialHistory::apply(AdviceReport &Report, const Trace &Names) const {
  if (Trials.empty())
    return;
  Report.HasTrials = true;
  for (Suggestion &S : Report.Suggestions) {
    double EstimateNs = 0, SavedNs = 0;
    uint64_t Measured = 0;
    const std::string Change = changeHash(S, Names);
    for (const PastTrial &Past : Trials) {
      if (Past.Kind != adviceKindName(S.Kind))
        continue;
      if (!isTried(S) && Past.Recording == Recording && Past.Change == Change)
        S.Tried = Past.Result;
      if (!Past.Result.isMeasured() || Past.EstimateNs == 0)
        continue;
      EstimateNs += double(Past.EstimateNs);
      SavedNs += double(Past.Result.SavedNs);
      ++Measured;
    }
    if (Measured != 0 && !isTried(S))
      S.Corrected = {
          static_cast<uint64_t>(std::clamp(
              double(S.Saves.EstimateNs) * SavedNs / EstimateNs, 0.0, MostNs)),
          Measured};
  }
}
