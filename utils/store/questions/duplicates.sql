-- text: Which specializations does the latest build make again in unit after unit?
-- takes: since until branch machine clang rows
-- draws: bars repeated_ns name
WITH chosen AS {{chosen}}
SELECT n.text AS name, c.units, c.count, c.self_ns,
       c.self_ns - c.self_ns / c.units AS repeated_ns, c.object_bytes
FROM build_costs AS c
JOIN names AS n ON n.id = c.name
WHERE c.build = (SELECT id FROM chosen ORDER BY begun_ns DESC, id DESC LIMIT 1)
  AND c.kind = 4 AND c.units > 1 AND n.fixed = 0
ORDER BY repeated_ns DESC, c.units DESC, name
LIMIT :rows
