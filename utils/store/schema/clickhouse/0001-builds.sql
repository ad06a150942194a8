-- Builds, what was compiled in them, and what that cost: the tables of a file,
-- for ClickHouse from 18.16 on.
--
-- A build is in its rows by build_key, which no two uploads have in common, and
-- in answers by id. Rows count if `builds` has their build_key: it gets it when
-- the server has counted all of them. Names and units are here once; a name is
-- found by a hash of the hash and the length of its whole text, of which the
-- first 64 KiB are kept (fixed: one of ours, such as "(parsing)"). Numbers are
-- those of `instantrace summary`.

-- By session, the one of the greatest version counts.
CREATE TABLE IF NOT EXISTS {{local build_versions}} (
  session String,
  version UInt64,
  removed UInt8,
  id Int64,
  build_key UInt64,
  begun Date,
  content String,
  begun_ns Int64,
  commit_id String,
  branch String,
  author String,
  modified Int64,
  state String,
  exit_code Int64,
  command String,
  clang String,
  host String,
  machine String,
  system String,
  wall_ns Int64,
  user_ns Int64,
  system_ns Int64,
  units Int64,
  missing Int64,
  added_ns Int64
) ENGINE = {{engine ReplacingMergeTree build_versions version}}
PARTITION BY toYYYYMM(begun) ORDER BY session;
{{distributed build_versions cityHash64(session)}}
CREATE VIEW IF NOT EXISTS {{view builds}} AS
  SELECT id, build_key, session, content, begun_ns, commit_id, branch, author,
         modified, state, exit_code, command, clang, host, machine, system,
         wall_ns, user_ns, system_ns, units, missing, added_ns, version, begun
  FROM {{table build_versions}} FINAL WHERE removed = 0;

-- Uploads that were begun, so that the rows of those that did not end are found.
CREATE TABLE IF NOT EXISTS {{local uploads}} (
  build_key UInt64,
  session String,
  begun Date,
  at DateTime
) ENGINE = {{engine MergeTree uploads}}
PARTITION BY toYYYYMM(begun) ORDER BY build_key;
{{distributed uploads build_key}}

CREATE TABLE IF NOT EXISTS {{local names}} (
  name UInt64,
  hash UInt64,
  size_bytes UInt64,
  fixed UInt8,
  text String
) ENGINE = {{engine ReplacingMergeTree names}} ORDER BY name;
{{distributed names name}}

CREATE TABLE IF NOT EXISTS {{local units}} (
  unit UInt64,
  path String,
  target String,
  options String
) ENGINE = {{engine ReplacingMergeTree units}} ORDER BY unit;
{{distributed units unit}}

-- What of a build is not in its numbers, or only in part.
CREATE TABLE IF NOT EXISTS {{local missing}} (
  build_key UInt64,
  begun Date,
  kind String,
  count Int64,
  text String
) ENGINE = {{engine MergeTree missing}}
PARTITION BY toYYYYMM(begun) ORDER BY build_key;
{{distributed missing build_key}}

CREATE TABLE IF NOT EXISTS {{local compiles}} (
  build_key UInt64,
  begun Date,
  compile UInt32,
  unit UInt64,
  trace String,
  complete UInt8,
  wall_ns Int64,
  count Int64,
  memoized Int64,
  self_ns Int64,
  ast_bytes Int64,
  object_bytes Int64,
  peak_rss_bytes Int64
) ENGINE = {{engine MergeTree compiles}}
PARTITION BY toYYYYMM(begun) ORDER BY (build_key, unit, compile);
{{distributed compiles build_key}}

-- Where costs come in, of which nothing is kept here.
-- kind: 1 template, 2 header, 3 library, 4 specialization.
CREATE TABLE IF NOT EXISTS {{local cost_rows}} (
  build_key UInt64,
  begun Date,
  kind UInt8,
  name UInt64,
  compile UInt32,
  count Int64,
  memoized Int64,
  self_ns Int64,
  inclusive_ns Int64,
  ast_bytes Int64,
  optimize_ns Int64,
  generate_ns Int64,
  object_bytes Int64
) ENGINE = Null;
{{distributed cost_rows build_key}}

-- By compile, without specializations.
CREATE TABLE IF NOT EXISTS {{local costs}} (
  build_key UInt64,
  begun Date,
  kind UInt8,
  name UInt64,
  compile UInt32,
  count Int64,
  memoized Int64,
  self_ns Int64,
  inclusive_ns Int64,
  ast_bytes Int64,
  optimize_ns Int64,
  generate_ns Int64,
  object_bytes Int64
) ENGINE = {{engine MergeTree costs}}
PARTITION BY toYYYYMM(begun) ORDER BY (build_key, kind, name, compile);
{{distributed costs build_key}}
CREATE MATERIALIZED VIEW IF NOT EXISTS {{view costs_of_rows}} TO {{name costs}} AS
  SELECT build_key, begun, kind, name, compile, count, memoized, self_ns,
         inclusive_ns, ast_bytes, optimize_ns, generate_ns, object_bytes
  FROM {{name cost_rows}} WHERE kind < 4;

-- By build. Rows of one key are added up when parts are merged, so ask for sums.
CREATE TABLE IF NOT EXISTS {{local build_costs}} (
  build_key UInt64,
  begun Date,
  kind UInt8,
  name UInt64,
  units Int64,
  count Int64,
  memoized Int64,
  self_ns Int64,
  inclusive_ns Int64,
  ast_bytes Int64,
  optimize_ns Int64,
  generate_ns Int64,
  object_bytes Int64
) ENGINE = {{engine SummingMergeTree build_costs}}
PARTITION BY toYYYYMM(begun) ORDER BY (build_key, kind, name);
{{distributed build_costs build_key}}
CREATE MATERIALIZED VIEW IF NOT EXISTS {{view build_costs_of_rows}} TO {{name build_costs}} AS
  SELECT build_key, begun, kind, name, toInt64(count()) AS units,
         sum(count) AS count, sum(memoized) AS memoized,
         sum(self_ns) AS self_ns, sum(inclusive_ns) AS inclusive_ns,
         sum(ast_bytes) AS ast_bytes, sum(optimize_ns) AS optimize_ns,
         sum(generate_ns) AS generate_ns, sum(object_bytes) AS object_bytes
  FROM {{name cost_rows}} GROUP BY build_key, begun, kind, name;

-- Last: where it is, all of the above is.
CREATE VIEW IF NOT EXISTS {{view schema_version}} AS SELECT toUInt32(1) AS version;
