ALTER TABLE "teams" ADD COLUMN "offered_to_id" uuid;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "offered_at" timestamp with time zone;