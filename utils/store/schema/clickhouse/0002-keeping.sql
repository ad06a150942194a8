-- How long builds are kept.

-- `store prune --keep=DAYS` adds a row; days: 0 means for ever. What was older
-- than a store kept never comes back: the greatest `since` stays.
CREATE TABLE IF NOT EXISTS {{local keeping}} (
  at_ns Int64,
  days UInt16,
  since Date
) ENGINE = {{engine MergeTree keeping}} ORDER BY at_ns;
{{distributed keeping at_ns}}
CREATE VIEW IF NOT EXISTS {{view kept_since}} AS
  SELECT toDate(greatest(toInt64(toUInt16(max(since))),
                         if(argMax(days, at_ns) = 0, toInt64(0),
                            toInt64(intDiv(toUInt32(now()), 86400))
                              - argMax(days, at_ns)))) AS day
  FROM {{table keeping}};
CREATE VIEW IF NOT EXISTS {{view stored_builds}} AS
  SELECT id, build_key, session, content, begun_ns, commit_id, branch, author,
         modified, state, exit_code, command, clang, host, machine, system,
         wall_ns, user_ns, system_ns, units, missing, added_ns, version, begun
  FROM {{table build_versions}} FINAL WHERE removed = 0;

-- From here on another one who does the same may make this fail, and then it is
-- done again: what is there under the name of a view is the newest.
DROP TABLE IF EXISTS {{view builds}};
CREATE VIEW {{view builds}} AS
  SELECT id, build_key, session, content, begun_ns, commit_id, branch, author,
         modified, state, exit_code, command, clang, host, machine, system,
         wall_ns, user_ns, system_ns, units, missing, added_ns, version, begun
  FROM {{table build_versions}} FINAL
  -- A set of days: a value would be asked for here, of shards without a table yet.
  WHERE removed = 0 AND toUInt16(begun) GLOBAL NOT IN (
    SELECT arrayJoin(range(toUInt16(day))) FROM {{table kept_since}});
DROP TABLE IF EXISTS {{view schema_version}};
CREATE VIEW {{view schema_version}} AS SELECT toUInt32(2) AS version;
