CREATE TABLE "session_statements" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"position" bigserial NOT NULL,
	"session_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"checked" boolean,
	"remark" text,
	"purpose" text,
	"client_reference" text,
	"made_at" timestamp with time zone NOT NULL,
	CONSTRAINT "session_statements_says" CHECK ("session_statements"."checked" is not null or "session_statements"."purpose" is not null or "session_statements"."client_reference" is not null),
	CONSTRAINT "session_statements_remark" CHECK ("session_statements"."remark" is null or "session_statements"."checked" is not null)
);
--> statement-breakpoint
CREATE TABLE "team_tools" (
	"team_id" uuid NOT NULL,
	"tool_id" text NOT NULL,
	"allowed" boolean,
	"reason" text,
	"review_due" date,
	"decided_by_id" uuid NOT NULL,
	"decided_at" timestamp with time zone NOT NULL,
	CONSTRAINT "team_tools_team_id_tool_id_pk" PRIMARY KEY("team_id","tool_id")
);
--> statement-breakpoint
CREATE TABLE "tool_disclosures" (
	"tool_id" text NOT NULL,
	"version" integer NOT NULL,
	"answers" jsonb NOT NULL,
	"made_by_id" uuid NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tool_disclosures_tool_id_version_pk" PRIMARY KEY("tool_id","version")
);
--> statement-breakpoint
CREATE TABLE "tool_reviews" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"team_id" uuid NOT NULL,
	"tool_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"remark" text NOT NULL,
	"disclosure_version" integer,
	"next_due" date,
	"made_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tool_reviews_order" UNIQUE("team_id","tool_id","made_at")
);
--> statement-breakpoint
ALTER TABLE "reminder_settings" ADD COLUMN "weekly_statements" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "new_tools_allowed" boolean DEFAULT true NOT NULL;
--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "team_id" uuid;
--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "tool_version" text;
--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "purpose" text;
--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "purpose_from" text;
--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "client_reference" text;
--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "reference_from" text;
--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "checked" boolean;
--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "stated_at" timestamp with time zone;
--> statement-breakpoint
ALTER TABLE "session_statements" ADD CONSTRAINT "session_statements_session_id_tool_usage_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."tool_usage"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "session_statements" ADD CONSTRAINT "session_statements_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_tools" ADD CONSTRAINT "team_tools_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_tools" ADD CONSTRAINT "team_tools_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "team_tools" ADD CONSTRAINT "team_tools_decided_by_id_users_id_fk" FOREIGN KEY ("decided_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tool_disclosures" ADD CONSTRAINT "tool_disclosures_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tool_disclosures" ADD CONSTRAINT "tool_disclosures_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tool_reviews" ADD CONSTRAINT "tool_reviews_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tool_reviews" ADD CONSTRAINT "tool_reviews_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "tool_reviews" ADD CONSTRAINT "tool_reviews_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "session_statements_session" ON "session_statements" USING btree ("session_id","position");
--> statement-breakpoint
CREATE INDEX "session_statements_user" ON "session_statements" USING btree ("user_id","made_at");
--> statement-breakpoint
CREATE INDEX "session_statements_made" ON "session_statements" USING btree ("made_at");
--> statement-breakpoint
-- What was stated, disclosed or reviewed is never changed: a correction is a new row. Rows go only with the session, team or person
-- they belong to, or in a transaction that says that it erases (an account that is closed, or seven years that are over).
CREATE FUNCTION keep_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND (pg_trigger_depth() > 1 OR current_setting('record.erasing', true) = 'on') THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER session_statements_kept BEFORE UPDATE OR DELETE ON "session_statements" FOR EACH ROW EXECUTE FUNCTION keep_record();
--> statement-breakpoint
CREATE TRIGGER session_statements_no_truncate BEFORE TRUNCATE ON "session_statements" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
--> statement-breakpoint
CREATE TRIGGER tool_disclosures_kept BEFORE UPDATE OR DELETE ON "tool_disclosures" FOR EACH ROW EXECUTE FUNCTION keep_record();
--> statement-breakpoint
CREATE TRIGGER tool_disclosures_no_truncate BEFORE TRUNCATE ON "tool_disclosures" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
--> statement-breakpoint
CREATE TRIGGER tool_reviews_kept BEFORE UPDATE OR DELETE ON "tool_reviews" FOR EACH ROW EXECUTE FUNCTION keep_record();
--> statement-breakpoint
CREATE TRIGGER tool_reviews_no_truncate BEFORE TRUNCATE ON "tool_reviews" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
