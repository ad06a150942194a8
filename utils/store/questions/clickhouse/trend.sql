SELECT id AS build, begun_ns, commit_id, branch, author, s_units AS units,
       build_units, s_count AS count, s_self AS self_ns,
       s_inclusive AS inclusive_ns, s_object AS object_bytes
FROM (SELECT id, build_key, begun_ns, commit_id, branch, author,
             units AS build_units FROM {{chosen}} AS b) AS b
GLOBAL ALL LEFT JOIN (
  SELECT build_key, sum(units) AS s_units, sum(count) AS s_count,
         sum(self_ns) AS s_self, sum(inclusive_ns) AS s_inclusive,
         sum(object_bytes) AS s_object
  FROM build_costs
  WHERE kind = :by
    AND build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b)
    AND name GLOBAL IN (SELECT name FROM names WHERE text = :name
                        ORDER BY fixed, size_bytes, hash LIMIT 1)
  GROUP BY build_key) AS c USING build_key
ORDER BY begun_ns, build
