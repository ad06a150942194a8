-- Names and units of an upload that the server has, by the rows that are there: nothing
-- has to be sent to ask.
SELECT DISTINCT name FROM names WHERE name GLOBAL IN (
  SELECT name FROM build_costs WHERE build_key = :key);
SELECT DISTINCT unit FROM units WHERE unit GLOBAL IN (
  SELECT unit FROM compiles WHERE build_key = :key);
