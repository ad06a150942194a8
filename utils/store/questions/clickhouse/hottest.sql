SELECT text AS name, toInt64(t_builds) AS builds, t_units AS units,
       t_count AS count, t_memoized AS memoized, t_self AS self_ns,
       t_inclusive AS inclusive_ns, t_ast AS ast_bytes,
       t_optimize AS optimize_ns, t_generate AS generate_ns,
       t_object AS object_bytes
FROM (
  SELECT name AS key, uniqExact(build_key) AS t_builds, sum(units) AS t_units,
         sum(count) AS t_count, sum(memoized) AS t_memoized,
         sum(self_ns) AS t_self, sum(inclusive_ns) AS t_inclusive,
         sum(ast_bytes) AS t_ast, sum(optimize_ns) AS t_optimize,
         sum(generate_ns) AS t_generate, sum(object_bytes) AS t_object
  FROM build_costs
  WHERE kind = :by AND build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b)
  GROUP BY name) AS s
GLOBAL ALL INNER JOIN (
  SELECT name AS key, any(text) AS text FROM names
  WHERE name GLOBAL IN (SELECT name FROM build_costs
                        WHERE kind = :by AND build_key GLOBAL IN (
                          SELECT build_key FROM {{chosen}} AS b))
  GROUP BY name) AS n USING key
ORDER BY self_ns DESC, name
LIMIT :rows
