-- What of an upload arrived, as staged.sql has it.
SELECT count(), sum(count), sum(wall_ns) FROM compiles WHERE build_key = :key;
SELECT count(), sum(count), sum(self_ns) FROM costs WHERE build_key = :key;
SELECT sum(units), sum(count), sum(self_ns) FROM build_costs WHERE build_key = :key;
SELECT count(), sum(count) FROM missing WHERE build_key = :key;
SELECT uniqExact(name) FROM names WHERE name GLOBAL IN (
  SELECT name FROM build_costs WHERE build_key = :key);
SELECT uniqExact(unit) FROM units WHERE unit GLOBAL IN (
  SELECT unit FROM compiles WHERE build_key = :key);
