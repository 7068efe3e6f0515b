ALTER TABLE "session_statements" ADD COLUMN "checks" text[];--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "checks" text[];