-- text: What does one template, header, library or specialization cost in each build?
-- takes: by name since until branch machine clang rows
-- needs: name
-- draws: line count commit_id
WITH chosen AS {{chosen}}
SELECT b.id AS build, b.begun_ns, b.commit_id, b.branch, b.author,
       coalesce(c.units, 0) AS units, b.units AS build_units,
       coalesce(c.count, 0) AS count, coalesce(c.self_ns, 0) AS self_ns,
       coalesce(c.inclusive_ns, 0) AS inclusive_ns,
       coalesce(c.object_bytes, 0) AS object_bytes
FROM chosen AS b
LEFT JOIN build_costs AS c ON c.build = b.id AND c.kind = :by
  AND c.name = (SELECT id FROM names WHERE text = :name
                ORDER BY fixed, size_bytes, hash LIMIT 1)
ORDER BY b.begun_ns, b.id
