ALTER TABLE "session_sign_offs" ADD COLUMN "redacted_for" text;--> statement-breakpoint
ALTER TABLE "session_sign_offs" ADD COLUMN "redacted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "session_sign_offs" ADD COLUMN "redacted_by_id" uuid;--> statement-breakpoint
ALTER TABLE "tool_reviews" ADD COLUMN "redacted_for" text;--> statement-breakpoint
ALTER TABLE "tool_reviews" ADD COLUMN "redacted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tool_reviews" ADD COLUMN "redacted_by_id" uuid;--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  erasing text := coalesce(current_setting('record.erasing', true), '');
  said text[] := array['session_statements', 'session_sign_offs', 'tool_reviews'];
  taken text[] := array['remark', 'client_reference', 'redacted_for', 'redacted_at', 'redacted_by_id'];
BEGIN
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = ANY (said) THEN
    IF (CASE
      WHEN erasing LIKE 'before %' THEN OLD.made_at < substr(erasing, 8)::timestamptz
      ELSE TG_TABLE_NAME = 'session_statements' AND erasing IN ('person ' || OLD.user_id, 'on')
    END) THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'evidence_pieces' THEN
    IF current_setting('record.redacting', true) = OLD.pack_id::text THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = ANY (said) THEN
    IF current_setting('record.redacting', true) = OLD.id::text AND OLD.redacted_at IS NULL AND NEW.redacted_at IS NOT NULL
      AND to_jsonb(NEW) - taken = to_jsonb(OLD) - taken
      AND coalesce(NEW.remark, '') = '' AND coalesce(to_jsonb(NEW) ->> 'client_reference', '') = '' THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
