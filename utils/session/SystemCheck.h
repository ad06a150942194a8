/// \file
/// What of this machine recording depends on, and whether it is there.
///
/// Flow: system -> [SystemCheck] -> HealthCheck
#pragma once

#include "utils/render/HealthText.h"

#include <vector>

namespace instantrace {

std::vector<HealthCheck> checkSystem();

} // namespace instantrace
