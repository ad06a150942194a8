/// \file
/// What a row of an analysis is called, without its text.
///
/// Flow:   EntityGroups, RowIndex -> [RowName] -> NameText
/// Leaves: shortening, to NameText
#pragma once

#include "runtime/read/Trace.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace instantrace {

/// Rows whose names agree in so many bytes are ordered by their keys.
inline constexpr size_t ComparedNameBytes = 256;

/// No row, no node, no group.
inline constexpr uint32_t NoIndex = UINT32_MAX;

/// A text that rows share: a path, of which each line of the file is a row.
class SharedText {
public:
  SharedText() = default;
  SharedText(std::string Text)
      : Kept(Text.empty()
                 ? nullptr
                 : std::make_shared<const std::string>(std::move(Text))) {}

  SharedText(const char *Text) : SharedText(std::string(Text)) {}

  bool empty() const { return !Kept; }
  const std::string &text() const {
    static const std::string Empty;
    return Kept ? *Kept : Empty;
  }
  friend bool operator==(const SharedText &A, std::string_view B) {
    return A.text() == B;
  }

private:
  std::shared_ptr<const std::string> Kept;
};

/// One of four: fixed, such as "(parsing)", for what is no name; a text of its
/// own, such as a folder; a name in the dictionary of a sequence; a line of the
/// file that one of the latter two is.
struct RowName {
  std::string_view Fixed;
  uint32_t SequenceIndex = 0;
  NamePrefix Name;
  uint32_t LineNo = 0; // 0: no line
  SharedText Text;

  std::string text(const Trace &T, const NameStyle &Style,
                   size_t LimitBytes) const {
    std::string Out(Fixed);
    if (Out.empty())
      Out = Text.text().substr(0, LimitBytes);
    if (Out.empty())
      names(T).expandPrefix(Name, Style, Out, LimitBytes);
    return Out + lineSuffix();
  }
  /// What text() ends with: ":12", or nothing.
  std::string lineSuffix() const {
    return LineNo == 0 ? std::string() : ":" + std::to_string(LineNo);
  }
  /// Requires: the name is in a dictionary.
  const Dictionary &names(const Trace &T) const {
    return T.Sequences[SequenceIndex].Names;
  }

  static RowName fixed(std::string_view Name) { return {Name, 0, {}, 0, {}}; }
  static RowName fromText(SharedText Text) {
    return {{}, 0, {}, 0, std::move(Text)};
  }
  static RowName named(uint32_t SequenceIndex, const NamePrefix &Name,
                       uint32_t LineNo = 0) {
    return {{}, SequenceIndex, Name, LineNo, {}};
  }
};

} // namespace instantrace
