-- Takes out of a file the builds for which {{condition}} holds.
DELETE FROM costs WHERE compile IN (
  SELECT id FROM compiles WHERE build IN (
    SELECT id FROM builds WHERE {{condition}}));
DELETE FROM build_costs WHERE build IN (SELECT id FROM builds WHERE {{condition}});
DELETE FROM compiles WHERE build IN (SELECT id FROM builds WHERE {{condition}});
DELETE FROM missing WHERE build IN (SELECT id FROM builds WHERE {{condition}});
DELETE FROM builds WHERE {{condition}};
