-- Puts the rows of one session into a file, behind compile {{last}}, as build {{build}}.
INSERT INTO main.names(hash, size_bytes, fixed, text)
  SELECT hash, size_bytes, fixed, text FROM temp.new_names ORDER BY id
  ON CONFLICT DO NOTHING;
UPDATE temp.new_names SET stored = (
  SELECT n.id FROM main.names AS n
  WHERE n.hash = new_names.hash AND n.size_bytes = new_names.size_bytes
    AND n.fixed = new_names.fixed);
INSERT INTO main.units(path, target, options)
  SELECT DISTINCT path, target, options FROM temp.new_compiles WHERE true
  ON CONFLICT DO NOTHING;
INSERT INTO main.costs
  SELECT c.compile + {{last}}, c.kind, n.stored, c.count, c.memoized, c.self_ns,
         c.inclusive_ns, c.ast_bytes, c.optimize_ns, c.generate_ns,
         c.object_bytes
  FROM temp.new_costs AS c JOIN temp.new_names AS n ON n.id = c.name;
INSERT INTO main.compiles
  SELECT c.id + {{last}}, {{build}}, u.id, c.trace, c.complete, c.wall_ns,
         c.count, c.memoized, c.self_ns, c.ast_bytes, c.object_bytes,
         c.peak_rss_bytes
  FROM temp.new_compiles AS c
  JOIN main.units AS u USING(path, target, options);
INSERT INTO main.missing
  SELECT {{build}}, kind, count, text FROM temp.new_missing ORDER BY rowid;
