-- The ranking of advisers with open accounts by use (user_usage). A session with a tool outside Adviserly (tools.team_id) counts nothing,
-- but has a row, whose version tells that the adviser's sessions have changed.

-- Triggers of one table run in the order of their names: this one comes before tool_usage_counted, so that counting use always
-- locks the adviser's row first.
CREATE OR REPLACE FUNCTION rank_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_usage AS kept (user_id, total_usage, last_used)
  SELECT counted.user_id, count(*) FILTER (WHERE tools.team_id IS NULL), max(counted.last_accessed)
  FROM counted JOIN users ON users.id = counted.user_id AND users.closed_at IS NULL JOIN tools ON tools.id = counted.tool_id
  GROUP BY 1 ORDER BY 1
  ON CONFLICT (user_id) DO UPDATE SET
    total_usage = kept.total_usage + excluded.total_usage,
    last_used = greatest(kept.last_used, excluded.last_used);
  RETURN NULL;
END $$;

CREATE TRIGGER tool_usage_advisers_ranked AFTER INSERT ON tool_usage
  REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION rank_usage();

-- The rows of the ranking are locked first, so that the uses read afterwards include what others have just written.
CREATE OR REPLACE FUNCTION unrank_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_usage WHERE user_id IN (SELECT user_id FROM counted) ORDER BY user_id FOR UPDATE;
  UPDATE user_usage AS kept SET
    total_usage = kept.total_usage - gone.uses,
    last_used = coalesce((SELECT max(last_accessed) FROM tool_usage WHERE tool_usage.user_id = kept.user_id), kept.last_used)
  FROM (
    SELECT user_id, count(*) FILTER (WHERE tools.team_id IS NULL)::integer AS uses
    FROM counted LEFT JOIN tools ON tools.id = counted.tool_id GROUP BY 1
  ) AS gone
  WHERE kept.user_id = gone.user_id;
  DELETE FROM user_usage AS kept WHERE user_id IN (SELECT user_id FROM counted)
    AND NOT EXISTS (SELECT FROM tool_usage WHERE tool_usage.user_id = kept.user_id);
  RETURN NULL;
END $$;

CREATE TRIGGER tool_usage_advisers_unranked AFTER DELETE ON tool_usage
  REFERENCING OLD TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION unrank_usage();

-- A use may also be backdated. The adviser's row is always locked, so that the second of two changes sees the first.
CREATE OR REPLACE FUNCTION touch_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_usage WHERE user_id = NEW.user_id FOR UPDATE;
  UPDATE user_usage SET last_used = (SELECT max(last_accessed) FROM tool_usage WHERE user_id = NEW.user_id)
  WHERE user_id = NEW.user_id AND last_used = OLD.last_accessed;
  RETURN NULL;
END $$;

CREATE TRIGGER tool_usage_advisers_dated_back AFTER UPDATE OF last_accessed ON tool_usage FOR EACH ROW
  WHEN (NEW.last_accessed < OLD.last_accessed) EXECUTE FUNCTION touch_usage();

-- One statement may update uses of many advisers: their rows are locked in one order, whatever the order of the batch. The row is
-- written whatever changed, so that its version reflects every change of the adviser's sessions (server/answer-version.ts).
CREATE OR REPLACE FUNCTION touch_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_usage WHERE user_id IN (SELECT user_id FROM touched) ORDER BY user_id FOR UPDATE;
  UPDATE user_usage AS kept SET last_used = greatest(kept.last_used, latest.at)
  FROM (SELECT user_id, max(last_accessed) AS at FROM touched GROUP BY 1) AS latest
  WHERE kept.user_id = latest.user_id;
  RETURN NULL;
END $$;

CREATE TRIGGER tool_usage_advisers_touched AFTER UPDATE ON tool_usage
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION touch_users();

-- Closing waits for uses that are being written at that moment (their foreign key locks the account's row), so that what they add to the
-- ranking is removed too.
CREATE OR REPLACE FUNCTION unrank_closed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = NEW.id FOR UPDATE;
  DELETE FROM user_usage WHERE user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER users_unranked AFTER UPDATE OF closed_at ON users FOR EACH ROW
  WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION unrank_closed_user();
