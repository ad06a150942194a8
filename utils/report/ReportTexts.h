/// \file
/// The texts of a report, each once.
///
/// Flow: FlameTree, ReportTables -> [ReportTexts] -> ReportJson
#pragma once

#include "utils/analysis/costs/OtherWork.h"
#include "utils/analysis/names/RowName.h"
#include "utils/render/CleanText.h"

#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace instantrace {

class ReportTexts {
public:
  /// The number of a text; 0 is the empty one. \p Clean is that (CleanText.h).
  uint32_t index(std::string_view Clean) {
    auto Known = Numbers.find(Clean);
    if (Known != Numbers.end())
      return Known->second;
    auto Number = static_cast<uint32_t>(Texts.size());
    Numbers.emplace(Texts.emplace_back(Clean), Number);
    return Number;
  }
  /// Of a row. A name that is longer ends in a hash, as boundedName() does it,
  /// so that a specialization has one text here and in the flame graph.
  uint32_t index(const Trace &T, const RowName &Name, const NameKey &Key,
                 const NameStyle &Style, size_t LimitBytes) {
    std::string Text = Name.Fixed.empty() ? std::string(Name.Text.text())
                                          : otherWorkName(Name.Fixed);
    bool IsWhole = true;
    if (Text.empty())
      IsWhole = Name.names(T).expandPrefix(Name.Name, Style, Text, LimitBytes);
    else if (Text.size() > LimitBytes && Name.Fixed.empty()) {
      // The end of a path says more than its begin.
      Text = "…" + Text.substr(Text.size() - LimitBytes);
      IsWhole = false;
    }
    Text = cleanText(Text + Name.lineSuffix());
    if (!IsWhole)
      Text += fmt::format("#{:016x}", Key.Hash);
    return index(Text);
  }

  const std::deque<std::string> &all() const { return Texts; }

private:
  std::deque<std::string> Texts = {{}}; // a deque: views of them stay valid
  std::unordered_map<std::string_view, uint32_t> Numbers = {{{}, 0}};
};

} // namespace instantrace
