/// \file
/// What of this machine recording depends on, and whether it is there.
///
/// Flow: system -> [SystemCheck] -> HealthCheck
#ifndef INSTANTRACE_UTILS_SESSION_SYSTEMCHECK_H
#define INSTANTRACE_UTILS_SESSION_SYSTEMCHECK_H

#include "utils/render/HealthText.h"

#include <vector>

namespace instantrace {

std::vector<HealthCheck> checkSystem();

} // namespace instantrace

#endif
