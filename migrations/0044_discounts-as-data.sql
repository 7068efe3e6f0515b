CREATE TABLE "tier_changes" (
	"number" integer PRIMARY KEY NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"starts_at" timestamp with time zone,
	"withdraws" integer,
	"reason" text NOT NULL,
	"changed_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tier_changes_counted" CHECK ("tier_changes"."number" > 0),
	CONSTRAINT "tier_changes_taken_back" CHECK ("tier_changes"."withdraws" is null or "tier_changes"."starts_at" is null)
);
--> statement-breakpoint
CREATE TABLE "win_back_changes" (
	"number" integer PRIMARY KEY NOT NULL,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"reason" text NOT NULL,
	"changed_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "win_back_changes_counted" CHECK ("win_back_changes"."number" > 0)
);
--> statement-breakpoint
ALTER TABLE "discount_tiers" ADD COLUMN "starts_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "discount_tiers" ADD COLUMN "ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tier_changes" ADD CONSTRAINT "tier_changes_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "win_back_changes" ADD CONSTRAINT "win_back_changes_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tier_changes_withdraws" ON "tier_changes" USING btree ("withdraws");--> statement-breakpoint
CREATE INDEX "tier_changes_changed_by" ON "tier_changes" USING btree ("changed_by");--> statement-breakpoint
CREATE INDEX "win_back_changes_changed_by" ON "win_back_changes" USING btree ("changed_by");