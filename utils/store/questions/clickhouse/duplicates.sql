SELECT text AS name, s_units AS units, s_count AS count, s_self AS self_ns,
       s_self - intDiv(s_self, s_units) AS repeated_ns, s_object AS object_bytes
FROM (
  SELECT name AS key, sum(units) AS s_units, sum(count) AS s_count,
         sum(self_ns) AS s_self, sum(object_bytes) AS s_object
  FROM build_costs
  WHERE kind = 4 AND build_key GLOBAL IN (
    SELECT build_key FROM {{chosen}} AS b ORDER BY begun_ns DESC, id DESC LIMIT 1)
  GROUP BY name HAVING s_units > 1) AS s
GLOBAL ALL INNER JOIN (
  SELECT name AS key, any(text) AS text FROM names
  WHERE fixed = 0 AND name GLOBAL IN (
    SELECT name FROM build_costs
    WHERE kind = 4 AND build_key GLOBAL IN (
      SELECT build_key FROM {{chosen}} AS b ORDER BY begun_ns DESC, id DESC
      LIMIT 1))
  GROUP BY name) AS n USING key
ORDER BY repeated_ns DESC, units DESC, name
LIMIT :rows
