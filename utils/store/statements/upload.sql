-- What of a session is sent to a server, in the order of ClickHouseUpload.cpp: each column
-- with its name and its type there. Of names and units the key is first.
SELECT :key AS "build_key UInt64", :day AS "begun Date", id AS "compile UInt32",
       unit_key AS "unit UInt64", trace AS "trace String",
       complete AS "complete UInt8", wall_ns AS "wall_ns Int64",
       count AS "count Int64", memoized AS "memoized Int64",
       self_ns AS "self_ns Int64", ast_bytes AS "ast_bytes Int64",
       object_bytes AS "object_bytes Int64",
       peak_rss_bytes AS "peak_rss_bytes Int64"
FROM temp.new_compiles ORDER BY id;
-- Two headers may have one path from the root on, so rows are added up.
SELECT :key AS "build_key UInt64", :day AS "begun Date", c.kind AS "kind UInt8",
       n.key AS "name UInt64", c.compile AS "compile UInt32",
       sum(c.count) AS "count Int64", sum(c.memoized) AS "memoized Int64",
       sum(c.self_ns) AS "self_ns Int64",
       sum(c.inclusive_ns) AS "inclusive_ns Int64",
       sum(c.ast_bytes) AS "ast_bytes Int64",
       sum(c.optimize_ns) AS "optimize_ns Int64",
       sum(c.generate_ns) AS "generate_ns Int64",
       sum(c.object_bytes) AS "object_bytes Int64"
FROM temp.new_costs AS c JOIN temp.new_names AS n ON n.id = c.name
GROUP BY c.compile, c.kind, c.name;
SELECT :key AS "build_key UInt64", :day AS "begun Date", kind AS "kind String",
       count AS "count Int64", text AS "text String"
FROM temp.new_missing ORDER BY rowid;
SELECT key AS "name UInt64", hash AS "hash UInt64",
       size_bytes AS "size_bytes UInt64", fixed AS "fixed UInt8",
       text AS "text String"
FROM temp.new_names;
SELECT DISTINCT unit_key AS "unit UInt64", path AS "path String",
       target AS "target String", options AS "options String"
FROM temp.new_compiles;
