#include "utils/render/HealthText.h"

#include "runtime/base/PrintableText.h"
#include "utils/render/JsonText.h"
#include "utils/render/NumberText.h"
#include "utils/render/TextTable.h"

#include <algorithm>

using namespace instantrace;

namespace {

std::string_view wordOf(HealthState State) {
  switch (State) {
  case HealthState::Good:
    return "ok";
  case HealthState::Note:
    return "note";
  case HealthState::Problem:
    return "problem";
  }
  return {};
}

} // namespace

size_t instantrace::problemsIn(const std::vector<HealthCheck> &Checks) {
  return static_cast<size_t>(
      std::count_if(Checks.begin(), Checks.end(), [](const HealthCheck &C) {
        return C.State == HealthState::Problem;
      }));
}

void instantrace::writeHealthText(Output &Out,
                                  const std::vector<HealthCheck> &Checks,
                                  const Terminal &Term) {
  constexpr size_t StateColumns = 9;
  TextStyles Styles(Term);
  std::string_view Group;
  for (const HealthCheck &Check : Checks) {
    if (Group != Check.Group) {
      Out.append(Group.empty() ? "" : "\n");
      Group = Check.Group;
      Out.append(std::string(Styles.Bold) + std::string(Group) +
                 std::string(Styles.Plain) + "\n");
    }
    std::string State(wordOf(Check.State));
    State.resize(StateColumns, ' ');
    bool IsBad = Check.State == HealthState::Problem;
    Out.append("  " + std::string(IsBad ? Styles.Bold : std::string_view()) +
               State + std::string(IsBad ? Styles.Plain : std::string_view()) +
               printableText(Check.What) + ": " + printableText(Check.Found) +
               "\n");
    if (!Check.Todo.empty())
      Out.append(std::string(2 + StateColumns, ' ') + "-> " +
                 printableText(Check.Todo) + "\n");
  }
  size_t Problems = problemsIn(Checks);
  Out.append("\n" +
             (Problems == 0 ? std::string("no problem")
                            : counted(Problems, "problem")) +
             "\n");
}

void instantrace::writeHealthJson(Output &Out,
                                  const std::vector<HealthCheck> &Checks) {
  std::string Text;
  {
    JsonAnswer Whole(Text);
    Whole.number("problems", problemsIn(Checks));
    Whole.objects("checks", Checks,
                  [](JsonObject &Object, const HealthCheck &Check) {
                    Object.text("group", Check.Group);
                    Object.text("what", Check.What);
                    Object.text("state", wordOf(Check.State));
                    Object.text("found", Check.Found);
                    Object.text("todo", Check.Todo);
                  });
  }
  Out.append(Text + "\n");
}
