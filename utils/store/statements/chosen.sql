-- The builds that an answer is about, as a table.
(SELECT id, id AS build_key, begun_ns, commit_id, branch, author, machine, units
 FROM builds
 WHERE (:since IS NULL OR begun_ns >= :since)
   AND (:until IS NULL OR begun_ns < :until)
   AND (:branch IS NULL OR branch = :branch)
   AND (:machine IS NULL OR machine = :machine OR host = :machine)
   AND (:clang IS NULL OR instr(clang, :clang) > 0));
