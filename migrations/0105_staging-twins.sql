ALTER TABLE "tools" ADD COLUMN "staging_domain" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "staging_events_url" text;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "staging_answers" jsonb;