#include "utils/open/FileKind.h"
#include "utils/open/TraceInputs.h"
#include "utils/store/QuestionRun.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <iterator>

using namespace instantrace;

namespace {

constexpr uint64_t SecondNs = 1'000'000'000;
constexpr const char *KindNames[] = {"template", "header", "library",
                                     "specialization"};
constexpr const char *MetricNames[] = {"count", "memoized", "self",  "time",
                                       "ast",   "bytes",    "memory"};

Error wrongValue(const std::string &Option, const std::string &Found,
                 const std::string &Expected) {
  return usageError(makeError(optionName(Option), "'" + Found + "'", Expected));
}

/// One number and the letter of a unit.
std::optional<uint64_t> parseAgo(const std::string &Text) {
  uint64_t Count = 0;
  auto [End, Failed] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Count);
  if (Failed != std::errc() || End + 1 != Text.data() + Text.size())
    return std::nullopt;
  uint64_t UnitS = *End == 'd' ? 86400 : *End == 'h' ? 3600 : 60;
  if (*End != 'd' && *End != 'h' && *End != 'm')
    return std::nullopt;
  if (Count > UINT64_MAX / (UnitS * SecondNs))
    return std::nullopt;
  return Count * UnitS * SecondNs;
}

} // namespace

std::string instantrace::optionName(const std::string &Option) {
  return Option == "rows" ? "-n" : "--" + Option;
}

Result<uint64_t> instantrace::parseMoment(const std::string &Text,
                                          uint64_t NowNs) {
  if (std::optional<uint64_t> Ago = parseAgo(Text))
    return NowNs - std::min(*Ago, NowNs);
  for (const char *Format : {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"})
    for (const char *Zone : {"", "Z"}) {
      std::tm Parts = {};
      std::string Whole = std::string(Format) + Zone;
      const char *End = ::strptime(Text.c_str(), Whole.c_str(), &Parts);
      if (!End || *End != '\0')
        continue;
      int Day = Parts.tm_mday; // of 31 February it would be another
      time_t Seconds = ::timegm(&Parts);
      if (Day == Parts.tm_mday && Seconds >= 0 &&
          static_cast<uint64_t>(Seconds) < INT64_MAX / SecondNs)
        return static_cast<uint64_t>(Seconds) * SecondNs;
    }
  return Error{
      "a date such as 2026-11-24 or 2026-11-24T12:00 (UTC), or so long "
      "ago: 7d, 12h, 30m"};
}

Result<void> QuestionRun::checkOptions() {
  std::vector<std::string> Taken;
  for (const std::string &Option : Asked.Takes)
    Taken.push_back(optionName(Option));
  for (const auto &[Name, Text] : Options)
    if (!Asked.takes(Name))
      return usageError(makeError("store ask " + Asked.Name, optionName(Name),
                                  "options of it: " + listOf(Taken)));
  for (const std::string &Name : Asked.Needs)
    if (!Options.contains(Name))
      return usageError(makeError("store ask " + Asked.Name,
                                  "no " + optionName(Name), "one"));
  auto given = [&](const char *Name) -> const std::string * {
    auto Found = Options.find(Name);
    return Found == Options.end() ? nullptr : &Found->second;
  };
  for (const char *Name : {"branch", "machine", "clang", "name"})
    if (const std::string *Text = given(Name))
      Values[Name] = *Text;
  Values["has_name"] = int64_t(given("name") != nullptr);
  Values.try_emplace("name", std::string());
  for (const char *Name : {"since", "until"})
    if (const std::string *Text = given(Name)) {
      Result<uint64_t> Ns = parseMoment(*Text, NowNs);
      if (!Ns)
        return wrongValue(Name, *Text, Ns.error().Message);
      Values[Name] = static_cast<int64_t>(*Ns);
    }
  std::string Key = given("by") ? *given("by") : "template";
  const auto *Kind = std::find(std::begin(KindNames), std::end(KindNames), Key);
  if (Kind == std::end(KindNames))
    return wrongValue("by", Key, listOf(KindNames));
  Values["by"] = static_cast<int64_t>(Kind - std::begin(KindNames) + 1);
  if (Asked.HasSteps && Key == KindNames[3])
    return wrongValue("by", Key,
                      "template, header or library, of which each compile has "
                      "its own");
  std::string Metric = given("metric") ? *given("metric") : "count";
  if (std::find(std::begin(MetricNames), std::end(MetricNames), Metric) ==
      std::end(MetricNames))
    return wrongValue("metric", Metric, listOf(MetricNames));
  if (Metric == "memory" && given("name"))
    return wrongValue("metric", Metric,
                      "a metric of one name; memory is of whole compiles");
  Values["metric"] = Metric;
  std::string Rows = given("rows") ? *given("rows") : "20";
  uint32_t Count = 0;
  auto [End, Failed] =
      std::from_chars(Rows.data(), Rows.data() + Rows.size(), Count);
  if (Failed != std::errc() || End != Rows.data() + Rows.size())
    return wrongValue("rows", Rows, "a number; 0 for all");
  Values["rows"] = Count == 0 ? int64_t(-1) : int64_t(Count);
  return {};
}

/// One bound, which has a comparison, or the file of some.
Result<void> QuestionRun::readBounds() {
  auto Found = Options.find("budget");
  if (Found == Options.end())
    return {};
  const std::string &Given = Found->second;
  HasBudgetFile = Given.find_first_of("<>") == Given.npos;
  if (HasBudgetFile) {
    Result<std::string> Text = readBytes(Given);
    if (!Text)
      return usageError(makeError("--budget",
                                  "'" + Given + "': " + Text.error().Message,
                                  "a bound such as 'count <= 1200', or a file "
                                  "of them"));
    if (std::string Kind = kindOfNoText(*Text); !Kind.empty())
      return makeError(Given, Kind, "a text of bounds, one per line");
    INSTANTRACE_TRY_ASSIGN(std::vector<Bound> Parsed,
                           parseBudget(*Text, Given));
    if (Parsed.empty())
      return makeError(Given, "no bound", "a line such as 'count <= 1200'");
    Bounds = std::move(Parsed);
  } else {
    INSTANTRACE_TRY_ASSIGN_AS(usageError, Bound Parsed, parseBound(Given));
    Bounds.push_back(std::move(Parsed));
  }
  for (const Bound &B : Bounds)
    if (B.metricWord() == "functions" || B.IsGrowth || B.IsPercent)
      return wrongValue("budget", B.Text,
                        "a bound on a build by itself, and not on functions, "
                        "which a store does not count");
  setBound(Bounds.front());
  return {};
}

void QuestionRun::setBound(const Bound &B) {
  Budget = &B;
  Values["metric"] = std::string(B.metricWord());
  Values["relation"] = B.relationText();
  Values["limit"] = B.Limit;
}
