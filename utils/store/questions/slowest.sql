-- text: Which units take longest?
-- takes: since until branch machine clang rows
-- draws: bars mean_wall_ns path
WITH chosen AS {{chosen}}
SELECT u.path, count(*) AS compiles, sum(c.wall_ns) / count(*) AS mean_wall_ns,
       min(c.wall_ns) AS least_wall_ns, max(c.wall_ns) AS most_wall_ns,
       max(c.peak_rss_bytes) AS peak_rss_bytes, u.target, u.options
FROM chosen AS b
JOIN compiles AS c ON c.build = b.id
JOIN units AS u ON u.id = c.unit
GROUP BY c.unit
ORDER BY mean_wall_ns DESC, u.path, u.target, u.options
LIMIT :rows
