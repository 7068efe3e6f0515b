ALTER TABLE "teams" ADD COLUMN "needs_client" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "auth_tokens" ADD COLUMN "client_reference" text;--> statement-breakpoint
ALTER TABLE "auth_tokens" ADD COLUMN "purpose" text;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "from_launch" boolean DEFAULT false NOT NULL;