-- The administrator's counters, blocks and ranking follow the rows in the same transaction (open accounts only) and are
-- never counted at request time. A nightly job compares them with the rows.
CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO subscriber_counts AS kept (shard, total, verified, with_profiles, free_access)
  SELECT pg_backend_pid() % 64, sign * count(*), sign * count(*) FILTER (WHERE email_verified),
    sign * count(*) FILTER (WHERE profile_completed), sign * count(*) FILTER (WHERE free_access_granted)
  FROM counted WHERE closed_at IS NULL HAVING count(*) > 0
  ON CONFLICT (shard) DO UPDATE SET
    total = kept.total + excluded.total,
    verified = kept.verified + excluded.verified,
    with_profiles = kept.with_profiles + excluded.with_profiles,
    free_access = kept.free_access + excluded.free_access;

  INSERT INTO user_blocks AS kept (block, users, free_access)
  SELECT seq >> 10, sign * count(*), sign * count(*) FILTER (WHERE free_access_granted)
  FROM counted WHERE closed_at IS NULL GROUP BY 1 ORDER BY 1
  ON CONFLICT (block) DO UPDATE SET
    users = kept.users + excluded.users,
    free_access = kept.free_access + excluded.free_access;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_counted_new AFTER INSERT ON users
  REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION count_users();
--> statement-breakpoint
CREATE TRIGGER users_counted_gone AFTER DELETE ON users
  REFERENCING OLD TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION count_users();
--> statement-breakpoint
CREATE FUNCTION count_changed_user() RETURNS trigger LANGUAGE plpgsql AS $$
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
    DELETE FROM user_usage WHERE user_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_counted_changed AFTER UPDATE OF email_verified, profile_completed, free_access_granted, closed_at ON users
  FOR EACH ROW
  WHEN ((OLD.email_verified, OLD.profile_completed, OLD.free_access_granted, OLD.closed_at IS NULL)
    IS DISTINCT FROM (NEW.email_verified, NEW.profile_completed, NEW.free_access_granted, NEW.closed_at IS NULL))
  EXECUTE FUNCTION count_changed_user();
--> statement-breakpoint
CREATE FUNCTION count_ranked() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO subscriber_counts AS kept (shard, with_usage)
  SELECT pg_backend_pid() % 64, sign * count(*) FROM counted HAVING count(*) > 0
  ON CONFLICT (shard) DO UPDATE SET with_usage = kept.with_usage + excluded.with_usage;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER user_usage_counted_new AFTER INSERT ON user_usage
  REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION count_ranked();
--> statement-breakpoint
CREATE TRIGGER user_usage_counted_gone AFTER DELETE ON user_usage
  REFERENCING OLD TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION count_ranked();
--> statement-breakpoint
CREATE FUNCTION rank_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_usage AS kept (user_id, total_usage, last_used)
  SELECT counted.user_id, count(*), max(counted.last_accessed)
  FROM counted JOIN users ON users.id = counted.user_id AND users.closed_at IS NULL
  GROUP BY 1 ORDER BY 1
  ON CONFLICT (user_id) DO UPDATE SET
    total_usage = kept.total_usage + excluded.total_usage,
    last_used = greatest(kept.last_used, excluded.last_used);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- By name before the other triggers on the same table: whoever counts usage takes the adviser's row first.
CREATE TRIGGER tool_usage_advisers_ranked AFTER INSERT ON tool_usage
  REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION rank_usage();
--> statement-breakpoint
CREATE FUNCTION unrank_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE user_usage AS kept SET
    total_usage = kept.total_usage - gone.uses,
    last_used = coalesce((SELECT max(last_accessed) FROM tool_usage WHERE tool_usage.user_id = kept.user_id), kept.last_used)
  FROM (SELECT user_id, count(*)::integer AS uses FROM counted GROUP BY 1) AS gone
  WHERE kept.user_id = gone.user_id;
  DELETE FROM user_usage WHERE total_usage <= 0 AND user_id IN (SELECT user_id FROM counted);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tool_usage_advisers_unranked AFTER DELETE ON tool_usage
  REFERENCING OLD TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION unrank_usage();
--> statement-breakpoint
CREATE FUNCTION touch_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE user_usage SET last_used = NEW.last_accessed WHERE user_id = NEW.user_id AND last_used < NEW.last_accessed;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tool_usage_advisers_touched AFTER UPDATE OF last_accessed ON tool_usage FOR EACH ROW
  WHEN (NEW.last_accessed > OLD.last_accessed) EXECUTE FUNCTION touch_usage();
--> statement-breakpoint
-- What was there before the triggers.
INSERT INTO subscriber_counts (shard, total, verified, with_profiles, free_access)
SELECT 0, count(*), count(*) FILTER (WHERE email_verified), count(*) FILTER (WHERE profile_completed),
  count(*) FILTER (WHERE free_access_granted)
FROM users WHERE closed_at IS NULL;
--> statement-breakpoint
INSERT INTO user_blocks (block, users, free_access)
SELECT seq >> 10, count(*), count(*) FILTER (WHERE free_access_granted) FROM users WHERE closed_at IS NULL GROUP BY 1;
--> statement-breakpoint
INSERT INTO user_usage (user_id, total_usage, last_used)
SELECT user_id, count(*), max(last_accessed) FROM tool_usage JOIN users ON users.id = user_id AND closed_at IS NULL GROUP BY 1;
