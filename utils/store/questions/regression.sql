-- text: Which build made it worse, and by what?
-- takes: metric by name base head since until branch machine clang rows
-- draws: line value commit_id
-- analysis: steps
WITH chosen AS {{chosen}},
-- Compiled in both, and as often: a unit may be one of several targets.
common AS (
  SELECT unit, count(*) AS times FROM compiles WHERE build = :base GROUP BY unit
  INTERSECT
  SELECT unit, count(*) FROM compiles WHERE build = :head GROUP BY unit),
series AS (
  SELECT b.* FROM builds AS b WHERE b.id IN (:base, :head)
  UNION
  SELECT b.* FROM chosen AS c JOIN builds AS b ON b.id = c.id
  JOIN builds AS base ON base.id = :base
  JOIN builds AS head ON head.id = :head
  WHERE b.branch = head.branch AND b.branch <> '' AND b.begun_ns > base.begun_ns
    AND b.begun_ns < head.begun_ns
    -- Times of another kind of machine are other numbers.
    AND (:metric NOT IN ('self', 'time') OR b.machine = head.machine)),
whole AS (
  SELECT build, unit
  FROM (SELECT build, unit, count(*) AS times FROM compiles
        WHERE build IN (SELECT id FROM series) GROUP BY build, unit)
  JOIN common USING(unit, times))
SELECT s.id AS build, s.begun_ns, s.commit_id, s.branch, s.author, s.modified,
       count(DISTINCT c.unit) AS units,
       (SELECT count(*) FROM common) AS common_units,
       CASE :metric
       WHEN 'memory' THEN max(c.peak_rss_bytes)
       ELSE sum(CASE :metric WHEN 'count' THEN c.count
                             WHEN 'memoized' THEN c.memoized
                             WHEN 'ast' THEN c.ast_bytes
                             WHEN 'bytes' THEN c.object_bytes
                             WHEN 'self' THEN c.self_ns
                             WHEN 'time' THEN c.time_ns END) END AS value
FROM series AS s
LEFT JOIN (
  SELECT build, unit, count, memoized, ast_bytes, object_bytes, self_ns,
         wall_ns AS time_ns, peak_rss_bytes
  FROM whole JOIN compiles USING(build, unit) WHERE NOT :has_name
  UNION ALL
  -- Of one name; a compile without it has none of it.
  SELECT u.build, u.unit, coalesce(k.count, 0), coalesce(k.memoized, 0),
         coalesce(k.ast_bytes, 0), coalesce(k.object_bytes, 0),
         coalesce(k.self_ns, 0), coalesce(k.inclusive_ns, 0), 0
  FROM whole JOIN compiles AS u USING(build, unit)
  LEFT JOIN costs AS k ON k.compile = u.id AND k.kind = :by
    AND k.name = (SELECT id FROM names WHERE text = :name
                  ORDER BY fixed, size_bytes, hash LIMIT 1)
  WHERE :has_name) AS c ON c.build = s.id
GROUP BY s.id
ORDER BY CASE s.id WHEN :base THEN 0 WHEN :head THEN 2 ELSE 1 END, s.begun_ns,
         s.id

-- section: detail
-- What grew the memory of a compile is what grew its syntax tree most.
WITH common AS (
  SELECT unit, count(*) FROM compiles WHERE build = :base GROUP BY unit
  INTERSECT
  SELECT unit, count(*) FROM compiles WHERE build = :head GROUP BY unit)
SELECT n.text AS name, sum(d.count) AS count_change,
       sum(d.self_ns) AS self_ns_change, sum(d.value) AS value_change
FROM (
  SELECT c.name, c.count, c.self_ns,
         CASE :metric WHEN 'count' THEN c.count WHEN 'memoized' THEN c.memoized
                      WHEN 'ast' THEN c.ast_bytes
                      WHEN 'memory' THEN c.ast_bytes
                      WHEN 'bytes' THEN c.object_bytes
                      ELSE c.self_ns END AS value
  FROM compiles AS u JOIN costs AS c ON c.compile = u.id AND c.kind = 1
  WHERE u.build = :after AND u.unit IN (SELECT unit FROM common)
  UNION ALL
  SELECT c.name, -c.count, -c.self_ns,
         -CASE :metric WHEN 'count' THEN c.count WHEN 'memoized' THEN c.memoized
                       WHEN 'ast' THEN c.ast_bytes
                       WHEN 'memory' THEN c.ast_bytes
                       WHEN 'bytes' THEN c.object_bytes
                       ELSE c.self_ns END
  FROM compiles AS u JOIN costs AS c ON c.compile = u.id AND c.kind = 1
  WHERE u.build = :before AND u.unit IN (SELECT unit FROM common)
) AS d
JOIN names AS n ON n.id = d.name
WHERE n.fixed = 0
GROUP BY d.name
HAVING value_change <> 0
ORDER BY abs(value_change) DESC, name
LIMIT :rows
