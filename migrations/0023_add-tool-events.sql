CREATE TABLE "tool_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"position" bigserial NOT NULL,
	"tool_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"reason" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone,
	"claimed_until" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text,
	"confirmed_at" timestamp with time zone,
	"overdue_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tool_people" (
	"user_id" uuid NOT NULL,
	"tool_id" text NOT NULL,
	"team_id" uuid,
	"may_use" boolean DEFAULT true NOT NULL,
	"check_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_people_user_id_tool_id_pk" PRIMARY KEY("user_id","tool_id")
);
--> statement-breakpoint
ALTER TABLE "tool_secrets" ADD COLUMN "kind" text DEFAULT 'call' NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_secrets" ADD COLUMN "sealed" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "events_url" text;--> statement-breakpoint
ALTER TABLE "tool_events" ADD CONSTRAINT "tool_events_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_events" ADD CONSTRAINT "tool_events_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_people" ADD CONSTRAINT "tool_people_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_people" ADD CONSTRAINT "tool_people_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_people" ADD CONSTRAINT "tool_people_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tool_events_waiting" ON "tool_events" USING btree ("tool_id","user_id","position") WHERE "tool_events"."next_attempt_at" is not null;--> statement-breakpoint
CREATE INDEX "tool_events_due" ON "tool_events" USING btree ("next_attempt_at");--> statement-breakpoint
CREATE INDEX "tool_events_log" ON "tool_events" USING btree ("tool_id","position" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tool_events_user" ON "tool_events" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tool_events_unconfirmed" ON "tool_events" USING btree ("created_at") WHERE "tool_events"."type" = 'person.erase' and "tool_events"."confirmed_at" is null and "tool_events"."overdue_at" is null;--> statement-breakpoint
CREATE INDEX "tool_people_check" ON "tool_people" USING btree ("check_at");--> statement-breakpoint
ALTER TABLE "tool_secrets" ADD CONSTRAINT "tool_secrets_sealed" CHECK (("tool_secrets"."kind" = 'signing') = ("tool_secrets"."sealed" is not null));--> statement-breakpoint
-- Whoever opened a tool before is known to it; whether they still may is looked at next.
INSERT INTO "tool_people" ("user_id", "tool_id", "may_use", "check_at")
SELECT DISTINCT used."user_id", used."tool_id", false, now() FROM "tool_usage" used
JOIN "users" ON "users"."id" = used."user_id" AND "users"."closed_at" IS NULL;
