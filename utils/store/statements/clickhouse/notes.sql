-- No faults, and good to know: a line of text for each.

SELECT concat(toString(open), ' uploads have not ended or were replaced, which no answer has; a day later, instantrace store prune takes them out') AS line
FROM (
  SELECT count() AS open FROM uploads
  WHERE build_key GLOBAL NOT IN (SELECT build_key FROM stored_builds)
    AND build_key GLOBAL NOT IN (
      SELECT build_key FROM build_versions WHERE removed = 1)) AS o
WHERE open != 0;

SELECT concat(toString(rest), ' pruned builds have rows left, which no answer has; instantrace store prune takes them out, of a cluster without replicas on each of its shards') AS line
FROM (
  SELECT count() AS rest FROM uploads
  WHERE build_key GLOBAL NOT IN (SELECT build_key FROM stored_builds)
    AND build_key GLOBAL IN (
      SELECT build_key FROM build_versions WHERE removed = 1)) AS p
WHERE rest != 0;
