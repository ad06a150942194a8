#include "utils/render/NumberText.h"

#include <fmt/format.h>

#include <ctime>
#include <initializer_list>

using namespace instantrace;

namespace {

std::string threeDigits(double Value) {
  int Decimals = Value < 9.995 ? 2 : Value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", Value, Decimals);
}

std::string scaledText(double Value, double Step,
                       std::initializer_list<const char *> Units) {
  auto Unit = Units.begin();
  // 999.5 would show as 1000.
  while (Value >= Step * 0.9995 && Unit + 1 != Units.end()) {
    Value /= Step;
    ++Unit;
  }
  if (Unit == Units.begin())
    return fmt::format("{:.0f} {}", Value, *Unit);
  return threeDigits(Value) + " " + *Unit;
}

} // namespace

std::string instantrace::timeText(uint64_t Ns) {
  return scaledText(static_cast<double>(Ns), 1000,
                    {"ns", "\xc2\xb5s", "ms", "s"});
}

std::string instantrace::longTimeText(uint64_t Ns) {
  constexpr double MinuteNs = 60e9, HourNs = 60 * MinuteNs;
  const double Value = static_cast<double>(Ns);
  return Value < MinuteNs ? timeText(Ns)
         : Value < HourNs ? threeDigits(Value / MinuteNs) + " min"
                          : threeDigits(Value / HourNs) + " h";
}

std::string instantrace::sizeText(uint64_t Bytes) {
  // Where sums of names' sizes end.
  std::string_view Before = Bytes == UINT64_MAX ? "more than " : "";
  return std::string(Before) +
         scaledText(static_cast<double>(Bytes), 1000,
                    {"B", "kB", "MB", "GB", "TB", "PB", "EB"});
}

std::string_view instantrace::clockWords(EventClock Clock) {
  return Clock == EventClock::Wall ? "wall time" : "CPU time";
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

std::string instantrace::weeksText(double Weeks) {
  return Weeks <= 1 ? "a week or less, taken for one"
                    : fmt::format("{:.1f} weeks", Weeks);
}

std::optional<std::string> instantrace::utcText(int64_t SecondsSince1970,
                                                const char *Format) {
  const time_t Seconds = SecondsSince1970;
  std::tm Parts = {};
  if (!::gmtime_r(&Seconds, &Parts))
    return std::nullopt;
  char Text[64];
  return std::string(Text, std::strftime(Text, sizeof(Text), Format, &Parts));
}

std::string instantrace::counted(uint64_t Count, std::string_view Noun,
                                 std::string_view Plural) {
  std::string Text = groupedText(Count) + " ";
  if (Count == 1 || Plural.empty())
    Text.append(Noun).append(Count == 1 ? "" : "s");
  else
    Text.append(Plural);
  return Text;
}

std::string instantrace::percentText(uint64_t Part, uint64_t Whole) {
  if (Whole == 0)
    return "-";
  return fmt::format("{:.1f}", 100.0 * static_cast<double>(Part) /
                                   static_cast<double>(Whole));
}

std::string instantrace::hashText(uint64_t Hash) {
  return fmt::format("{:016x}", Hash);
}
