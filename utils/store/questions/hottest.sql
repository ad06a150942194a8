-- text: Which templates, headers, libraries or specializations cost most?
-- takes: by since until branch machine clang rows
-- draws: bars self_ns name
WITH chosen AS {{chosen}}
SELECT n.text AS name, count(*) AS builds, sum(c.units) AS units,
       sum(c.count) AS count, sum(c.memoized) AS memoized,
       sum(c.self_ns) AS self_ns, sum(c.inclusive_ns) AS inclusive_ns,
       sum(c.ast_bytes) AS ast_bytes, sum(c.optimize_ns) AS optimize_ns,
       sum(c.generate_ns) AS generate_ns, sum(c.object_bytes) AS object_bytes
FROM chosen AS b
JOIN build_costs AS c ON c.build = b.id AND c.kind = :by
JOIN names AS n ON n.id = c.name
GROUP BY c.name
ORDER BY self_ns DESC, name
LIMIT :rows
