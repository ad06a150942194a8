-- Keys of which the rows may go: of builds that were taken out, whose rows may be on a
-- shard that prunes by itself, and of uploads that have not ended for a day.
SELECT DISTINCT toString(build_key) AS key FROM uploads
WHERE build_key GLOBAL NOT IN (SELECT build_key FROM stored_builds)
  AND (at < now() - 86400 OR build_key GLOBAL IN (
    SELECT build_key FROM build_versions WHERE removed = 1));
