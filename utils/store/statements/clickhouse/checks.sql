-- What no upload makes, and a damaged or foreign database may have: a line of
-- text for each fault. Of the builds that there are when it is begun, so that
-- none is taken for damaged whose rows come while they are read.

SELECT concat('build ', toString(id), ' has ', toString(seen),
              ' compiles, expected ', toString(units)) AS line
FROM (SELECT id, build_key, units FROM {{chosen}} AS w) AS b
GLOBAL ALL LEFT JOIN (
  SELECT build_key, toInt64(count()) AS seen FROM compiles
  GROUP BY build_key) AS c USING build_key
WHERE units != seen ORDER BY id;

SELECT concat('build ', toString(id), ': sums of kind ', toString(kind),
              ' are not those of its compiles') AS line
FROM (SELECT id, build_key FROM {{chosen}} AS w) AS b
GLOBAL ALL INNER JOIN (
  SELECT build_key, kind
  FROM (SELECT build_key, kind, sum(self_ns) AS s, sum(count) AS n
        FROM build_costs WHERE kind < 4 GROUP BY build_key, kind) AS k
  GLOBAL ALL LEFT JOIN (
    SELECT build_key, kind, sum(self_ns) AS of_s, sum(count) AS of_n
    FROM costs GROUP BY build_key, kind) AS c USING build_key, kind
  WHERE s != of_s OR n != of_n) AS d USING build_key
ORDER BY id, kind;

SELECT concat(toString(lacking), ' names of builds have no text') AS line
FROM (
  SELECT uniqExact(name) AS lacking FROM build_costs
  WHERE build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS w)
    AND name GLOBAL NOT IN (SELECT name FROM names)) AS l
WHERE lacking != 0;

SELECT concat(toString(lacking), ' units of builds have no path') AS line
FROM (
  SELECT uniqExact(unit) AS lacking FROM compiles
  WHERE build_key GLOBAL IN (SELECT build_key FROM {{chosen}} AS w)
    AND unit GLOBAL NOT IN (SELECT unit FROM units)) AS l
WHERE lacking != 0;

SELECT concat('name ', toString(name), ' is of two texts') AS line
FROM names GROUP BY name HAVING uniqExact(hash, size_bytes, fixed) > 1
ORDER BY name LIMIT 10;

SELECT concat('build ', toString(id), ' is ', toString(count()), ' builds')
       AS line
FROM {{chosen}} AS w GROUP BY id HAVING count() > 1 ORDER BY id;
