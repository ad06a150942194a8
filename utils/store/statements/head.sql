-- The build that is compared, without --head.
SELECT id FROM {{chosen}} AS c ORDER BY begun_ns DESC, id DESC LIMIT 1;
