-- A use may also be dated back. The adviser's row is always locked, so that of two changes the second sees the first.
CREATE OR REPLACE FUNCTION touch_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.last_accessed > OLD.last_accessed THEN
    UPDATE user_usage SET last_used = greatest(last_used, NEW.last_accessed) WHERE user_id = NEW.user_id;
  ELSE
    PERFORM 1 FROM user_usage WHERE user_id = NEW.user_id FOR UPDATE;
    UPDATE user_usage SET last_used = (SELECT max(last_accessed) FROM tool_usage WHERE user_id = NEW.user_id)
    WHERE user_id = NEW.user_id AND last_used = OLD.last_accessed;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
DROP TRIGGER tool_usage_advisers_touched ON tool_usage;
--> statement-breakpoint
CREATE TRIGGER tool_usage_advisers_touched AFTER UPDATE OF last_accessed ON tool_usage FOR EACH ROW
  WHEN (NEW.last_accessed <> OLD.last_accessed) EXECUTE FUNCTION touch_usage();
