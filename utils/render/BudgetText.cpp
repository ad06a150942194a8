#include "utils/render/BudgetText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/CostText.h"
#include "utils/render/JsonText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace instantrace;

namespace {

std::string_view verdict(const JudgedBound &B) {
  return B.IsKept ? "kept" : "exceeded";
}

std::string foundText(const JudgedBound &B) {
  std::string Text = valueText(B.Limit, B.Check.Value);
  return B.Check.MatchesNothing ? Text + ", no template matches" : Text;
}

/// For scripts: in ns, bytes or as a count, or in percent.
std::string exactText(const JudgedBound &B) {
  if (std::isinf(B.Check.Value))
    return "inf";
  return B.Limit.IsPercent ? fmt::format("{}", B.Check.Value)
                           : fmt::format("{:.0f}", B.Check.Value);
}

void writeFields(auto &Into, const JudgedBound &B) {
  Into.text("bound", B.Limit.Text);
  Into.text("verdict", verdict(B));
  Into.text("found", foundText(B));
  Into.text("value", exactText(B));
}

} // namespace

std::string instantrace::valueText(const Bound &B, double Value) {
  if (std::isinf(Value))
    return "from nothing";
  std::string_view Sign = Value < 0 ? "-" : B.IsGrowth ? "+" : "";
  double Magnitude = std::abs(Value);
  if (B.IsPercent)
    return fmt::format("{}{:.1f} %", Sign, Magnitude);
  auto Whole = static_cast<uint64_t>(Magnitude);
  return std::string(Sign) + costNumberText(B.unit(), Whole);
}

std::string instantrace::markdownCode(std::string_view Text) {
  std::string Printable = printableText(Text), Out;
  // Longer than any row of backticks inside.
  size_t Longest = 0, Row = 0;
  for (char C : Printable) {
    Row = C == '`' ? Row + 1 : 0;
    Longest = std::max(Longest, Row);
  }
  std::string Fence(Longest + 1, '`');
  Out = Fence + (Longest ? " " : "");
  for (char C : Printable) {
    if (C == '|')
      Out.push_back('\\'); // a cell ends at a bar, in a code span as well
    Out.push_back(C);
  }
  return Out + (Longest ? " " : "") + Fence;
}

void instantrace::writeBounds(Output &Out,
                              const std::vector<JudgedBound> &Bounds,
                              const Terminal &Term) {
  TextStyles Styles(Term);
  for (const JudgedBound &B : Bounds) {
    Out.append(fmt::format(
        "{}{:8}{}  {}: found {}\n", B.IsKept ? Styles.Dim : Styles.Bold,
        verdict(B), Styles.Plain, printableText(B.Limit.Text), foundText(B)));
  }
}

void instantrace::writeBoundsMarkdown(Output &Out,
                                      const std::vector<JudgedBound> &Bounds) {
  Out.append("| bound | found | |\n|---|---:|---|\n");
  for (const JudgedBound &B : Bounds)
    Out.append(fmt::format("| {} | {} | {} |\n", markdownCode(B.Limit.Text),
                           foundText(B),
                           B.IsKept ? std::string(verdict(B))
                                    : fmt::format("**{}**", verdict(B))));
}

void instantrace::writeBoundRecords(Output &Out, RecordFormat Format,
                                    const std::vector<JudgedBound> &Bounds) {
  RecordText Records(Out, Format);
  Records.wholeBoolean("kept",
                       std::all_of(Bounds.begin(), Bounds.end(),
                                   [](const auto &B) { return B.IsKept; }));
  for (const JudgedBound &B : Bounds) {
    Records.begin();
    writeFields(Records, B);
    Records.end();
  }
  Records.finish();
}

std::string instantrace::boundsJson(const std::vector<JudgedBound> &Bounds) {
  std::string Text = "[";
  for (const JudgedBound &B : Bounds) {
    if (Text.size() != 1)
      Text.push_back(',');
    JsonObject Object(Text);
    writeFields(Object, B);
  }
  return Text + "]";
}
