-- The administrators' counters (subscriber_counts, user_blocks) follow the open accounts in the same transaction; a nightly
-- job compares them with the rows.

-- Accounts were added or deleted.
CREATE OR REPLACE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
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

CREATE TRIGGER users_counted_new AFTER INSERT ON users
  REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION count_users();

CREATE TRIGGER users_counted_gone AFTER DELETE ON users
  REFERENCING OLD TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION count_users();

-- An account changed or was closed. Closing waits for uses that are being written at that moment (their foreign key locks the account's
-- row), so that what they add to the ranking is removed too.
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

CREATE TRIGGER users_counted_changed AFTER UPDATE OF email_verified, profile_completed, free_access_granted, closed_at ON users
  FOR EACH ROW
  WHEN ((OLD.email_verified, OLD.profile_completed, OLD.free_access_granted, OLD.closed_at IS NULL)
    IS DISTINCT FROM (NEW.email_verified, NEW.profile_completed, NEW.free_access_granted, NEW.closed_at IS NULL))
  EXECUTE FUNCTION count_changed_user();
