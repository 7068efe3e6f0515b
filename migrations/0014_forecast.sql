ALTER TABLE "tool_subscriptions" ADD COLUMN "prorations" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "told" jsonb;