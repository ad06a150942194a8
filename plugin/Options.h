/// \file
/// What the user asked for: plugin arguments over environment over defaults.
///
/// Table:  plugin/Options.def has every option
/// Errors: an unknown key or value is one warning that says what is expected,
///         and changes nothing
#pragma once

#include "plugin/backend/PassHook.h"
#include "plugin/hooks/InstantiationHook.h"
#include "plugin/recorder/Clock.h"
#include "runtime/format/EventFilter.h"
#include "runtime/record/TraceBuffer.h"
#include "runtime/record/TraceWriter.h"

#include <string>
#include <vector>

namespace instantrace {

struct BufferPlace {
  bool IsPrivate = false;
  std::string Directory; ///< empty: beside the trace
};

struct Options {
#define OPTION_SWITCH(Member, Key, Variable, Meaning) bool Member = false;
#define OPTION_NUMBER(Member, Default, Key, Variable, Unit, Least, Most,       \
                      Meaning)                                                 \
  uint64_t Member = Default;
#define OPTION_TEXT(Member, Key, Variable, Shape, Expected, Meaning)           \
  std::string Member;
#define OPTION_CHOICE(Member, Type, Default, Key, Variable, Values, Meaning)   \
  Type Member = Type::Default;
#define OPTION_OTHER(Member, Type, Key, Variable, Shape, Meaning) Type Member;
#include "plugin/Options.def"

  /// Fewer are for the benchmark of hooks alone.
  NoticeMask Notices = AllNotices;
  /// Off for it, too, since the recorder's time stands still meanwhile.
  bool NamesEarly = true;

  Options() : Filter(EventFilter::defaults()) {}
  uint64_t granularityNs() const { return GranularityUs * 1000; }
  TraceBufferOptions bufferOptions() const;
};

/// \p Arguments are `key=value` as -fplugin-arg-instantrace-* delivers them.
/// Warns of what cannot be used.
Options readOptions(const std::vector<std::string> &Arguments);

/// The one way in which the plugin speaks: a line on stderr, never one of
/// Clang's diagnostics, which -Werror would turn into errors.
void printWarning(const std::string &Message);
/// `instantrace: MESSAGE`, for what is no warning.
void printLine(const std::string &Message);
/// The same for want of memory, and with none. \p Consequence: what becomes of
/// the profile, with \p Path behind it.
void warnOfNoMemory(const char *Consequence, const char *Path = "") noexcept;

} // namespace instantrace
