SELECT path, compiles, mean AS mean_wall_ns, least AS least_wall_ns,
       most AS most_wall_ns, peak AS peak_rss_bytes, target, options
FROM (
  SELECT unit, count() AS compiles, intDiv(sum(wall_ns), count()) AS mean,
         min(wall_ns) AS least, max(wall_ns) AS most,
         max(peak_rss_bytes) AS peak
  FROM compiles
  WHERE build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b)
  GROUP BY unit) AS c
GLOBAL ALL INNER JOIN (
  SELECT unit, any(path) AS path, any(target) AS target, any(options) AS options
  FROM units GROUP BY unit) AS u USING unit
ORDER BY mean_wall_ns DESC, path, target, options
LIMIT :rows
