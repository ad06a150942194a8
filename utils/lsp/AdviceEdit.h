/// \file
/// What an editor has to change for a suggestion, where that is mechanical.
///
/// Flow:   LineAdvice, Document -> [AdviceEdit] -> LspServer
/// Errors: "PATH is not as it was compiled": lines would be wrong there
#pragma once

#include "runtime/base/Result.h"
#include "utils/lsp/Document.h"
#include "utils/lsp/SessionAdvice.h"
#include "utils/rpc/JsonRpc.h"

#include <map>
#include <string>

namespace instantrace {

/// A WorkspaceEdit. \p Open, by URI, is what the editor has of files; of others
/// it has what is on the disk. Requires: \p Advice has edits.
Result<RpcJson> adviceEdit(const LineAdvice &Advice, PositionUnit Unit,
                           const std::map<std::string, Document> &Open);

} // namespace instantrace
