CREATE TABLE "bookkeepers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"email" text NOT NULL,
	"token" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	CONSTRAINT "bookkeepers_token_unique" UNIQUE("token"),
	CONSTRAINT "bookkeepers_one_payer" CHECK (("bookkeepers"."user_id" is null) <> ("bookkeepers"."team_id" is null))
);
--> statement-breakpoint
CREATE TABLE "mailed_copies" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"bookkeeper_id" uuid NOT NULL,
	"mailed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bookkeepers" ADD CONSTRAINT "bookkeepers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bookkeepers" ADD CONSTRAINT "bookkeepers_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailed_copies" ADD CONSTRAINT "mailed_copies_bookkeeper_id_bookkeepers_id_fk" FOREIGN KEY ("bookkeeper_id") REFERENCES "public"."bookkeepers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bookkeepers_user" ON "bookkeepers" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "bookkeepers_team" ON "bookkeepers" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "bookkeepers_email" ON "bookkeepers" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "mailed_copies_bookkeeper" ON "mailed_copies" USING btree ("bookkeeper_id");