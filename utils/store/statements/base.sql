-- The build that it is compared with, without --base: of times, on its kind of machine.
SELECT id FROM {{chosen}} AS c
WHERE branch = (SELECT branch FROM builds WHERE id = :head LIMIT 1)
  AND (:metric NOT IN ('self', 'time')
       OR machine = (SELECT machine FROM builds WHERE id = :head LIMIT 1))
  AND begun_ns <= (SELECT begun_ns FROM builds WHERE id = :head LIMIT 1)
ORDER BY begun_ns, id LIMIT 1;
