/// \file
/// The words for --by and --sort of the commands that show cost tables.
#ifndef INSTANTRACE_UTILS_COMMANDS_COSTCHOICES_H
#define INSTANTRACE_UTILS_COMMANDS_COSTCHOICES_H

#include "utils/analysis/Costs.h"
#include "utils/commands/Choices.h"

namespace instantrace {

inline constexpr Choice<CostKey> CostKeys[] = {
    {"template", CostKey::Template},
    {"specialization", CostKey::Specialization},
    {"instantiation", CostKey::Specialization}, // what it was called first
    {"class", CostKey::Class},
    {"namespace", CostKey::Namespace},
    {"library", CostKey::Library},
    {"kind", CostKey::Kind},
    {"file", CostKey::File},
    {"directory", CostKey::Directory},
    {"line", CostKey::Line},
    {"header", CostKey::Header},
    {"user-frame", CostKey::UserFrame},
};
inline constexpr Choice<CostOrder> CostOrders[] = {
    {"self", CostOrder::Self},   {"inclusive", CostOrder::Inclusive},
    {"count", CostOrder::Count}, {"memoized", CostOrder::Memoized},
    {"ast", CostOrder::Ast},     {"name", CostOrder::Name},
};

} // namespace instantrace

#endif
