-- text: Whose commits made builds instantiate more?
-- takes: since until branch machine clang rows
-- draws: bars count_change commit_id
WITH chosen AS {{chosen}},
pairs AS (
  SELECT b.id AS build,
         (SELECT p.id FROM chosen AS p
          WHERE p.branch = b.branch
            AND (p.begun_ns, p.id) < (b.begun_ns, b.id)
          ORDER BY p.begun_ns DESC, p.id DESC LIMIT 1) AS previous
  FROM chosen AS b),
per_unit AS (
  SELECT build, unit, sum(count) AS count, sum(self_ns) AS self_ns
  FROM compiles WHERE build IN (SELECT id FROM chosen) GROUP BY build, unit),
changes AS (
  SELECT p.build, p.previous, count(*) AS units,
         sum(n.count - o.count) AS count_change,
         sum(n.self_ns - o.self_ns) AS self_ns_change
  FROM pairs AS p
  JOIN per_unit AS n ON n.build = p.build
  JOIN per_unit AS o ON o.build = p.previous AND o.unit = n.unit
  GROUP BY p.build)
SELECT c.build, c.previous, b.begun_ns, b.commit_id, b.branch, b.author,
       b.modified, c.units, c.count_change, c.self_ns_change
FROM changes AS c JOIN builds AS b ON b.id = c.build
WHERE c.count_change > 0
ORDER BY c.count_change DESC, c.build
LIMIT :rows
