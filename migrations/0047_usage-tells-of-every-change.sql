-- Uses go on, of many advisers in one statement: their rows are locked in one order, however the batch came. The row is written
-- whatever changed, so that its version tells of every change of the adviser's sessions (server/answer-version.ts).
CREATE OR REPLACE FUNCTION touch_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_usage WHERE user_id IN (SELECT user_id FROM touched) ORDER BY user_id FOR UPDATE;
  UPDATE user_usage AS kept SET last_used = greatest(kept.last_used, latest.at)
  FROM (SELECT user_id, max(last_accessed) AS at FROM touched GROUP BY 1) AS latest
  WHERE kept.user_id = latest.user_id;
  RETURN NULL;
END $$;
