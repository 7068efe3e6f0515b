CREATE TABLE "recall_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"position" bigserial NOT NULL,
	"recall_id" uuid NOT NULL,
	"act" text NOT NULL,
	"terms" jsonb NOT NULL,
	"reason" text,
	"made_by_id" uuid NOT NULL,
	"made_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recall_sessions" (
	"recall_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"team_id" uuid,
	"begun_at" timestamp with time zone NOT NULL,
	"found_at" timestamp with time zone NOT NULL,
	"removed_at" timestamp with time zone,
	"told_at" timestamp with time zone,
	"team_told_at" timestamp with time zone,
	"looked_at" timestamp with time zone,
	"looked_by_id" uuid,
	"fault" boolean,
	CONSTRAINT "recall_sessions_recall_id_session_id_pk" PRIMARY KEY("recall_id","session_id")
);
--> statement-breakpoint
CREATE TABLE "recalls" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tool_id" text NOT NULL,
	"opened_by_id" uuid NOT NULL,
	"by_maker" boolean NOT NULL,
	"versions" text[] NOT NULL,
	"from_day" date NOT NULL,
	"until_day" date,
	"wrong" text NOT NULL,
	"look_for" text NOT NULL,
	"severity" text NOT NULL,
	"stops" boolean NOT NULL,
	"confirmed_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"closed_for" text,
	"closing_told_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "recalls_severity" CHECK ("recalls"."severity" in ('low', 'medium', 'high'))
);
--> statement-breakpoint
ALTER TABLE "evidence_packs" ADD COLUMN "recall_id" uuid;--> statement-breakpoint
ALTER TABLE "session_statements" ADD COLUMN "recall_id" uuid;--> statement-breakpoint
ALTER TABLE "session_statements" ADD COLUMN "recall_fault" boolean;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "stopped_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "recall_changes" ADD CONSTRAINT "recall_changes_recall_id_recalls_id_fk" FOREIGN KEY ("recall_id") REFERENCES "public"."recalls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recall_changes" ADD CONSTRAINT "recall_changes_made_by_id_users_id_fk" FOREIGN KEY ("made_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recall_sessions" ADD CONSTRAINT "recall_sessions_recall_id_recalls_id_fk" FOREIGN KEY ("recall_id") REFERENCES "public"."recalls"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recall_sessions" ADD CONSTRAINT "recall_sessions_session_id_tool_usage_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."tool_usage"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recall_sessions" ADD CONSTRAINT "recall_sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recalls" ADD CONSTRAINT "recalls_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recalls" ADD CONSTRAINT "recalls_opened_by_id_users_id_fk" FOREIGN KEY ("opened_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "recall_changes_recall" ON "recall_changes" USING btree ("recall_id","position");--> statement-breakpoint
CREATE INDEX "recall_sessions_begun" ON "recall_sessions" USING btree ("recall_id","begun_at" DESC NULLS LAST,"session_id");--> statement-breakpoint
CREATE INDEX "recall_sessions_session" ON "recall_sessions" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "recall_sessions_user" ON "recall_sessions" USING btree ("user_id","recall_id");--> statement-breakpoint
CREATE INDEX "recall_sessions_team" ON "recall_sessions" USING btree ("team_id","recall_id") WHERE "recall_sessions"."team_id" is not null;--> statement-breakpoint
CREATE INDEX "recall_sessions_untold" ON "recall_sessions" USING btree ("recall_id","user_id") WHERE "recall_sessions"."told_at" is null;--> statement-breakpoint
CREATE INDEX "recall_sessions_team_untold" ON "recall_sessions" USING btree ("recall_id","team_id") WHERE "recall_sessions"."team_told_at" is null and "recall_sessions"."team_id" is not null;--> statement-breakpoint
CREATE INDEX "recalls_tool" ON "recalls" USING btree ("tool_id","created_at");--> statement-breakpoint
CREATE TRIGGER recall_changes_kept BEFORE UPDATE OR DELETE ON "recall_changes" FOR EACH ROW EXECUTE FUNCTION keep_record();--> statement-breakpoint
CREATE TRIGGER recall_changes_no_truncate BEFORE TRUNCATE ON "recall_changes" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
