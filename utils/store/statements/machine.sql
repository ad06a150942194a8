-- Whether the base is of another kind of machine.
SELECT count(*) AS others FROM builds
WHERE id = :base
  AND machine <> (SELECT machine FROM builds WHERE id = :head LIMIT 1);
