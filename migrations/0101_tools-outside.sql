ALTER TABLE "team_tools" ADD COLUMN "used_for" text;--> statement-breakpoint
ALTER TABLE "team_tools" ADD COLUMN "data_allowed" text;--> statement-breakpoint
ALTER TABLE "team_tools" ADD COLUMN "accountable_id" uuid;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "team_id" uuid;--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;