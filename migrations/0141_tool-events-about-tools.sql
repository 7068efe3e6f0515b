ALTER TABLE "tool_events" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_events" ADD COLUMN "details" jsonb;