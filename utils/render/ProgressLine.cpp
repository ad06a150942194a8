#include "utils/render/ProgressLine.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/NameElision.h"
#include "utils/render/NumberText.h"

#include <fmt/format.h>

#include <algorithm>

using namespace instantrace;

namespace {

constexpr std::string_view Erase = "\r\x1b[K";
constexpr uint64_t BarColumns = 20;

} // namespace

ProgressLine::ProgressLine(std::string What, uint64_t Total, ProgressUnit Unit,
                           uint64_t NowNs)
    : What(std::move(What)), Total(Total), Unit(Unit),
      NextNs(NowNs + PatienceNs) {}

std::string ProgressLine::at(uint64_t Done, std::string_view Name,
                             uint64_t NowNs, size_t Columns) {
  if (NowNs < NextNs)
    return {};
  NextNs = NowNs + PauseNs;
  IsShown = true;
  std::string Line;
  if (Total == 0) {
    Line = fmt::format("{} {}", What,
                       Unit == ProgressUnit::Bytes ? sizeText(Done)
                                                   : groupedText(Done));
  } else {
    // A file that grows while it is read has more than was announced.
    double Part = std::min(1.0, double(Done) / double(Total));
    auto Filled = static_cast<size_t>(Part * BarColumns);
    Line = fmt::format("{} [{}{}] {:3.0f} %", What, std::string(Filled, '='),
                       std::string(BarColumns - Filled, ' '), Part * 100);
    if (Unit == ProgressUnit::Items)
      Line += fmt::format("  {} of {}", groupedText(Done), groupedText(Total));
  }
  // The last column stays free: some terminals wrap when it is written.
  size_t Room = Columns > Line.size() + 3 ? Columns - Line.size() - 3 : 0;
  constexpr size_t FewestNameColumns = 8;
  if (!Name.empty() && Room >= FewestNameColumns)
    Line += "  " + elideName(printableText(Name), Room);
  return std::string(Erase) + Line;
}

std::string ProgressLine::erase() {
  if (!IsShown)
    return {};
  IsShown = false;
  NextNs = 0;
  return std::string(Erase);
}
