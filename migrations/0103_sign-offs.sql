CREATE TABLE "session_sign_offs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"session_id" uuid NOT NULL,
	"team_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"remark" text,
	"sampled_from" integer,
	"made_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "session_sign_offs" ADD CONSTRAINT "session_sign_offs_session_id_tool_usage_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."tool_usage"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_sign_offs" ADD CONSTRAINT "session_sign_offs_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_sign_offs" ADD CONSTRAINT "session_sign_offs_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "session_sign_offs_session" ON "session_sign_offs" USING btree ("session_id","made_at");--> statement-breakpoint
CREATE TRIGGER session_sign_offs_kept BEFORE UPDATE OR DELETE ON "session_sign_offs" FOR EACH ROW EXECUTE FUNCTION keep_record();--> statement-breakpoint
CREATE TRIGGER session_sign_offs_no_truncate BEFORE TRUNCATE ON "session_sign_offs" FOR EACH STATEMENT EXECUTE FUNCTION keep_record();
