-- For how many days builds are kept from now on: behind all that was said before,
-- whatever clock that had.
INSERT INTO keeping (at_ns, days, since)
  SELECT greatest(toInt64(toUInt32(now())) * 1000000000,
                  (SELECT max(at_ns) FROM keeping) + 1), :days, day
  FROM kept_since;
