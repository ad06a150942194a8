SELECT id AS build, previous, begun_ns, commit_id, branch, author, modified,
       common AS units, count_change, self_ns_change
FROM (SELECT id, build_key, begun_ns, commit_id, branch, author, modified
      FROM builds) AS b
GLOBAL ALL INNER JOIN (
  SELECT owner AS build_key, any(before_id) AS previous, count() AS common,
         sum(change) AS count_change, sum(self_change) AS self_ns_change
  FROM (
    -- Units of a build (1) and of the one before it on its branch (-1).
    SELECT owner, unit, any(previous) AS before_id, sum(sign * count) AS change,
           sum(sign * self_ns) AS self_change
    FROM (
      SELECT build_key, unit, count, self_ns FROM compiles
      WHERE build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b)) AS c
    GLOBAL ALL INNER JOIN (
      SELECT side.1 AS build_key, side.2 AS sign, owner, previous
      FROM (
        SELECT this.3 AS owner, before.2 AS previous,
               [(this.3, 1), (before.3, -1)] AS sides
        FROM (
          SELECT branch, arraySort(groupArray((begun_ns, id, build_key))) AS sorted
          FROM {{chosen}} AS b GROUP BY branch) AS g
        ARRAY JOIN arrayPopFront(sorted) AS this, arrayPopBack(sorted) AS before
        ) AS p
      ARRAY JOIN sides AS side) AS s USING build_key
    GROUP BY owner, unit HAVING min(sign) < max(sign)) AS d
  GROUP BY owner HAVING count_change > 0) AS w USING build_key
ORDER BY count_change DESC, build
LIMIT :rows
