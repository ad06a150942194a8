-- Units that the base and the head did not compile as often.
SELECT count(*) AS units FROM (
  SELECT unit FROM (
    SELECT unit, {{build_key}}, count(*) AS times FROM compiles
    WHERE {{build_key}} {{in}} (
      SELECT build_key FROM {{chosen}} AS c WHERE id = :base OR id = :head)
    GROUP BY unit, {{build_key}}) AS t
  GROUP BY unit HAVING min(times) <> max(times)) AS u;
