/// \file
/// Which rows of two builds are the same, where their names say it otherwise.
///
/// Flow:   CostTable of old and new -> [matchRows] -> diffCosts
/// Memory: the names that have a place in them
///
/// A file below one root is the file below the other. A closure, or a class
/// without a name, is called by the place where it stands, which a line more
/// above it changes: those of one file are matched in their order, and where
/// one build has more of them, those whose columns fit. What has no partner
/// then is matched without the folders of its files, which one compile may have
/// by an absolute path, and another by a relative one.
#pragma once

#include "utils/analysis/costs/Costs.h"

#include <string>

namespace instantrace {

/// The roots of the two trees; equal or empty where nothing has moved.
struct MovedRoot {
  std::string Old, New;
};

/// Gives rows of \p Old the keys of those rows of \p New that they are.
void matchRows(CostTable &Old, const Trace &OldTrace, const CostTable &New,
               const Trace &NewTrace, const MovedRoot &Root);

} // namespace instantrace
