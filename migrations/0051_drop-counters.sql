DROP TRIGGER users_counted_new ON users;--> statement-breakpoint
DROP TRIGGER users_counted_gone ON users;--> statement-breakpoint
DROP TRIGGER users_counted_changed ON users;--> statement-breakpoint
DROP TRIGGER user_usage_counted_new ON user_usage;--> statement-breakpoint
DROP TRIGGER user_usage_counted_gone ON user_usage;--> statement-breakpoint
DROP FUNCTION count_users();--> statement-breakpoint
DROP FUNCTION count_changed_user();--> statement-breakpoint
DROP FUNCTION count_ranked();--> statement-breakpoint
-- Closing waits for uses that are being written at that moment (their foreign key locks the account's row), so that what they add to the
-- ranking is removed too.
CREATE OR REPLACE FUNCTION unrank_closed_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM users WHERE id = NEW.id FOR UPDATE;
  DELETE FROM user_usage WHERE user_id = NEW.id;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER users_unranked AFTER UPDATE OF closed_at ON users FOR EACH ROW
  WHEN (OLD.closed_at IS NULL AND NEW.closed_at IS NOT NULL) EXECUTE FUNCTION unrank_closed_user();
