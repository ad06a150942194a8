#include "utils/analysis/costs/Budget.h"

#include "utils/analysis/names/NameLimit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

using namespace instantrace;

namespace {

/// That bounds may be about.
constexpr CostOrder BoundColumns[] = {
    CostOrder::Count,    CostOrder::Memoized, CostOrder::Ast,
    CostOrder::Self,     CostOrder::Frontend, CostOrder::Optimize,
    CostOrder::Generate, CostOrder::Bytes,    CostOrder::Functions};

constexpr std::string_view TimeWord = "time", MemoryWord = "memory";

struct Unit {
  std::string_view Text;
  double Factor;
};
constexpr Unit TimeUnits[] = {
    {"ns", 1}, {"us", 1e3}, {"\xC2\xB5s", 1e3}, {"ms", 1e6}, {"s", 1e9}};
constexpr Unit ByteUnits[] = {{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}};

std::string_view trimmed(std::string_view Text) {
  constexpr std::string_view Spaces = " \t\r";
  size_t Begin = Text.find_first_not_of(Spaces);
  if (Begin == Text.npos)
    return {};
  return Text.substr(Begin, Text.find_last_not_of(Spaces) + 1 - Begin);
}

Error wrong(std::string_view Found, const std::string &Expected) {
  return makeError(
      {}, Found.empty() ? "nothing" : "'" + std::string(Found) + "'", Expected);
}

/// "5%", "1.5 s", "+100".
Result<void> readLimit(std::string_view Text, Bound &Into) {
  std::string_view Rest = trimmed(Text);
  if (!Rest.empty() && Rest.front() == '+') {
    Into.IsGrowth = true;
    Rest = trimmed(Rest.substr(1));
  }
  auto [End, Failed] = std::from_chars(Rest.data(), Rest.data() + Rest.size(),
                                       Into.Limit, std::chars_format::fixed);
  // It reads `nan` and `inf` too, which would make a bound that nothing
  // exceeds.
  if (Failed != std::errc() || !std::isfinite(Into.Limit) || Into.Limit < 0)
    return wrong(Rest, "a number such as 1200, +100 or +5%");
  std::string_view After =
      trimmed(Rest.substr(static_cast<size_t>(End - Rest.data())));
  if (After == "%") {
    Into.IsPercent = true;
    if (!Into.IsGrowth)
      return wrong(trimmed(Text),
                   "+" + std::string(Rest) +
                       ", since a percentage is of an old build");
    return {};
  }
  // What is measured has 64 bits; what is above them is a slip of the hand.
  auto Scale = [&](const Unit &Item) -> Result<void> {
    Into.Limit *= Item.Factor;
    if (Into.Limit >= 0x1p64)
      return wrong(trimmed(Text), "a smaller number");
    return {};
  };
  if (Into.unit() == CostUnit::Time) {
    for (const Unit &U : TimeUnits)
      if (After == U.Text)
        return Scale(U);
    return wrong(After, "a unit: ns, us, ms or s");
  }
  if (Into.unit() == CostUnit::Bytes && !After.empty()) {
    for (const Unit &U : ByteUnits)
      if (After == U.Text)
        return Scale(U);
    return wrong(After, "a unit: B, kB, MB or GB");
  }
  if (!After.empty())
    return wrong(After, "nothing after the number");
  return Scale({"", 1});
}

/// All templates that a bound is about, as one row.
CostRow sumOf(const Bound &B, const BuildCosts &Build, bool &MatchesNothing) {
  MatchesNothing = B.Pattern.has_value();
  size_t MatchedBytes =
      B.Pattern ? affordableNameBytes(Build.T, MatchedNames) : 0;
  return sumOfNamedRows(Build.ByTemplate, [&](const CostRow &Row) {
    bool IsMeant =
        !B.Pattern ||
        B.Pattern->matches(Row.Name.text(
            Build.T, NameStyle{.DefaultArguments = true}, MatchedBytes));
    MatchesNothing = MatchesNothing && !IsMeant;
    return IsMeant;
  });
}

double measure(const Bound &B, const BuildCosts &Build, bool &MatchesNothing) {
  if (B.Metric == BoundMetric::Time)
    return static_cast<double>(Build.ByTemplate.TotalNs -
                               Build.ByTemplate.ProfilingNs);
  if (B.Metric == BoundMetric::Memory)
    return static_cast<double>(Build.ByTemplate.PeakRssBytes);
  return static_cast<double>(
      valueOf(sumOf(B, Build, MatchesNothing), B.Column));
}

} // namespace

std::string_view Bound::metricWord() const {
  return Metric == BoundMetric::Time     ? TimeWord
         : Metric == BoundMetric::Memory ? MemoryWord
                                         : costColumn(Column)->Word;
}

