#include "utils/render/CostText.h"

#include "utils/render/JsonText.h"
#include "utils/render/NameText.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

/// The longest name in JSON.
constexpr size_t JsonNameBytes = 1 << 16;

constexpr std::string_view Bold = "\x1b[1m", Dim = "\x1b[2m", Plain = "\x1b[0m";

std::string scaled(double Value, double Step,
                   std::initializer_list<const char *> Units) {
  auto Unit = Units.begin();
  // 999.5 would show as 1000.
  while (Value >= Step * 0.9995 && Unit + 1 != Units.end()) {
    Value /= Step;
    ++Unit;
  }
  if (Unit == Units.begin())
    return fmt::format("{:.0f} {}", Value, *Unit);
  int Decimals = Value < 9.995 ? 2 : Value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", Value, Decimals, *Unit);
}

std::string percentText(uint64_t Part, uint64_t Whole) {
  if (Whole == 0)
    return "-";
  return fmt::format("{:.1f}", 100.0 * static_cast<double>(Part) /
                                   static_cast<double>(Whole));
}

size_t shownRows(const CostTable &Table, size_t Shown) {
  return Shown == 0 ? Table.Rows.size() : std::min(Shown, Table.Rows.size());
}

std::string headline(const Trace &T, const CostTable &Table) {
  std::string Inputs = T.Files.size() == 1
                           ? T.Files.front().Name
                           : fmt::format("{} traces", T.Files.size());
  std::string Printable;
  appendPrintable(Printable, Inputs);
  return fmt::format("{}: {} in {}{}", Printable, timeText(Table.TotalNs),
                     T.Sequences.size() == 1
                         ? "1 compile"
                         : fmt::format("{} compiles", T.Sequences.size()),
                     T.losses().empty() ? "" : ", incomplete");
}

void writeClosing(Output &Out, const CostTable &Table, size_t Shown) {
  uint64_t ShownNs = 0;
  for (size_t I = 0; I != Shown; ++I)
    ShownNs += Table.Rows[I].SelfNs;
  Out.append(fmt::format("{} of {} rows, {} % of the time{}\n",
                         groupedText(Shown), groupedText(Table.Rows.size()),
                         percentText(ShownNs, Table.TotalNs),
                         Shown < Table.Rows.size() ? "; -n 0 shows all" : ""));
  if (Table.ElidedCount)
    Out.append(fmt::format("{} leaves below the granularity are summed in "
                           "(elided): {}\n",
                           groupedText(Table.ElidedCount),
                           timeText(Table.ElidedNs)));
  if (Table.DroppedCount)
    Out.append(fmt::format("{} events were dropped while recording\n",
                           groupedText(Table.DroppedCount)));
}

} // namespace

std::string instantrace::timeText(uint64_t Ns) {
  return scaled(static_cast<double>(Ns), 1000, {"ns", "\xc2\xb5s", "ms", "s"});
}

std::string instantrace::sizeText(uint64_t Bytes) {
  return scaled(static_cast<double>(Bytes), 1000, {"B", "kB", "MB", "GB"});
}

std::string instantrace::groupedText(uint64_t Value) {
  std::string Digits = std::to_string(Value);
  std::string Text;
  for (size_t I = 0; I != Digits.size(); ++I) {
    if (I != 0 && (Digits.size() - I) % 3 == 0)
      Text.push_back(',');
    Text.push_back(Digits[I]);
  }
  return Text;
}

void instantrace::writeCostTable(Output &Out, const Trace &T,
                                 const CostTable &Table, size_t Wanted,
                                 std::string_view What, const NameStyle &Style,
                                 const Terminal &Term) {
  size_t Shown = shownRows(Table, Wanted);
  auto Styled = [&Term](std::string_view Style) {
    return Term.HasColours ? Style : std::string_view();
  };
  Out.append(fmt::format("{}{}{}\n\n", Styled(Bold), headline(T, Table),
                         Styled(Plain)));
  constexpr size_t BeforeName = 10 + 7 + 11 + 10 + 12 + 10 + 2;
  size_t NameColumns =
      std::max<size_t>(20, Term.Columns - std::min(Term.Columns, BeforeName));
  Out.append(fmt::format("{}{:>10}{:>7}{:>11}{:>10}{:>12}{:>10}  {}{}\n",
                         Styled(Bold), "self", "%", "inclusive", "count",
                         "memoized", "AST", What, Styled(Plain)));
  for (size_t I = 0; I != Shown; ++I) {
    const CostRow &Row = Table.Rows[I];
    bool IsTemplateWork = Row.Name.Fixed.empty();
    std::string Line = Row.Name.lineSuffix();
    std::string Name = IsTemplateWork
                           ? elidedName(Row.Name.names(T), Row.Name.Name, Style,
                                        NameColumns - Line.size()) +
                                 Line
                           : std::string(Row.Name.Fixed);
    Out.append(fmt::format(
        "{:>10}{:>7}{:>11}{:>10}{:>12}{:>10}  {}{}{}\n", timeText(Row.SelfNs),
        percentText(Row.SelfNs, Table.TotalNs), timeText(Row.InclusiveNs),
        groupedText(Row.Count), groupedText(Row.Memoized),
        sizeText(Row.AstBytes), IsTemplateWork ? "" : Styled(Dim), Name,
        IsTemplateWork ? "" : Styled(Plain)));
  }
  Out.append("\n");
  writeClosing(Out, Table, Shown);
}

void instantrace::writeCostJson(Output &Out, const Trace &T,
                                const CostTable &Table, size_t Wanted,
                                const NameStyle &Style) {
  std::string &Text = Out.buffer();
  {
    JsonObject Whole(Text);
    Whole.number("total_ns", Table.TotalNs);
    Whole.boolean("incomplete", !T.losses().empty());
    Whole.number("traces", T.Files.size());
    Whole.number("sequences", T.Sequences.size());
    Whole.number("row_count", Table.Rows.size());
    Whole.number("elided_count", Table.ElidedCount);
    Whole.number("elided_ns", Table.ElidedNs);
    Whole.number("dropped", Table.DroppedCount);
    Whole.name("rows");
    Text.push_back('[');
    for (size_t I = 0, Shown = shownRows(Table, Wanted); I != Shown; ++I) {
      Text.append(I ? ",\n" : "\n");
      const CostRow &Row = Table.Rows[I];
      {
        JsonObject Object(Text);
        Object.text("name", Row.Name.text(T, Style, JsonNameBytes));
        Object.text("kind", Row.Kind);
        Object.number("count", Row.Count);
        Object.number("definitions", Row.Definitions);
        Object.number("memoized", Row.Memoized);
        Object.number("self_ns", Row.SelfNs);
        Object.number("inclusive_ns", Row.InclusiveNs);
        Object.number("requested_ns", Row.RequestedNs);
        Object.number("ast_bytes", Row.AstBytes);
        Object.number("elided", Row.Elided);
      }
      Out.lineDone();
    }
    Text.append("]");
  }
  Out.append("\n");
}
