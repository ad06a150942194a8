SELECT text AS name, builds, s_units AS units, s_count AS count,
       s_memoized AS memoized, s_self AS self_ns, s_inclusive AS inclusive_ns,
       s_ast AS ast_bytes, s_optimize AS optimize_ns, s_generate AS generate_ns,
       s_object AS object_bytes
FROM (
  SELECT name AS key, uniqExact(build_key) AS builds, sum(units) AS s_units,
         sum(count) AS s_count, sum(memoized) AS s_memoized,
         sum(self_ns) AS s_self, sum(inclusive_ns) AS s_inclusive,
         sum(ast_bytes) AS s_ast, sum(optimize_ns) AS s_optimize,
         sum(generate_ns) AS s_generate, sum(object_bytes) AS s_object
  FROM build_costs
  WHERE kind = :by AND build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b)
  GROUP BY name) AS s
GLOBAL ALL INNER JOIN (
  SELECT name AS key, any(text) AS text FROM names
  WHERE name GLOBAL IN (
    SELECT name FROM build_costs
    WHERE kind = :by
      AND build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b))
  GROUP BY name) AS n USING key
ORDER BY self_ns DESC, name
LIMIT :rows
