SELECT id AS build, begun_ns, commit_id, branch, author, modified, host, units,
       missing, wall_ns, command
FROM builds ORDER BY begun_ns DESC, build DESC;
