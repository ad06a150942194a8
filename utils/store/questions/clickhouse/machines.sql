-- A quantile is the value of a compile, as it is in a file.
SELECT machine, uniqExact(build_key) AS builds, count() AS compiles,
       min(wall_ns) AS least_wall_ns,
       arraySort(groupArray(wall_ns))[intDiv(count() + 9, 10)] AS tenth_wall_ns,
       arraySort(groupArray(wall_ns))[intDiv(count() + 1, 2)] AS median_wall_ns,
       arraySort(groupArray(wall_ns))[intDiv(count() * 9 + 9, 10)]
         AS nine_tenths_wall_ns,
       max(wall_ns) AS most_wall_ns
FROM (
  SELECT build_key, wall_ns FROM compiles
  WHERE build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b)) AS c
GLOBAL ALL INNER JOIN (
  SELECT build_key, machine FROM {{chosen}} AS b) AS m USING build_key
GROUP BY machine
ORDER BY median_wall_ns DESC, machine
LIMIT :rows
