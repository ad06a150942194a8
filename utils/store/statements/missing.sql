SELECT kind, sum(count) AS parts, count(DISTINCT {{build_key}}) AS builds
FROM missing
WHERE {{build_key}} {{in}} (SELECT build_key FROM {{chosen}} AS c)
GROUP BY kind ORDER BY kind;
