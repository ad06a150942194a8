SELECT id AS build, previous, begun_ns, commit_id, branch, author, modified,
       common AS units, count_change, self_ns_change
FROM (SELECT id, build_key, begun_ns, commit_id, branch, author, modified
      FROM builds) AS b
GLOBAL ALL INNER JOIN (
  SELECT owner AS build_key, count() AS common, sum(change) AS count_change,
         tupleElement(arraySort(groupArray((before_ns, before_id)))[-1], 2)
           AS previous,
         sum(self_change) AS self_ns_change
  FROM (
    -- A unit with the build before it that compiled it as often.
    SELECT this.3 AS owner, before.1 AS before_ns, before.2 AS before_id,
           this.4 - before.4 AS change, this.5 - before.5 AS self_change
    FROM (
      SELECT branch, unit, arraySort(groupArray(
               (begun_ns, id, build_key, u_count, u_self))) AS sorted
      FROM (
        SELECT build_key, unit, count() AS times, sum(count) AS u_count,
               sum(self_ns) AS u_self
        FROM compiles
        WHERE build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS b)
        GROUP BY build_key, unit) AS u
      GLOBAL ALL INNER JOIN (
        SELECT build_key, id, begun_ns, branch FROM {{chosen}} AS b
        WHERE branch != '') AS k USING build_key
      GROUP BY branch, unit, times) AS g
    ARRAY JOIN arrayPopFront(sorted) AS this, arrayPopBack(sorted) AS before
    ) AS d
  GROUP BY owner HAVING count_change > 0) AS w USING build_key
ORDER BY count_change DESC, build
LIMIT :rows
