CREATE TABLE "record_samples" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"team_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"drawn_from" integer NOT NULL,
	"session_ids" uuid[] NOT NULL,
	"from_day" date,
	"to_day" date,
	"tool_id" text,
	"adviser_id" uuid,
	"unreviewed_only" boolean NOT NULL,
	"drawn_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "session_sign_offs" ADD COLUMN "sample_id" uuid;--> statement-breakpoint
ALTER TABLE "record_samples" ADD CONSTRAINT "record_samples_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_samples" ADD CONSTRAINT "record_samples_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "record_samples_team" ON "record_samples" USING btree ("team_id","drawn_at");--> statement-breakpoint
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
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'record_samples' AND erasing LIKE 'before %' THEN
    IF OLD.drawn_at < substr(erasing, 8)::timestamptz THEN
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
--> statement-breakpoint
CREATE TRIGGER record_samples_kept BEFORE UPDATE OR DELETE ON "record_samples" FOR EACH ROW EXECUTE FUNCTION keep_record();--> statement-breakpoint
CREATE TRIGGER record_samples_no_truncate BEFORE TRUNCATE ON "record_samples" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
