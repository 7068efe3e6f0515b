CREATE TABLE "tool_checks" (
	"tool_id" text PRIMARY KEY NOT NULL,
	"run" uuid NOT NULL,
	"domain" text NOT NULL,
	"page" text,
	"finish" text,
	"requested_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"alive_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"fault" text,
	"findings" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"calls" jsonb DEFAULT '[]'::jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tool_events" ADD COLUMN "confirmed_for" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "closed_for" text;--> statement-breakpoint
ALTER TABLE "tool_checks" ADD CONSTRAINT "tool_checks_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tool_refusals_secret" ON "tool_refusals" USING btree ("tool_id","created_at","message") WHERE "tool_refusals"."kind" = 'secret';