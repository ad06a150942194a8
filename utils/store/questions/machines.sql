-- text: How long does a compile take on each kind of machine?
-- takes: since until branch machine clang rows
-- draws: bars median_wall_ns machine
WITH chosen AS {{chosen}},
ranked AS (
  SELECT b.machine, c.build, c.wall_ns,
         row_number() OVER (PARTITION BY b.machine ORDER BY c.wall_ns) AS place,
         count(*) OVER (PARTITION BY b.machine) AS compiles
  FROM chosen AS b JOIN compiles AS c ON c.build = b.id)
SELECT machine, count(DISTINCT build) AS builds, count(*) AS compiles,
       min(wall_ns) AS least_wall_ns,
       max(CASE WHEN place = (compiles + 9) / 10 THEN wall_ns END)
         AS tenth_wall_ns,
       max(CASE WHEN place = (compiles + 1) / 2 THEN wall_ns END)
         AS median_wall_ns,
       max(CASE WHEN place = (compiles * 9 + 9) / 10 THEN wall_ns END)
         AS nine_tenths_wall_ns,
       max(wall_ns) AS most_wall_ns
FROM ranked
GROUP BY machine
ORDER BY median_wall_ns DESC, machine
LIMIT :rows
