/// \file
/// An answer for people, as JSON, or as CSV.
///
/// Flow: Answer -> [AnswerText] -> stdout
#pragma once

#include "utils/render/Output.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"
#include "utils/store/Answer.h"

#include <string>

namespace instantrace {

/// A cell of that column as people read it: "1.23 s", "2026-11-24 12:00".
std::string cellText(const std::string &Column, const AnswerCell &Cell);
/// What heads that column: without the unit that its cells have.
std::string columnTitle(const std::string &Column);
/// What of the answer is not in its rows, a line each.
std::vector<std::string> answerNotes(const Answer &A);

void writeAnswer(Output &Out, const Answer &A, const Terminal &Term);
/// In CSV the rows alone; those of a series with the steps in them.
void writeAnswerRecords(Output &Out, const Answer &A, RecordFormat Format);

/// The same of a table by itself, which `store list` shows.
void writeAnswerTable(Output &Out, const AnswerTable &Table,
                      const Terminal &Term);
void writeAnswerRows(Output &Out, const AnswerTable &Table,
                     RecordFormat Format);

} // namespace instantrace
