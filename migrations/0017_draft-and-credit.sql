ALTER TABLE "users" ADD COLUMN "credit_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "draft" jsonb;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "credit_cents" integer DEFAULT 0 NOT NULL;