-- Rows go so many days after their build began, on 28 February 2104 at the latest: a
-- Date of 18.16 ends soon after that. For ever is until then, since REMOVE TTL is newer
-- than TTL, and fails where there is none.
ALTER TABLE {{local build_versions}} MODIFY TTL toDate(least(toUInt32(toUInt16(begun)) + :days, 49000));
ALTER TABLE {{local uploads}} MODIFY TTL toDate(least(toUInt32(toUInt16(begun)) + :days, 49000));
ALTER TABLE {{local missing}} MODIFY TTL toDate(least(toUInt32(toUInt16(begun)) + :days, 49000));
ALTER TABLE {{local compiles}} MODIFY TTL toDate(least(toUInt32(toUInt16(begun)) + :days, 49000));
ALTER TABLE {{local costs}} MODIFY TTL toDate(least(toUInt32(toUInt16(begun)) + :days, 49000));
ALTER TABLE {{local build_costs}} MODIFY TTL toDate(least(toUInt32(toUInt16(begun)) + :days, 49000));
