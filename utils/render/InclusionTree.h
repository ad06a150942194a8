/// \file
/// The files that one compile read, as the tree of their #includes.
///
/// Flow:   dump --inclusions -> [InclusionTree] -> Output
///
///     a.cpp
///       ./m.h  included at 1:10
///       /usr/include/c++/14/vector  included at 2:10, system
#pragma once

#include "runtime/read/Trace.h"
#include "utils/render/Output.h"

namespace instantrace {

/// The line of an #include is one of the file above, indented by one step less.
void writeInclusionTree(Output &Out, const Sequence &S);
/// One object per line, in the order of their ids.
void writeInclusionJson(Output &Out, const Sequence &S);

} // namespace instantrace