CostUnit Bound::unit() const {
  return Metric == BoundMetric::Time     ? CostUnit::Time
         : Metric == BoundMetric::Memory ? CostUnit::Bytes
                                         : costColumn(Column)->Unit;
}

Result<Bound> instantrace::parseBound(std::string_view Text) {
  Bound B;
  std::string_view Rest = trimmed(Text);
  B.Text = Rest;
  size_t NameEnd = Rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  std::string_view Name = Rest.substr(0, std::min(NameEnd, Rest.size()));
  const auto *Column = std::find_if(
      std::begin(BoundColumns), std::end(BoundColumns),
      [Name](CostOrder Order) { return Name == costColumn(Order)->Word; });
  if (Column != std::end(BoundColumns))
    B.Column = *Column;
  else if (Name == TimeWord || Name == MemoryWord)
    B.Metric = Name == TimeWord ? BoundMetric::Time : BoundMetric::Memory;
  else
    return wrong(
        Name.empty() ? Rest : Name,
        "count, memoized, ast, self, time, frontend, optimize, generate, "
        "bytes, functions or memory");
  Rest = trimmed(Rest.substr(Name.size()));
  // Patterns have parentheses and comparisons of their own, limits have none:
  // the last parenthesis closes.
  if (!Rest.empty() && Rest.front() == '(') {
    size_t Close = Rest.rfind(')');
    if (Close == Rest.npos)
      return wrong(Rest, "a ')' after the pattern");
    if (B.Metric == BoundMetric::Time)
      return wrong(Rest.substr(0, Close + 1),
                   "a comparison: time is of the whole compile; self is of "
                   "templates");
    if (B.Metric == BoundMetric::Memory)
      return wrong(Rest.substr(0, Close + 1),
                   "a comparison: memory is of whole compiles; ast is of "
                   "templates");
    INSTANTRACE_TRY_ASSIGN(
        B.Pattern, NamePattern::make(std::string(Rest.substr(1, Close - 1))));
    Rest = trimmed(Rest.substr(Close + 1));
  }
  if (Rest.empty() || (Rest.front() != '<' && Rest.front() != '>'))
    return wrong(Rest, "a comparison: <, <=, > or >=");
  B.IsLess = Rest.front() == '<';
  B.OrEqual = Rest.size() > 1 && Rest[1] == '=';
  INSTANTRACE_TRY(readLimit(Rest.substr(B.OrEqual ? 2 : 1), B));
  return B;
}

Result<std::vector<Bound>> instantrace::parseBudget(std::string_view Text,
                                                    const std::string &Name) {
  std::vector<Bound> Bounds;
  for (size_t LineNo = 1; !Text.empty(); ++LineNo) {
    size_t End = Text.find('\n');
    std::string_view Line = trimmed(Text.substr(0, End));
    Text.remove_prefix(End == Text.npos ? Text.size() : End + 1);
    if (Line.empty() || Line.front() == '#')
      continue;
    auto placed = [&](const std::string &What) {
      return Error{Name + ":" + std::to_string(LineNo) + ": " + What};
    };
    Result<Bound> B = parseBound(Line);
    if (!B)
      return placed(B.error().Message);
    if (B->IsGrowth)
      return placed("found a growth, '" + B->Text +
                    "', expected a limit for one build; growth is for diff "
                    "--fail-on");
    Bounds.push_back(std::move(*B));
  }
  return Bounds;
}

Result<void> instantrace::checkable(const Bound &B, const BuildCosts &Build) {
  // What the frontend took is known of each trace.
  if (B.Metric == BoundMetric::Column && B.Column != CostOrder::Frontend &&
      costColumn(B.Column)->IsBackend && !Build.ByTemplate.HasBackend)
    return makeError({}, "no trace of what LLVM did",
                     "one, as the bound '" + B.Text + "' is about it");
  if (B.Metric == BoundMetric::Memory && Build.ByTemplate.PeakRssBytes == 0)
    return makeError({}, "no trace with the peak memory of its compile",
                     "one, as the bound '" + B.Text + "' is about it");
  return {};
}

BoundCheck instantrace::check(const Bound &B, const BuildCosts &New,
                              const BuildCosts *Old) {
  BoundCheck C;
  C.Value = measure(B, New, C.MatchesNothing);
  if (B.IsGrowth) {
    bool MatchedNothing = false;
    double Before = measure(B, *Old, MatchedNothing);
    C.MatchesNothing = C.MatchesNothing && MatchedNothing;
    C.Value -= Before;
    if (B.IsPercent && C.Value != 0)
      C.Value = Before == 0 ? std::numeric_limits<double>::infinity()
                            : 100 * C.Value / Before;
  }
  C.IsTrue = (B.IsLess ? C.Value < B.Limit : C.Value > B.Limit) ||
             (B.OrEqual && C.Value == B.Limit);
  return C;
}
