-- Rows of {{keys}}. Uploads last, by which the others are found.
ALTER TABLE {{local costs}} DELETE WHERE build_key IN ({{keys}});
ALTER TABLE {{local build_costs}} DELETE WHERE build_key IN ({{keys}});
ALTER TABLE {{local compiles}} DELETE WHERE build_key IN ({{keys}});
ALTER TABLE {{local missing}} DELETE WHERE build_key IN ({{keys}});
ALTER TABLE {{local uploads}} DELETE WHERE build_key IN ({{keys}});
