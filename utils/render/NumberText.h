/// \file
/// Numbers as people read them.
#pragma once

#include "runtime/read/Trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace instantrace {

/// Where two are compared, once.
inline constexpr std::string_view TimesVary =
    "times vary from run to run, counts do not";

/// "1.23 s", "45.6 ms", "7.89 µs", "12 ns": three digits.
std::string timeText(uint64_t Ns);
/// The same up to a minute; "4.10 min", "1.23 h".
std::string longTimeText(uint64_t Ns);
/// "CPU time"
std::string_view clockWords(EventClock Clock);
/// "1.23 GB", "45.6 MB", "7.89 kB", "12 B"; "more than 18.4 EB" of the largest
/// number, which stands for anything beyond it.
std::string sizeText(uint64_t Bytes);
/// "1,234,567".
std::string groupedText(uint64_t Value);
/// "1 interval", "1,234 intervals"; \p Plural for what takes more than an s.
std::string counted(uint64_t Count, std::string_view Noun,
                    std::string_view Plural = {});
/// "11.4 weeks"; history is of one at least.
std::string weeksText(double Weeks);
/// A moment of UTC as strftime writes \p Format; none: no calendar has it.
std::optional<std::string> utcText(int64_t SecondsSince1970,
                                   const char *Format);
/// "00000000deadbeef": 16 digits, so that texts compare as numbers do.
std::string hashText(uint64_t Hash);
/// "12.3" for 123 of 1000; "-" of nothing.
std::string percentText(uint64_t Part, uint64_t Whole);

} // namespace instantrace
