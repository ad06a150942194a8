#include "utils/analysis/costs/TimeParts.h"

#include "utils/analysis/view/PathRules.h"

#include <algorithm>

using namespace instantrace;

namespace {

/// Whose folders libraryOf() names after themselves, beside paths of `include`.
constexpr std::string_view SystemLibraries[] = {
    "c++",         "bits",  "sys",  "gnu", "asm",
    "asm-generic", "linux", "arpa", "net", "netinet"};

TimePart partOfHeader(const std::string &Path) {
  std::string Library = libraryOf(Path);
  if (Library.empty())
    return TimePart::OwnFiles;
  bool IsSystem =
      Library.find('/') != std::string::npos ||
      std::find(std::begin(SystemLibraries), std::end(SystemLibraries),
                Library) != std::end(SystemLibraries);
  return IsSystem ? TimePart::SystemHeaders : TimePart::Libraries;
}

TimePart partOfKind(EventKind Kind) {
  if (Kind == EventKind::FileInclusion || Kind == EventKind::Statement)
    return TimePart::OwnFiles;
  if (Kind == EventKind::ConstantEvaluation)
    return TimePart::ConstantEvaluation;
  if (isTemplateWork(Kind))
    return TimePart::Instantiating;
  if (eventGroup(Kind) == EventGroup::Backend ||
      Kind == EventKind::CodeGeneration)
    return TimePart::CodeGeneration;
  return Kind == EventKind::Profiling ? TimePart::Profiler : TimePart::Other;
}

/// None: a row of what is short or filtered.
std::optional<EventKind> rowKind(const CostRow &Row) {
  for (unsigned Number = 1; Number != EventKindLimit; ++Number)
    if (isEventKind(Number) &&
        eventKindName(static_cast<EventKind>(Number)) == Row.Name.Fixed)
      return static_cast<EventKind>(Number);
  return std::nullopt;
}

} // namespace

TimePart instantrace::timePartOfKind(const CostRow &Row) {
  if (Row.Name.Fixed == ElidedName) // which nothing but template work is
    return TimePart::Instantiating;
  std::optional<EventKind> Kind = rowKind(Row);
  return Kind ? partOfKind(*Kind) : TimePart::Other;
}

std::string_view instantrace::timePartName(TimePart Part) {
  switch (Part) {
  case TimePart::OwnFiles:
    return "own-files";
  case TimePart::SystemHeaders:
    return "system-headers";
  case TimePart::Libraries:
    return "libraries";
  case TimePart::Instantiating:
    return "instantiating";
  case TimePart::ConstantEvaluation:
    return "constant-evaluation";
  case TimePart::CodeGeneration:
    return "code-generation";
  case TimePart::Profiler:
    return "profiler";
  case TimePart::Other:
    return "other";
  }
  return "";
}

TimeParts instantrace::timeParts(const Trace &Names, const CostTable &ByKind,
                                 const CostTable &Inclusions) {
  TimeParts Parts{};
  auto partNs = [&Parts](TimePart Part) -> uint64_t & {
    return Parts[static_cast<size_t>(Part)];
  };
  partNs(TimePart::Other) = ByKind.TotalNs;
  auto Move = [&](uint64_t Ns, TimePart Target) {
    partNs(TimePart::Other) -= Ns;
    partNs(Target) += Ns;
  };
  bool HasInclusions = false;
  for (const CostRow &Row : ByKind.Rows) {
    if (TimePart Part = timePartOfKind(Row); Part != TimePart::OwnFiles)
      Move(Row.SelfNs, Part);
    else
      HasInclusions |= Row.SelfNs != 0;
  }
  if (HasInclusions)
    for (const CostRow &Row : Inclusions.Rows)
      if (Row.Name.Fixed.empty())
        Move(Row.SelfNs, partOfHeader(Row.Name.text(Names, {}, PathBytes)));
  return Parts;
}
