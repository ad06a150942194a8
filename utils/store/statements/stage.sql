-- The rows of one session, which no other process sees. A key is what a server finds a
-- name or a unit by; stored is the number of a name in a file.
DROP TABLE IF EXISTS temp.new_names;
DROP TABLE IF EXISTS temp.new_compiles;
DROP TABLE IF EXISTS temp.new_costs;
DROP TABLE IF EXISTS temp.new_missing;
CREATE TEMP TABLE new_names(
  id INTEGER PRIMARY KEY, hash INT, size_bytes INT, fixed INT, text TEXT,
  key INT, stored INT);
CREATE TEMP TABLE new_compiles(
  id INTEGER PRIMARY KEY, path TEXT, target TEXT, options TEXT, unit_key INT,
  trace TEXT, complete INT, wall_ns INT, count INT, memoized INT, self_ns INT,
  ast_bytes INT, object_bytes INT, peak_rss_bytes INT);
CREATE TEMP TABLE new_costs(
  compile INT, kind INT, name INT, count INT, memoized INT, self_ns INT,
  inclusive_ns INT, ast_bytes INT, optimize_ns INT, generate_ns INT,
  object_bytes INT);
CREATE TEMP TABLE new_missing(kind TEXT, count INT, text TEXT);
