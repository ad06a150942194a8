#include "utils/cli/Amounts.h"

#include <charconv>
#include <map>

using namespace instantrace;

Result<uint64_t> instantrace::parseDuration(const std::string &Text) {
  static const std::map<std::string, double> UnitsNs = {
      {"", 1}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  double Value = 0;
  const char *End = Text.data() + Text.size();
  auto [Rest, Failed] =
      std::from_chars(Text.data(), End, Value, std::chars_format::fixed);
  auto Unit = UnitsNs.find(std::string(Rest, End));
  // A century is more than any compile takes, and fits.
  constexpr double LimitNs = 3.2e18;
  if (Failed != std::errc() || Unit == UnitsNs.end() || !(Value >= 0) ||
      Value * Unit->second > LimitNs)
    return makeError({}, "'" + Text + "'",
                     "a time such as 500ns, 20us, 1.5ms or 2s");
  return static_cast<uint64_t>(Value * Unit->second);
}

Result<uint64_t> instantrace::parseSize(std::string_view Text) {
  static const std::map<std::string_view, double> Units = {
      {"", 1},    {"B", 1},    {"kB", 1e3}, {"k", 1e3},   {"MB", 1e6},
      {"M", 1e6}, {"GB", 1e9}, {"G", 1e9},  {"TB", 1e12}, {"T", 1e12},
  };
  double Value = 0;
  auto [Rest, Failed] = std::from_chars(Text.data(), Text.data() + Text.size(),
                                        Value, std::chars_format::fixed);
  constexpr double Limit = 1e18;
  auto Unit = Units.find(Text.substr(static_cast<size_t>(Rest - Text.data())));
  if (Failed != std::errc() || Unit == Units.end() || !(Value >= 0) ||
      Value * Unit->second > Limit)
    return makeError({}, "'" + std::string(Text) + "'",
                     "a size such as 4096, 64kB or 1.5MB");
  return static_cast<uint64_t>(Value * Unit->second);
}
