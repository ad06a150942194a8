#include "utils/cli/Duration.h"

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
