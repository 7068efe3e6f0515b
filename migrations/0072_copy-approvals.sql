INSERT INTO "acts" (id, kind, subject_id, parameters, reason, asked_by, asked_at, expires_at, state, decided_by, decided_at, done_at, failure, undone_by, undone_at)
  SELECT id, kind, subject_id, parameters, reason, asked_by, asked_at, expires_at, state, decided_by, decided_at, executed_at, failure, undone_by, undone_at
  FROM "approvals";--> statement-breakpoint
-- They wait, and hold addresses, in one place.
UPDATE "approvals" SET state = 'expired' WHERE state = 'waiting';--> statement-breakpoint
UPDATE "approvals" SET parameters = '{}' WHERE kind = 'change_email';--> statement-breakpoint
COMMENT ON TABLE "approvals" IS 'Out of use: "acts" has what administrators approve. A later migration drops it.';--> statement-breakpoint
-- What the release before writes to "approvals" while it still runs, this release finds in "acts".
CREATE OR REPLACE FUNCTION copy_approval() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE acts SET state = 'expired'
    WHERE kind = NEW.kind AND subject_id = NEW.subject_id AND state = 'waiting' AND NEW.state = 'waiting' AND id <> NEW.id;
  INSERT INTO acts (id, kind, subject_id, parameters, reason, asked_by, asked_at, expires_at, state, decided_by, decided_at, done_at, failure,
      undone_by, undone_at)
    VALUES (NEW.id, NEW.kind, NEW.subject_id, NEW.parameters, NEW.reason, NEW.asked_by, NEW.asked_at, NEW.expires_at, NEW.state,
      NEW.decided_by, NEW.decided_at, NEW.executed_at, NEW.failure, NEW.undone_by, NEW.undone_at)
    ON CONFLICT (id) DO UPDATE SET parameters = EXCLUDED.parameters, state = EXCLUDED.state, decided_by = EXCLUDED.decided_by,
      decided_at = EXCLUDED.decided_at, done_at = EXCLUDED.done_at, failure = EXCLUDED.failure, undone_by = EXCLUDED.undone_by,
      undone_at = EXCLUDED.undone_at;
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER approvals_copied AFTER INSERT OR UPDATE ON "approvals" FOR EACH ROW EXECUTE FUNCTION copy_approval();
