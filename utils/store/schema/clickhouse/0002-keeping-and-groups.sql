-- How long builds are kept, and sums over many builds, for questions about all.

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

-- Builds of one month, branch, machine and Clang, or a week later of any branch.
-- A group stands for its builds where all of them are asked about and it has the
-- greatest key of those that have them; a group that is not whole never does.
CREATE TABLE IF NOT EXISTS {{local group_builds}} (
  group_key UInt64,
  build_key UInt64,
  begun Date,
  members UInt32
) ENGINE = {{engine MergeTree group_builds}}
PARTITION BY toYYYYMM(begun) ORDER BY (group_key, build_key);
{{distributed group_builds group_key}}

-- The sums of build_costs over the builds of a group.
CREATE TABLE IF NOT EXISTS {{local group_costs}} (
  group_key UInt64,
  begun Date,
  made DateTime,
  kind UInt8,
  name UInt64,
  builds Int64,
  units Int64,
  count Int64,
  memoized Int64,
  self_ns Int64,
  inclusive_ns Int64,
  ast_bytes Int64,
  optimize_ns Int64,
  generate_ns Int64,
  object_bytes Int64
) ENGINE = {{engine MergeTree group_costs}}
PARTITION BY toYYYYMM(begun) ORDER BY (kind, group_key, name);
{{distributed group_costs group_key}}

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
