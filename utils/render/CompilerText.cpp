#include "utils/render/CompilerText.h"

#include "runtime/base/PrintableText.h"

#include <set>
#include <string_view>

using namespace instantrace;

namespace {

/// "22.1.8" of "Debian clang version 22.1.8 (++…)"; all of it where it is not
/// so.
std::string_view versionOf(std::string_view Clang) {
  constexpr std::string_view Before = "clang version ";
  size_t Offset = Clang.find(Before);
  if (Offset == std::string_view::npos)
    return Clang;
  Clang.remove_prefix(Offset + Before.size());
  return Clang.substr(0, Clang.find_first_of(" ("));
}

/// What \p Part gives for the compiles, each once.
template <class PartOf> std::string allOf(const Trace &T, const PartOf &Part) {
  std::set<std::string> Parts;
  for (const Sequence &S : T.Sequences)
    if (S.Session)
      if (std::string Text(Part(*S.Session)); !Text.empty())
        Parts.insert(std::move(Text));
  std::string Text;
  for (const std::string &Each : Parts)
    Text += (Text.empty() ? "" : ", ") + printableText(Each);
  return Text;
}

template <class PartOf>
void addDifference(const Trace &Old, const Trace &New, std::string_view What,
                   const PartOf &Part, std::string &Into) {
  std::string Before = allOf(Old, Part), After = allOf(New, Part);
  if (Before == After || Before.empty() || After.empty())
    return;
  Into.append(Into.empty() ? "" : "; ").append(What);
  Into.append(Before).append(" -> ").append(After);
}

} // namespace

std::string instantrace::compilerDifference(const Trace &Old,
                                            const Trace &New) {
  std::string Text;
  addDifference(
      Old, New, "Clang ",
      [](const TraceSession &S) { return versionOf(S.ClangVersion); }, Text);
  addDifference(
      Old, New, "",
      [](const TraceSession &S) {
        return (S.OptimizationLevel.empty() ? "" : "-") + S.OptimizationLevel;
      },
      Text);
  addDifference(
      Old, New, "", [](const TraceSession &S) { return S.LanguageStandard; },
      Text);
  addDifference(
      Old, New, "target ", [](const TraceSession &S) { return S.Triple; },
      Text);
  return Text;
}
