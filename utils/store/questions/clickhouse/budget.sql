SELECT id AS build, begun_ns, commit_id, branch, author, units, value
FROM (SELECT id, build_key, begun_ns, commit_id, branch, author, units
      FROM {{chosen}} AS b) AS b
GLOBAL ALL LEFT JOIN (
  SELECT build_key,
         sum(multiIf(:metric = 'count', count, :metric = 'memoized', memoized,
                     :metric = 'ast', ast_bytes,
                     :metric = 'frontend', self_ns - optimize_ns - generate_ns,
                     :metric = 'optimize', optimize_ns,
                     :metric = 'generate', generate_ns,
                     :metric = 'bytes', object_bytes, self_ns)) AS value
  FROM build_costs
  WHERE :metric != 'memory' AND kind = 1
    AND build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b)
    AND {{in_budget}}
  GROUP BY build_key
  UNION ALL
  SELECT build_key, max(peak_rss_bytes) AS value FROM compiles
  WHERE :metric = 'memory'
    AND build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b)
  GROUP BY build_key) AS c USING build_key
WHERE NOT ((:relation = '<' AND value < :limit)
           OR (:relation = '<=' AND value <= :limit)
           OR (:relation = '>' AND value > :limit)
           OR (:relation = '>=' AND value >= :limit))
ORDER BY begun_ns, build
