/// \file
/// What a touch costs, for people and scripts.
///
/// Flow: TouchTable -> [TouchText] -> stdout
#pragma once

#include "utils/analysis/advice/TouchCosts.h"
#include "utils/render/RecordText.h"
#include "utils/render/Terminal.h"

#include <string>

namespace instantrace {

struct TouchTextStyle {
  size_t Wanted; ///< rows; 0: all
  TouchKey Key;
  EventClock Clock;
  std::string Since; ///< since when there is a history: a date
  double Weeks = 0;  ///< how long that is
};

void writeTouch(Output &Out, const TouchTable &Table,
                const TouchTextStyle &Style, const Terminal &Term);
void writeTouchRecords(Output &Out, RecordFormat Format,
                       const TouchTable &Table, const TouchTextStyle &Style);

} // namespace instantrace
