-- Commits that begin with :text; LIKE and GLOB would read a % or * in it. One that is the
-- text itself is the first.
SELECT commit_id FROM builds
WHERE substr(commit_id, 1, length(:text)) = :text
GROUP BY commit_id ORDER BY commit_id LIMIT :most;
