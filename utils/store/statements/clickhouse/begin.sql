-- By the server's clock, as the day is after which prune takes it for one that did not end.
INSERT INTO uploads (build_key, session, begun, at)
  SELECT toUInt64(:key), :session, toDate(:day), now();
