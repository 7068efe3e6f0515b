CREATE TABLE "code_redemptions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code_id" uuid NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"tool_id" text NOT NULL,
	"subscription_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "code_redemptions_subscription_id_unique" UNIQUE("subscription_id"),
	CONSTRAINT "code_redemptions_one_payer" CHECK (("code_redemptions"."user_id" is null) <> ("code_redemptions"."team_id" is null))
);
--> statement-breakpoint
CREATE TABLE "discount_codes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text NOT NULL,
	"percent" integer NOT NULL,
	"months" integer NOT NULL,
	"tool_ids" jsonb,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone NOT NULL,
	"most_redemptions" integer NOT NULL,
	"reason" text NOT NULL,
	"made_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" uuid,
	"end_reason" text,
	CONSTRAINT "discount_codes_code_unique" UNIQUE("code"),
	CONSTRAINT "discount_codes_code" CHECK ("discount_codes"."code" ~ '^[A-Z0-9]{3,20}$'),
	CONSTRAINT "discount_codes_percent" CHECK ("discount_codes"."percent" between 1 and 90),
	CONSTRAINT "discount_codes_months" CHECK ("discount_codes"."months" between 1 and 24),
	CONSTRAINT "discount_codes_limit" CHECK ("discount_codes"."most_redemptions" > 0),
	CONSTRAINT "discount_codes_ended" CHECK (("discount_codes"."ended_at" is null) = ("discount_codes"."ended_by" is null))
);
--> statement-breakpoint
ALTER TABLE "code_redemptions" ADD CONSTRAINT "code_redemptions_code_id_discount_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."discount_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_redemptions" ADD CONSTRAINT "code_redemptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_redemptions" ADD CONSTRAINT "code_redemptions_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_redemptions" ADD CONSTRAINT "code_redemptions_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_redemptions" ADD CONSTRAINT "code_redemptions_subscription_id_tool_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."tool_subscriptions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_made_by_users_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "discount_codes" ADD CONSTRAINT "discount_codes_ended_by_users_id_fk" FOREIGN KEY ("ended_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "code_redemptions_once_user" ON "code_redemptions" USING btree ("user_id","code_id","tool_id") WHERE "code_redemptions"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "code_redemptions_once_team" ON "code_redemptions" USING btree ("team_id","code_id","tool_id") WHERE "code_redemptions"."team_id" is not null;--> statement-breakpoint
CREATE INDEX "code_redemptions_code" ON "code_redemptions" USING btree ("code_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "discount_codes_made_by" ON "discount_codes" USING btree ("made_by");--> statement-breakpoint
CREATE INDEX "discount_codes_ended_by" ON "discount_codes" USING btree ("ended_by");