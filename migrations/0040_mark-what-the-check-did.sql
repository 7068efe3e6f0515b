ALTER TABLE "auth_tokens" ADD COLUMN "from_check" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_refusals" ADD COLUMN "during_check" boolean DEFAULT false NOT NULL;