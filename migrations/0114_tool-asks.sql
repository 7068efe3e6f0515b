CREATE TABLE "tool_asks" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"team_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"tool_id" text NOT NULL,
	"reason" text NOT NULL,
	"was_allowed" boolean NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"outcome" text,
	"answer" text,
	"answered_by_id" uuid,
	"answered_at" timestamp with time zone,
	CONSTRAINT "tool_asks_outcome" CHECK ("tool_asks"."outcome" in ('allowed', 'bought', 'declined')),
	CONSTRAINT "tool_asks_answered" CHECK (("tool_asks"."outcome" is null) = ("tool_asks"."answered_at" is null))
);
--> statement-breakpoint
ALTER TABLE "tool_asks" ADD CONSTRAINT "tool_asks_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_asks" ADD CONSTRAINT "tool_asks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_asks" ADD CONSTRAINT "tool_asks_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tool_asks_one_open" ON "tool_asks" USING btree ("team_id","user_id","tool_id") WHERE "tool_asks"."outcome" is null;--> statement-breakpoint
CREATE INDEX "tool_asks_team" ON "tool_asks" USING btree ("team_id","answered_at");--> statement-breakpoint
CREATE INDEX "tool_asks_user" ON "tool_asks" USING btree ("user_id","asked_at");