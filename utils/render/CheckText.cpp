#include "utils/render/CheckText.h"

#include "utils/render/NameText.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <fmt/format.h>

using namespace instantrace;

namespace {

std::string_view missing(CheckFamily Family) {
  return Family == CheckFamily::Constraints
             ? "The trace does not say which constraints were satisfied."
             : "The trace does not say which candidates were viable, failed or "
               "chosen; `defined` counts specializations of the same "
               "template that were defined, whatever used them.";
}

} // namespace

std::vector<CheckColumn> instantrace::checkColumns(CheckFamily Family) {
  if (Family == CheckFamily::Constraints)
    return {
        {"checks",
         "checks",
         9,
         {EventKind::ConstraintsCheck,
          EventKind::NestedRequirementConstraintsCheck}},
        {"subst.",
         "substitutions",
         9,
         {EventKind::ConstraintSubstitution,
          EventKind::ParameterMappingSubstitution}},
        {"requir.",
         "requirements",
         9,
         {EventKind::RequirementInstantiation,
          EventKind::RequirementParameterInstantiation}},
        {"normal.", "normalizations", 9, {EventKind::ConstraintNormalization}}};
  return {{"explicit",
           "explicit",
           10,
           {EventKind::ExplicitTemplateArgumentSubstitution}},
          {"deduced",
           "deduced",
           10,
           {EventKind::DeducedTemplateArgumentSubstitution,
            EventKind::LambdaExpressionSubstitution}},
          {"default",
           "default_arguments",
           10,
           {EventKind::DefaultTemplateArgumentInstantiation,
            EventKind::DefaultFunctionArgumentInstantiation,
            EventKind::DefaultTemplateArgumentChecking}},
          {"prior",
           "prior",
           10,
           {EventKind::PriorTemplateArgumentSubstitution,
            EventKind::PartialOrderingTTP}}};
}

void instantrace::writeCheckText(Output &Out, const Trace &T,
                                 const CheckCosts &Costs, CheckFamily Family,
                                 size_t Wanted, const NameStyle &Style,
                                 const Terminal &Term) {
  TextStyles Styles(Term);
  bool IsConstraints = Family == CheckFamily::Constraints;
  Out.append(fmt::format(
      "{}{} of {} of {} ({} %) are {}{}\n\n", Styles.Bold,
      timeText(Costs.SelfNs), timeText(Costs.TotalNs), clockWords(T.Clock),
      percentText(Costs.SelfNs, Costs.TotalNs),
      IsConstraints ? "checks of constraints" : "tries of candidates",
      Styles.Plain));
  std::vector<CheckColumn> Counts = checkColumns(Family);
  std::vector<TextTable::Column> Columns = {{"inclusive", 10}, {"self", 10}};
  for (const CheckColumn &Column : Counts)
    Columns.push_back({Column.Title, Column.Width, /*IsOptional=*/true});
  if (!IsConstraints)
    Columns.push_back({"defined", 9});
  TextTable Table(Out, Term, std::move(Columns));
  Table.head(IsConstraints ? "concept or constrained template"
                           : "function template");
  size_t Shown = shownRows(Costs.Rows.size(), Wanted);
  const std::vector<std::string> Names = distinctNames(
      T, Costs.Rows, Shown, [](const CheckRow &Row) { return Row.Owner; },
      Style, Table.nameColumns());
  for (size_t I = 0; I != Shown; ++I) {
    const CheckRow &Row = Costs.Rows[I];
    std::vector<std::string> Cells = {timeText(Row.InclusiveNs),
                                      timeText(Row.SelfNs)};
    for (const CheckColumn &Column : Counts)
      Cells.push_back(groupedText(Row.count(Column.Kinds)));
    if (!IsConstraints)
      Cells.push_back(groupedText(Row.Definitions));
    Table.row(Cells, Names[I]);
  }
  appendRowCount(Out, Shown, Costs.Rows.size());
  if (Costs.FilteredNs != 0)
    Out.append(fmt::format("not selected by the filters: {}\n",
                           timeText(Costs.FilteredNs)));
  appendLines(Out, missing(Family), Term);
}

void instantrace::writeCheckRecords(Output &Out, RecordFormat Format,
                                    const Trace &T, const CheckCosts &Costs,
                                    CheckFamily Family, size_t Wanted,
                                    const NameStyle &Style) {
  RecordText Records(Out, Format);
  Records.wholeNumber("total_ns", Costs.TotalNs);
  Records.wholeNumber("self_ns", Costs.SelfNs);
  Records.wholeNumber("filtered_ns", Costs.FilteredNs);
  Records.wholeBoolean("outcome_recorded", false);
  Records.wholeNumber("row_count", Costs.Rows.size());
  for (size_t I = 0; I != shownRows(Costs.Rows.size(), Wanted); ++I) {
    const CheckRow &Row = Costs.Rows[I];
    Records.begin();
    Records.text("name", Row.Owner.text(T, Style, RecordNameBytes));
    Records.number("inclusive_ns", Row.InclusiveNs);
    Records.number("self_ns", Row.SelfNs);
    for (const CheckColumn &Column : checkColumns(Family))
      Records.number(Column.Field, Row.count(Column.Kinds));
    Records.number("ast_bytes", Row.AstBytes);
    if (Family == CheckFamily::Constraints)
      Records.number("concept", Row.IsConcept);
    else
      Records.number("defined", Row.Definitions);
    Records.end();
  }
  Records.finish();
}
