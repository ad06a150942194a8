-- Takes builds out of all answers: those that began before :before, and that of :key.
INSERT INTO build_versions (session, version, removed, id, build_key, begun, begun_ns)
  SELECT session, version + 1, 1, id, build_key, begun, begun_ns
  FROM stored_builds WHERE begun_ns < :before OR build_key = :key;
