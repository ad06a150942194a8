-- Of what is sent to a server: what clickhouse/sent.sql says of what arrived.
SELECT count(*), sum(count), sum(wall_ns) FROM temp.new_compiles;
SELECT count(*), sum(count), sum(self_ns) FROM (
  SELECT sum(count) AS count, sum(self_ns) AS self_ns FROM temp.new_costs
  WHERE kind < 4 GROUP BY compile, kind, name);
SELECT count(*), sum(count), sum(self_ns) FROM (
  SELECT sum(count) AS count, sum(self_ns) AS self_ns FROM temp.new_costs
  GROUP BY compile, kind, name);
SELECT count(*), coalesce(sum(count), 0) FROM temp.new_missing;
SELECT count(*) FROM temp.new_names;
SELECT count(DISTINCT unit_key) FROM temp.new_compiles;
