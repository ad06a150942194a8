#include "utils/render/HookText.h"

#include "utils/render/NumberText.h"

#include <set>

using namespace instantrace;

namespace {

std::string effects(const ObservedWork &Work) {
  return groupedText(Work.Untimed) + " of " +
         counted(Work.Instantiations, "instantiation") +
         " counted but not timed, since they began and ended between two "
         "notifications; memoized hits not recorded";
}

std::string hookNames(const Trace &T) {
  std::set<std::string> Names;
  for (const Sequence &S : T.Sequences)
    if (S.Session && !S.Session->Hook.empty())
      Names.insert(S.Session->Hook.substr(0, S.Session->Hook.find(": ")));
  std::string Text;
  for (const std::string &Name : Names)
    Text += (Text.empty() ? "" : " and ") + Name;
  return Text;
}

} // namespace

std::string instantrace::hookText(const Sequence &S) {
  ObservedWork Work = observedWork(S);
  if (Work.Compiles == 0)
    return S.Session ? S.Session->Hook : "";
  return S.Session->Hook + " (" + effects(Work) + ")";
}

std::string instantrace::hookNote(const ObservedWork &Work, uint64_t Compiles) {
  if (Work.Compiles == 0)
    return {};
  std::string Recorded = "the compile was";
  if (Compiles != 1)
    Recorded = groupedText(Work.Compiles) + " of " +
               counted(Compiles, "compile") + " were";
  return Recorded + " recorded by hook=observer: " + effects(Work);
}

std::string instantrace::hookDifference(const Trace &Old, const Trace &New) {
  std::string OldNames = hookNames(Old), NewNames = hookNames(New);
  if (OldNames == NewNames || OldNames.empty() || NewNames.empty())
    return {};
  return "the old build was recorded by hook=" + OldNames +
         ", the new one by hook=" + NewNames +
         "; this alone makes counts and short times differ";
}
