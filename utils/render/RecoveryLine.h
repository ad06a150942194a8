/// \file
/// What became of one leftover, as a line of text or a JSON object.
///
/// Flow:   RecoveryReport -> [RecoveryLine] -> stdout
#pragma once

#include "runtime/recovery/RecoveryReport.h"

#include <string>

namespace instantrace {

/// With its line end; empty for what failed.
std::string recoveryLine(const RecoveryReport &Report);
void appendRecoveryJson(std::string &Out, const RecoveryReport &Report);

} // namespace instantrace
