-- text: Whose commits made builds instantiate more?
-- takes: since until branch machine clang rows
-- draws: bars count_change commit_id
WITH chosen AS {{chosen}},
per_unit AS (
  SELECT p.build, p.unit, b.branch, b.begun_ns, count(*) AS times,
         sum(p.count) AS count, sum(p.self_ns) AS self_ns
  FROM compiles AS p JOIN chosen AS b ON b.id = p.build
  -- Without a branch, builds are not one after the other.
  WHERE b.branch <> ''
  GROUP BY p.build, p.unit),
-- A unit with the build before it that compiled it as often: others may be of a
-- part.
pairs AS (
  SELECT build, lag(build) OVER w AS previous,
         lag(begun_ns) OVER w AS previous_ns,
         count - lag(count) OVER w AS count_change,
         self_ns - lag(self_ns) OVER w AS self_ns_change
  FROM per_unit
  WINDOW w AS (PARTITION BY branch, unit, times ORDER BY begun_ns, build)),
latest AS (
  SELECT build, max(previous_ns) AS begun_ns FROM pairs
  WHERE previous IS NOT NULL GROUP BY build),
changes AS (
  SELECT p.build, count(*) AS units, sum(count_change) AS count_change,
         max(CASE WHEN previous_ns = l.begun_ns THEN previous END) AS previous,
         sum(self_ns_change) AS self_ns_change
  FROM pairs AS p JOIN latest AS l ON l.build = p.build
  WHERE previous IS NOT NULL GROUP BY p.build)
SELECT c.build, c.previous, b.begun_ns, b.commit_id, b.branch, b.author,
       b.modified, c.units, c.count_change, c.self_ns_change
FROM changes AS c JOIN builds AS b ON b.id = c.build
WHERE c.count_change > 0
ORDER BY c.count_change DESC, c.build
LIMIT :rows
