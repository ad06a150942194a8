-- What no program makes, and a damaged or foreign file may have: a line of text
-- for each fault.

SELECT 'build ' || b.id || ' has '
       || (SELECT count(*) FROM compiles AS c WHERE c.build = b.id)
       || ' compiles, expected ' || b.units
FROM builds AS b
WHERE b.units <> (SELECT count(*) FROM compiles AS c WHERE c.build = b.id);

SELECT 'build ' || k.build || ': sums of kind ' || k.kind
       || ' are not those of its compiles'
FROM (SELECT build, kind, sum(self_ns) AS s, sum(count) AS n
      FROM build_costs WHERE kind < 4 GROUP BY build, kind) AS k
LEFT JOIN (
  SELECT build, kind, sum(costs.self_ns) AS s, sum(costs.count) AS n
  FROM costs JOIN compiles ON compiles.id = costs.compile
  GROUP BY build, kind) AS c ON c.build = k.build AND c.kind = k.kind
WHERE c.s IS NOT k.s OR c.n IS NOT k.n;
