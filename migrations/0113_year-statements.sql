CREATE TABLE "year_statements" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"financial_year" integer NOT NULL,
	"mailed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "year_statements_one_payer" CHECK (("year_statements"."user_id" is null) <> ("year_statements"."team_id" is null))
);
--> statement-breakpoint
ALTER TABLE "year_statements" ADD CONSTRAINT "year_statements_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "year_statements" ADD CONSTRAINT "year_statements_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "year_statements_user" ON "year_statements" USING btree ("user_id","financial_year");--> statement-breakpoint
CREATE UNIQUE INDEX "year_statements_team" ON "year_statements" USING btree ("team_id","financial_year");