/// \file
/// What `doctor` found, for people and as JSON.
///
/// Flow: HealthCheck -> [HealthText] -> Output
#pragma once

#include "utils/render/Output.h"
#include "utils/render/Terminal.h"

#include <string>
#include <vector>

namespace instantrace {

enum class HealthState {
  Good,
  Note,    ///< nothing is broken, and something may be missed
  Problem, ///< something that should work does not
};

struct HealthCheck {
  std::string Group; ///< "installed", "clang", "system"; in order
  std::string What;
  HealthState State = HealthState::Good;
  std::string Found;
  std::string Todo = {}; ///< empty: nothing
};

void writeHealthText(Output &Out, const std::vector<HealthCheck> &Checks,
                     const Terminal &Term);
void writeHealthJson(Output &Out, const std::vector<HealthCheck> &Checks);

/// How many have problems.
size_t problemsIn(const std::vector<HealthCheck> &Checks);

} // namespace instantrace
