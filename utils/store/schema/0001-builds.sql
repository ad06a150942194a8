-- Builds, what was compiled in them, and what that cost.
--
-- Names are here once, whatever has them; a name is found by the hash and the
-- length of its whole text (fixed: one of ours, such as "(parsing)"), of which
-- the first 64 KiB are kept. Numbers of costs are sums, in the units that
-- their names say, and are those of `instantrace summary`.

CREATE TABLE names(
  id INTEGER PRIMARY KEY,
  hash INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  fixed INTEGER NOT NULL,
  text TEXT NOT NULL,
  UNIQUE(hash, size_bytes, fixed)
);

-- A build is one session, found by what it says of itself, and there as a whole
-- or not at all: rows of a build are made in one transaction.
CREATE TABLE builds(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL UNIQUE,
  content TEXT NOT NULL,
  begun_ns INTEGER NOT NULL,
  commit_id TEXT NOT NULL,
  branch TEXT NOT NULL,
  author TEXT NOT NULL,
  modified INTEGER NOT NULL,
  state TEXT NOT NULL,
  exit_code INTEGER NOT NULL,
  command TEXT NOT NULL,
  clang TEXT NOT NULL,
  host TEXT NOT NULL,
  machine TEXT NOT NULL,
  system TEXT NOT NULL,
  wall_ns INTEGER NOT NULL,
  user_ns INTEGER NOT NULL,
  system_ns INTEGER NOT NULL,
  units INTEGER NOT NULL,
  missing INTEGER NOT NULL,
  added_ns INTEGER NOT NULL
);
CREATE INDEX builds_by_time ON builds(begun_ns);

-- What of a build is not in its numbers, or only in part.
CREATE TABLE missing(
  build INTEGER NOT NULL REFERENCES builds(id),
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  text TEXT NOT NULL
);
CREATE INDEX missing_by_build ON missing(build);

-- A translation unit, the same in all builds of it.
CREATE TABLE units(
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  target TEXT NOT NULL,
  options TEXT NOT NULL,
  UNIQUE(path, target, options)
);

CREATE TABLE compiles(
  id INTEGER PRIMARY KEY,
  build INTEGER NOT NULL REFERENCES builds(id),
  unit INTEGER NOT NULL REFERENCES units(id),
  trace TEXT NOT NULL,
  complete INTEGER NOT NULL,
  wall_ns INTEGER NOT NULL,
  count INTEGER NOT NULL,
  memoized INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  ast_bytes INTEGER NOT NULL,
  object_bytes INTEGER NOT NULL,
  peak_rss_bytes INTEGER NOT NULL
);
CREATE INDEX compiles_by_build ON compiles(build, unit);
CREATE INDEX compiles_by_unit ON compiles(unit, build);

-- kind: 1 template, 2 header, 3 library.
CREATE TABLE costs(
  compile INTEGER NOT NULL REFERENCES compiles(id),
  kind INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES names(id),
  count INTEGER NOT NULL,
  memoized INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  inclusive_ns INTEGER NOT NULL,
  ast_bytes INTEGER NOT NULL,
  optimize_ns INTEGER NOT NULL,
  generate_ns INTEGER NOT NULL,
  object_bytes INTEGER NOT NULL,
  PRIMARY KEY(compile, kind, name)
) WITHOUT ROWID;

-- The sums of costs over the compiles of a build, and with kind 4 those of
-- specializations, which are in no other table.
CREATE TABLE build_costs(
  build INTEGER NOT NULL REFERENCES builds(id),
  kind INTEGER NOT NULL,
  name INTEGER NOT NULL REFERENCES names(id),
  units INTEGER NOT NULL,
  count INTEGER NOT NULL,
  memoized INTEGER NOT NULL,
  self_ns INTEGER NOT NULL,
  inclusive_ns INTEGER NOT NULL,
  ast_bytes INTEGER NOT NULL,
  optimize_ns INTEGER NOT NULL,
  generate_ns INTEGER NOT NULL,
  object_bytes INTEGER NOT NULL,
  PRIMARY KEY(build, kind, name)
) WITHOUT ROWID;
CREATE INDEX build_costs_by_name ON build_costs(name, kind);
