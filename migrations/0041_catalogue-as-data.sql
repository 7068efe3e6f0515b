CREATE TABLE "tool_changes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tool_id" text NOT NULL,
	"version" integer NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"reason" text NOT NULL,
	"changed_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_changes_counted" CHECK ("tool_changes"."version" > 0)
);
--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "icon" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "about" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "audience" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "features" text[];--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "benefits" text[];--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_changes" ADD CONSTRAINT "tool_changes_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_changes" ADD CONSTRAINT "tool_changes_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tool_changes_version" ON "tool_changes" USING btree ("tool_id","version");--> statement-breakpoint
CREATE INDEX "tool_changes_changed_by" ON "tool_changes" USING btree ("changed_by");