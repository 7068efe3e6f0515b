CREATE TABLE "tool_announcements" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tool_id" text NOT NULL,
	"version" text,
	"model" text,
	"data_location" text,
	"sub_processors" text,
	"note" text NOT NULL,
	"on_day" date NOT NULL,
	"mends" boolean NOT NULL,
	"announced_by_id" uuid NOT NULL,
	"announced_at" timestamp with time zone NOT NULL,
	"told_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "team_tools" ADD COLUMN "allowed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tool_announcements" ADD CONSTRAINT "tool_announcements_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_announcements" ADD CONSTRAINT "tool_announcements_announced_by_id_users_id_fk" FOREIGN KEY ("announced_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tool_announcements_tool" ON "tool_announcements" USING btree ("tool_id","announced_at");