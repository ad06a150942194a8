#include "utils/query/Query.h"

#include "utils/query/Select.h"
#include "utils/query/TraceTables.h"
#include "utils/query/VirtualTable.h"
#include "utils/sqlite/Database.h"

using namespace instantrace;

const char *const instantrace::TraceViews = R"(
CREATE TEMP VIEW instantiations AS
  SELECT E.name, E.template, E.kind, C.count, C.definitions, E.memoized,
         C.self_ns, C.ast_bytes, E.declared_file, E.declared_line,
         C.sequence, C.entity
  FROM (SELECT sequence, entity, count(*) AS count,
               sum(definition) AS definitions, sum(self_ns) AS self_ns,
               sum(ast_bytes) AS ast_bytes
        FROM intervals
        WHERE entity IS NOT NULL
          AND kind NOT IN ('FileInclusion', 'Profiling', 'OptimizeFunction',
                           'OptimizeModule', 'MachineCode')
        GROUP BY sequence, entity) AS C
  JOIN entities AS E ON E.sequence = C.sequence AND E.id = C.entity;
CREATE TEMP VIEW templates AS
  SELECT template, count(*) AS specializations, sum(count) AS count,
         sum(definitions) AS definitions, sum(memoized) AS memoized,
         sum(self_ns) AS self_ns, sum(ast_bytes) AS ast_bytes
  FROM instantiations GROUP BY template;
CREATE TEMP VIEW kinds AS
  SELECT kind, count(*) AS count, sum(self_ns) AS self_ns,
         sum(ast_bytes) AS ast_bytes
  FROM intervals GROUP BY kind;
CREATE TEMP VIEW lines AS
  SELECT L.file, L.line, sum(C.count) AS count, sum(C.self_ns) AS self_ns,
         max(L.system) AS system
  FROM (SELECT sequence, location, count(*) AS count, sum(self_ns) AS self_ns
        FROM intervals WHERE location IS NOT NULL
        GROUP BY sequence, location) AS C
  JOIN locations AS L ON L.sequence = C.sequence AND L.id = C.location
  GROUP BY L.file, L.line;
CREATE TEMP VIEW backend AS
  SELECT E.name, E.template, coalesce(T.optimize_ns, 0) AS optimize_ns,
         coalesce(T.machine_code_ns, 0) AS machine_code_ns, F.functions,
         F.emitted, F.ir_instructions, F.machine_instructions, F.object_bytes,
         F.sequence, F.entity
  FROM (SELECT sequence, entity, count(*) AS functions,
               sum(emitted) AS emitted, sum(ir_instructions) AS ir_instructions,
               coalesce(sum(machine_instructions), 0) AS machine_instructions,
               coalesce(sum(object_bytes), 0) AS object_bytes
        FROM functions GROUP BY sequence, entity) AS F
  LEFT JOIN (SELECT sequence, entity,
                    sum(self_ns) FILTER (WHERE kind = 'OptimizeFunction')
                      AS optimize_ns,
                    sum(self_ns) FILTER (WHERE kind = 'MachineCode')
                      AS machine_code_ns
             FROM intervals
             WHERE kind IN ('OptimizeFunction', 'MachineCode')
             GROUP BY sequence, entity) AS T
    ON T.sequence = F.sequence AND T.entity = F.entity
  LEFT JOIN entities AS E ON E.sequence = F.sequence AND E.id = F.entity;
CREATE TEMP VIEW requests AS
  SELECT R.name AS requester, I.name AS requested, I.duration_ns, I.file,
         I.line, I.sequence, I.requester AS requester_id, I.id AS requested_id
  FROM intervals AS I
  JOIN intervals AS R ON R.sequence = I.sequence AND R.id = I.requester
  WHERE I.requester IS NOT NULL;
)";

namespace {

Result<DatabasePointer> openTrace(TraceModel &M) {
  INSTANTRACE_TRY_ASSIGN(DatabasePointer Database, openPrivateDatabase());
  if (addTraceTables(Database.get(), M, "") != SQLITE_OK)
    return Error{"query: " + databaseMessage(Database.get())};
  INSTANTRACE_TRY(execute(Database.get(), TraceViews));
  // A table declares its columns when it is first used, which takes more rights
  // than a query gets.
  std::string UseAll = "SELECT 1 FROM pragma_table_info('x') LIMIT 0;";
  for (const TraceTable &Table : traceTables())
    UseAll.append("SELECT 1 FROM ").append(Table.Name).append(" LIMIT 0;");
  INSTANTRACE_TRY(execute(Database.get(), UseAll));
  allowOnlyReading(Database.get());
  return Database;
}

} // namespace

Result<int> instantrace::runQuery(TraceModel &M, const std::string &Sql,
                                  RowFormat Format, Output &Out) {
  INSTANTRACE_TRY_ASSIGN(DatabasePointer Database, openTrace(M));
  return runSelect(Database.get(), Sql, Format, Out);
}

Result<int> instantrace::writeSchema(TraceModel &M, Output &Out) {
  INSTANTRACE_TRY_ASSIGN(DatabasePointer Database, openTrace(M));
  std::string Sql;
  for (const TraceTable &Table : traceTables())
    Sql.append(Sql.empty() ? "" : " UNION ALL ")
        .append("SELECT 'table' AS kind, '")
        .append(Table.Name)
        .append("' AS name, group_concat(name, ', ') AS columns FROM "
                "pragma_table_info('")
        .append(Table.Name)
        .append("')");
  for (const char *View :
       {"instantiations", "kinds", "lines", "requests", "templates"})
    Sql += std::string(" UNION ALL SELECT 'view', '") + View +
           "', group_concat(name, ', ') FROM pragma_table_info('" + View + "')";
  return runQuery(M, Sql, RowFormat::Text, Out);
}
