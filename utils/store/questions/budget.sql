-- text: Which builds would a budget have caught?
-- takes: budget since until branch machine clang rows
-- needs: budget
-- draws: line value commit_id
WITH chosen AS {{chosen}},
sums AS (
  SELECT c.build,
         sum(CASE :metric
             WHEN 'time' THEN c.self_ns
             WHEN 'count' THEN (n.fixed = 0) * c.count
             WHEN 'memoized' THEN (n.fixed = 0) * c.memoized
             WHEN 'ast' THEN (n.fixed = 0) * c.ast_bytes
             WHEN 'self' THEN (n.fixed = 0) * c.self_ns
             WHEN 'frontend'
               THEN (n.fixed = 0) * (c.self_ns - c.optimize_ns - c.generate_ns)
             WHEN 'optimize' THEN (n.fixed = 0) * c.optimize_ns
             WHEN 'generate' THEN (n.fixed = 0) * c.generate_ns
             WHEN 'bytes' THEN (n.fixed = 0) * c.object_bytes END) AS value
  FROM build_costs AS c JOIN names AS n ON n.id = c.name
  WHERE c.build IN (SELECT id FROM chosen) AND c.kind = 1
    AND in_budget(n.text, n.fixed)
  GROUP BY c.build),
-- Of a build that has nothing of the kind it is 0.
totals AS (
  SELECT b.id AS build, b.begun_ns, b.commit_id, b.branch, b.author, b.units,
         coalesce(CASE :metric
                  WHEN 'memory' THEN (SELECT max(peak_rss_bytes) FROM compiles
                                      WHERE build = b.id)
                  ELSE s.value END, 0) AS value
  FROM chosen AS b LEFT JOIN sums AS s ON s.build = b.id)
SELECT build, begun_ns, commit_id, branch, author, units, value
FROM totals
WHERE NOT CASE :relation WHEN '<' THEN value < :limit
                         WHEN '<=' THEN value <= :limit
                         WHEN '>' THEN value > :limit
                         ELSE value >= :limit END
ORDER BY begun_ns, build
