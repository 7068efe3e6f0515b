CREATE TABLE "record_holds" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"team_id" uuid NOT NULL,
	"client_reference" text NOT NULL,
	"reason" text NOT NULL,
	"held_by_id" uuid NOT NULL,
	"held_at" timestamp with time zone NOT NULL,
	"released_by_id" uuid,
	"released_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "record_people" (
	"team_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"email" text NOT NULL,
	"adviser_number" text,
	"joined_at" timestamp with time zone,
	"left_at" timestamp with time zone NOT NULL,
	CONSTRAINT "record_people_team_id_user_id_pk" PRIMARY KEY("team_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "adviser_number" text;--> statement-breakpoint
ALTER TABLE "session_statements" ADD COLUMN "late" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "session_statements" ADD COLUMN "by_former" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "session_statements" ADD COLUMN "redacted_for" text;--> statement-breakpoint
ALTER TABLE "session_statements" ADD COLUMN "redacted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "session_statements" ADD COLUMN "redacted_by_id" uuid;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "late_after_days" integer DEFAULT 7 NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "refuses_late" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "reminds_weekly" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "record_holds" ADD CONSTRAINT "record_holds_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_holds" ADD CONSTRAINT "record_holds_held_by_id_users_id_fk" FOREIGN KEY ("held_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_people" ADD CONSTRAINT "record_people_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "record_people" ADD CONSTRAINT "record_people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "record_holds_one" ON "record_holds" USING btree ("team_id",lower(translate("client_reference", ' -', ''))) WHERE "record_holds"."released_at" is null;--> statement-breakpoint
CREATE INDEX "record_people_left" ON "record_people" USING btree ("left_at");--> statement-breakpoint
CREATE OR REPLACE FUNCTION keep_record() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  erasing text := coalesce(current_setting('record.erasing', true), '');
  taken text[] := array['remark', 'client_reference', 'redacted_for', 'redacted_at', 'redacted_by_id'];
BEGIN
  IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'session_statements' THEN
    IF (CASE
      WHEN erasing LIKE 'before %' THEN OLD.made_at < substr(erasing, 8)::timestamptz
      ELSE erasing IN ('person ' || OLD.user_id, 'on')
    END) THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'evidence_pieces' THEN
    IF current_setting('record.redacting', true) = OLD.pack_id::text THEN
      RETURN OLD;
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'session_statements' THEN
    IF current_setting('record.redacting', true) = OLD.id::text AND OLD.redacted_at IS NULL AND NEW.redacted_at IS NOT NULL
      AND to_jsonb(NEW) - taken = to_jsonb(OLD) - taken
      AND NEW.remark IS NULL AND coalesce(NEW.client_reference, '') = '' THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
