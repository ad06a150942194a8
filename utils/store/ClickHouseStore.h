/// \file
/// A store of builds on a server of ClickHouse, from 18.16 on.
///
/// Flow:   SessionTables -> ClickHouseUpload -> Server;
///         Question -> [ClickHouseStore] -> Server -> AnswerTable
/// Layout: schema/clickhouse/*.sql, by ClickHouseSchema
/// Trust:  neither the server nor what is in its tables
///
/// Statements go together from files of ours, from numbers, and from literals
/// that SqlText makes. What joins tables says GLOBAL: on a cluster the right
/// side is made once, and on one server the word means nothing.
#pragma once

#include "utils/store/Store.h"

namespace instantrace {

Result<std::unique_ptr<Store>>
openClickHouseStore(const StoreLocation &Location, bool IsToWrite);

} // namespace instantrace
