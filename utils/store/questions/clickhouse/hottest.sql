-- with others
(SELECT build_key FROM {{chosen}} AS b
 WHERE build_key GLOBAL NOT IN (
   SELECT build_key FROM group_builds WHERE group_key GLOBAL IN {{groups}}))
-- end
SELECT text AS name, toInt64(t_builds) AS builds, t_units AS units,
       t_count AS count, t_memoized AS memoized, t_self AS self_ns,
       t_inclusive AS inclusive_ns, t_ast AS ast_bytes,
       t_optimize AS optimize_ns, t_generate AS generate_ns,
       t_object AS object_bytes
FROM (
  SELECT key, sum(s_builds) AS t_builds, sum(s_units) AS t_units,
         sum(s_count) AS t_count, sum(s_memoized) AS t_memoized,
         sum(s_self) AS t_self, sum(s_inclusive) AS t_inclusive,
         sum(s_ast) AS t_ast, sum(s_optimize) AS t_optimize,
         sum(s_generate) AS t_generate, sum(s_object) AS t_object
  FROM (
    -- Of builds that are in groups, the sums of these.
    SELECT name AS key, builds AS s_builds, units AS s_units, count AS s_count,
           memoized AS s_memoized, self_ns AS s_self, inclusive_ns AS s_inclusive,
           ast_bytes AS s_ast, optimize_ns AS s_optimize,
           generate_ns AS s_generate, object_bytes AS s_object
    FROM group_costs
    WHERE kind = :by AND group_key GLOBAL IN {{groups}}
    UNION ALL
    SELECT name AS key, toInt64(uniqExact(build_key)) AS s_builds,
           sum(units) AS s_units, sum(count) AS s_count,
           sum(memoized) AS s_memoized, sum(self_ns) AS s_self,
           sum(inclusive_ns) AS s_inclusive, sum(ast_bytes) AS s_ast,
           sum(optimize_ns) AS s_optimize, sum(generate_ns) AS s_generate,
           sum(object_bytes) AS s_object
    FROM build_costs
    WHERE kind = :by AND build_key GLOBAL IN {{others}}
    GROUP BY name) AS p
  GROUP BY key) AS s
GLOBAL ALL INNER JOIN (
  SELECT name AS key, any(text) AS text FROM names
  WHERE name GLOBAL IN (SELECT name FROM group_costs
                        WHERE kind = :by AND group_key GLOBAL IN {{groups}})
     OR name GLOBAL IN (SELECT name FROM build_costs
                        WHERE kind = :by AND build_key GLOBAL IN {{others}})
  GROUP BY name) AS n USING key
ORDER BY self_ns DESC, name
LIMIT :rows
