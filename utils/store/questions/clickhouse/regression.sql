-- with keys
(SELECT build_key FROM stored_builds WHERE id IN (:base, :head))
-- end
-- with common
(SELECT unit, max(times) AS often
 FROM (
   -- A unit may be one of several targets.
   SELECT unit, build_key, count() AS times FROM compiles
   WHERE build_key GLOBAL IN {{keys}} GROUP BY unit, build_key) AS t
 GROUP BY unit
 HAVING count() = if(:base = :head, 1, 2) AND min(times) = max(times))
-- end
-- with is_in_series
(id IN (:base, :head)
 OR (id GLOBAL IN (SELECT id FROM {{chosen}} AS b)
     AND branch = (SELECT branch FROM stored_builds WHERE id = :head LIMIT 1)
     AND branch != ''
     AND begun_ns > (SELECT begun_ns FROM stored_builds
                     WHERE id = :base LIMIT 1)
     AND begun_ns < (SELECT begun_ns FROM stored_builds
                     WHERE id = :head LIMIT 1)
     AND (:metric NOT IN ('self', 'time')
          OR machine = (SELECT machine FROM stored_builds
                        WHERE id = :head LIMIT 1))))
-- end
-- with compared
(build_key, unit) GLOBAL IN (
    SELECT build_key, unit
    FROM (
      -- Also said here: a set is made even if no row is asked for.
      SELECT build_key, unit, count() AS times FROM compiles
      WHERE :has_name = 1 AND build_key GLOBAL IN (
        SELECT build_key FROM stored_builds WHERE {{is_in_series}})
      GROUP BY build_key, unit) AS t
    WHERE (unit, times) GLOBAL IN {{common}})
-- end
-- Of stored_builds, since all of them were chosen of builds, which takes an old
-- server much longer to analyse.
SELECT id AS build, begun_ns, commit_id, branch, author, modified, seen AS units,
       (SELECT count() FROM {{common}} AS c) AS common_units, value
FROM (
  SELECT id, build_key, begun_ns, commit_id, branch, author, modified
  FROM stored_builds
  WHERE {{is_in_series}}) AS s
GLOBAL ALL LEFT JOIN (
  SELECT build_key, uniqExact(unit) AS seen,
         if(:metric = 'memory', max(of_unit), sum(of_unit)) AS value
  FROM (
    SELECT build_key, unit, value AS of_unit
    FROM (
      SELECT build_key, unit, count() AS times,
             if(:metric = 'memory', max(peak_rss_bytes),
                sum(multiIf(:has_name = 1, toInt64(0), :metric = 'count', count,
                            :metric = 'memoized', memoized,
                            :metric = 'ast', ast_bytes,
                            :metric = 'bytes', object_bytes,
                            :metric = 'self', self_ns, wall_ns))) AS value
      FROM compiles
      WHERE build_key GLOBAL IN (
        SELECT build_key FROM stored_builds WHERE {{is_in_series}})
      GROUP BY build_key, unit) AS t
    WHERE (unit, times) GLOBAL IN {{common}}
-- named
    UNION ALL
    -- Of one name; a compile without it has none of it.
    SELECT build_key, unit, value AS of_unit
    FROM (
      SELECT build_key, compile,
             multiIf(:metric = 'count', count, :metric = 'memoized', memoized,
                     :metric = 'ast', ast_bytes, :metric = 'bytes', object_bytes,
                     :metric = 'self', self_ns, inclusive_ns) AS value
      FROM costs
      WHERE :has_name = 1 AND kind = :by
        AND build_key GLOBAL IN (
          SELECT build_key FROM stored_builds WHERE {{is_in_series}})
        AND name GLOBAL IN (SELECT name FROM names
                            WHERE :has_name = 1 AND text = :name
                            ORDER BY fixed, size_bytes, hash LIMIT 1)) AS k
    GLOBAL ALL INNER JOIN (
      SELECT build_key, compile, unit FROM compiles
      WHERE :has_name = 1 AND {{compared}}) AS u
      USING build_key, compile
-- end named
    ) AS v
  GROUP BY build_key) AS c USING build_key
ORDER BY if(build = :base, 0, if(build = :head, 2, 1)), begun_ns, build

-- section: detail
SELECT text AS name, count_change, self_ns_change, value_change
FROM (
  SELECT name AS key, sum(sign * count) AS count_change,
         sum(sign * self_ns) AS self_ns_change,
         sum(sign * multiIf(:metric = 'count', count,
                            :metric = 'memoized', memoized,
                            :metric IN ('ast', 'memory'), ast_bytes,
                            :metric = 'bytes', object_bytes, self_ns))
           AS value_change
  FROM (
    SELECT build_key, compile, name, count, memoized, ast_bytes, object_bytes,
           self_ns
    FROM costs
    WHERE kind = 1 AND build_key GLOBAL IN (SELECT build_key FROM stored_builds
                                            WHERE id IN (:before, :after))) AS r
  GLOBAL ALL INNER JOIN (
    SELECT build_key, compile, sign
    FROM (
      SELECT build_key, compile FROM compiles
      WHERE build_key GLOBAL IN (SELECT build_key FROM stored_builds
                                 WHERE id IN (:before, :after))
        AND unit GLOBAL IN (SELECT unit FROM {{common}} AS m)) AS c
    GLOBAL ALL INNER JOIN (
      SELECT build_key, if(id = :after, 1, -1) AS sign FROM stored_builds
      WHERE id IN (:before, :after)) AS s USING build_key
    ) AS u USING build_key, compile
  GROUP BY name HAVING value_change != 0) AS d
GLOBAL ALL INNER JOIN (
  SELECT name AS key, any(text) AS text FROM names
  WHERE fixed = 0 AND name GLOBAL IN (
    SELECT name FROM costs
    WHERE kind = 1 AND build_key GLOBAL IN (SELECT build_key FROM stored_builds
                                            WHERE id IN (:before, :after)))
  GROUP BY name) AS n USING key
ORDER BY abs(value_change) DESC, name
LIMIT :rows
