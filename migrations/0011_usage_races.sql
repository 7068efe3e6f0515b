-- An account that is closed waits for the uses that are just being written (they hold its row by their foreign key), so
-- that it sees and removes what they rank.
CREATE OR REPLACE FUNCTION count_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was integer := (OLD.closed_at IS NULL)::integer;
  now_is integer := (NEW.closed_at IS NULL)::integer;
  free integer := now_is * NEW.free_access_granted::integer - was * OLD.free_access_granted::integer;
BEGIN
  INSERT INTO subscriber_counts AS kept (shard, total, verified, with_profiles, free_access)
  VALUES (pg_backend_pid() % 64, now_is - was,
    now_is * NEW.email_verified::integer - was * OLD.email_verified::integer,
    now_is * NEW.profile_completed::integer - was * OLD.profile_completed::integer, free)
  ON CONFLICT (shard) DO UPDATE SET
    total = kept.total + excluded.total,
    verified = kept.verified + excluded.verified,
    with_profiles = kept.with_profiles + excluded.with_profiles,
    free_access = kept.free_access + excluded.free_access;

  IF now_is <> was OR free <> 0 THEN
    INSERT INTO user_blocks AS kept (block, users, free_access) VALUES (NEW.seq >> 10, now_is - was, free)
    ON CONFLICT (block) DO UPDATE SET
      users = kept.users + excluded.users,
      free_access = kept.free_access + excluded.free_access;
  END IF;

  IF now_is < was THEN
    PERFORM 1 FROM users WHERE id = NEW.id FOR UPDATE;
    DELETE FROM user_usage WHERE user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The rows of the ranking are locked first: what is then read of the uses includes those that others have just written.
CREATE OR REPLACE FUNCTION unrank_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_usage WHERE user_id IN (SELECT user_id FROM counted) ORDER BY user_id FOR UPDATE;
  UPDATE user_usage AS kept SET
    total_usage = kept.total_usage - gone.uses,
    last_used = coalesce((SELECT max(last_accessed) FROM tool_usage WHERE tool_usage.user_id = kept.user_id), kept.last_used)
  FROM (SELECT user_id, count(*)::integer AS uses FROM counted GROUP BY 1) AS gone
  WHERE kept.user_id = gone.user_id;
  DELETE FROM user_usage WHERE total_usage <= 0 AND user_id IN (SELECT user_id FROM counted);
  RETURN NULL;
END $$;
