CREATE TABLE "email_verification_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_verification_tokens_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "password_reset_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "password_reset_tokens_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"sid" varchar PRIMARY KEY NOT NULL,
	"sess" json NOT NULL,
	"expire" timestamp with time zone NOT NULL,
	"user_id" uuid,
	"auth_epoch" integer,
	"public_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"device" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"destroyed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text NOT NULL,
	"password" text NOT NULL,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"profile_image_url" text,
	"mobile" text,
	"business_name" text,
	"business_address" text,
	"business_city" text,
	"business_state" text,
	"business_postcode" text,
	"afsl_number" text,
	"dealer_group" text,
	"abn" text,
	"professional_credentials" text,
	"specialization_areas" text,
	"email_verified" boolean DEFAULT false NOT NULL,
	"profile_completed" boolean DEFAULT false NOT NULL,
	"is_admin" boolean DEFAULT false NOT NULL,
	"free_access_granted" boolean DEFAULT false NOT NULL,
	"membership_type" text DEFAULT 'standard' NOT NULL,
	"stripe_customer_id" text,
	"stripe_subscription_id" text,
	"card_brand" text,
	"card_last4" text,
	"card_exp_month" integer,
	"card_exp_year" integer,
	"auth_epoch" integer DEFAULT 0 NOT NULL,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email_normal" CHECK ("users"."email" = lower(btrim("users"."email"))),
	CONSTRAINT "users_membership_type" CHECK ("users"."membership_type" in ('standard', 'team', 'shaw_partners')),
	CONSTRAINT "users_abn" CHECK ("users"."abn" ~ '^[1-9][0-9]{10}$'),
	CONSTRAINT "users_business_state" CHECK ("users"."business_state" in ('NSW', 'VIC', 'QLD', 'WA', 'SA', 'TAS', 'ACT', 'NT')),
	CONSTRAINT "users_business_postcode" CHECK ("users"."business_postcode" ~ '^[0-9]{4}$')
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"actor_id" uuid,
	"action" text NOT NULL,
	"subject_type" text,
	"subject_id" text,
	"before" jsonb,
	"after" jsonb,
	"ip" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tool_metrics" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tool_id" text NOT NULL,
	"date" date NOT NULL,
	"total_users" integer DEFAULT 0 NOT NULL,
	"total_sessions" integer DEFAULT 0 NOT NULL,
	"avg_session_duration" numeric(8, 2),
	"total_revenue" numeric(10, 2) DEFAULT '0' NOT NULL,
	"performance_rating" numeric(3, 2),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_metrics_day" UNIQUE("tool_id","date")
);
--> statement-breakpoint
CREATE TABLE "usage_analytics" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"tool_id" text NOT NULL,
	"usage_id" uuid,
	"event_id" text NOT NULL,
	"session_duration" integer,
	"actions_performed" integer DEFAULT 0 NOT NULL,
	"data_processed" integer DEFAULT 0 NOT NULL,
	"performance_score" numeric(5, 2),
	"date" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "usage_analytics_event" UNIQUE("tool_id","event_id"),
	CONSTRAINT "usage_analytics_score" CHECK ("usage_analytics"."performance_score" between 0 and 10),
	CONSTRAINT "usage_analytics_amounts" CHECK ("usage_analytics"."session_duration" >= 0 and "usage_analytics"."actions_performed" >= 0 and "usage_analytics"."data_processed" >= 0)
);
--> statement-breakpoint
CREATE TABLE "billing_addresses" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"line1" text NOT NULL,
	"line2" text,
	"city" text NOT NULL,
	"state" text NOT NULL,
	"postcode" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "billing_addresses_one_payer" CHECK (("billing_addresses"."user_id" is null) <> ("billing_addresses"."team_id" is null)),
	CONSTRAINT "billing_addresses_postcode" CHECK ("billing_addresses"."postcode" ~ '^[0-9]{4}$')
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"stripe_invoice_id" text NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"subscription_id" uuid,
	"number" text,
	"status" text NOT NULL,
	"description" text NOT NULL,
	"total_cents" integer NOT NULL,
	"gst_cents" integer NOT NULL,
	"amount_paid_cents" integer DEFAULT 0 NOT NULL,
	"lines" jsonb NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "invoices_stripe_invoice_id_unique" UNIQUE("stripe_invoice_id"),
	CONSTRAINT "invoices_one_payer" CHECK (("invoices"."user_id" is null) <> ("invoices"."team_id" is null))
);
--> statement-breakpoint
CREATE TABLE "stripe_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"object_id" text,
	"subscription_id" text,
	"customer_id" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"occurred_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"processed_at" timestamp with time zone,
	CONSTRAINT "stripe_events_status" CHECK ("stripe_events"."status" in ('pending', 'processed', 'ignored', 'parked'))
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"to_address" text NOT NULL,
	"subject" text NOT NULL,
	"text_body" text NOT NULL,
	"html_body" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"sent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"message" text NOT NULL,
	"is_read" boolean DEFAULT false NOT NULL,
	"action_url" text,
	"expires_at" timestamp with time zone,
	"dedupe_key" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notifications_once" UNIQUE("user_id","dedupe_key"),
	CONSTRAINT "notifications_type" CHECK ("notifications"."type" in ('subscription_renewal', 'usage_milestone', 'system_alert', 'performance_report')),
	CONSTRAINT "notifications_action_url" CHECK ("notifications"."action_url" ~ '^(/[^/]|/$|https://)')
);
--> statement-breakpoint
CREATE TABLE "reminder_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"email_reminders" boolean DEFAULT true NOT NULL,
	"in_app_notifications" boolean DEFAULT true NOT NULL,
	"reminder_days" integer[] DEFAULT '{7,3,1}' NOT NULL,
	"unsubscribe_token" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reminder_settings_unsubscribe_token_unique" UNIQUE("unsubscribe_token")
);
--> statement-breakpoint
CREATE TABLE "app_clock" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"offset_ms" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "app_clock_single_row" CHECK ("app_clock"."id")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" varchar(255) PRIMARY KEY NOT NULL,
	"points" integer DEFAULT 0 NOT NULL,
	"expire" bigint
);
--> statement-breakpoint
CREATE TABLE "discount_tiers" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tool_count" integer NOT NULL,
	"discount_percent" numeric(5, 2) NOT NULL,
	"description" text,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "discount_tiers_percent" CHECK ("discount_tiers"."discount_percent" > 0 and "discount_tiers"."discount_percent" < 100),
	CONSTRAINT "discount_tiers_count" CHECK ("discount_tiers"."tool_count" > 0)
);
--> statement-breakpoint
CREATE TABLE "tool_subscriptions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"tool_id" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"subscription_type" text DEFAULT 'individual' NOT NULL,
	"stripe_subscription_id" text,
	"purchase" jsonb,
	"monthly_cents" integer DEFAULT 0 NOT NULL,
	"auto_renew" boolean DEFAULT true NOT NULL,
	"cancellation_reason" text,
	"cancellation_details" text,
	"cancelled_at" timestamp with time zone,
	"end_date" timestamp with time zone,
	"grace_period_end" timestamp with time zone,
	"trial_end_date" timestamp with time zone,
	"expired_at" timestamp with time zone,
	"version" integer DEFAULT 0 NOT NULL,
	"synced_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_subscriptions_stripe_subscription_id_unique" UNIQUE("stripe_subscription_id"),
	CONSTRAINT "tool_subscriptions_one_payer" CHECK (("tool_subscriptions"."user_id" is null) <> ("tool_subscriptions"."team_id" is null)),
	CONSTRAINT "tool_subscriptions_type" CHECK (("tool_subscriptions"."subscription_type" = 'team') = ("tool_subscriptions"."team_id" is not null)),
	CONSTRAINT "tool_subscriptions_status" CHECK ("tool_subscriptions"."status" in ('incomplete', 'trial', 'active', 'grace_period', 'cancelled', 'expired')),
	CONSTRAINT "tool_subscriptions_expired_is_history" CHECK ("tool_subscriptions"."status" <> 'expired' or not "tool_subscriptions"."is_active"),
	CONSTRAINT "tool_subscriptions_trial_has_end" CHECK ("tool_subscriptions"."status" <> 'trial' or "tool_subscriptions"."trial_end_date" is not null),
	CONSTRAINT "tool_subscriptions_grace_has_end" CHECK ("tool_subscriptions"."status" <> 'grace_period' or "tool_subscriptions"."grace_period_end" is not null),
	CONSTRAINT "tool_subscriptions_cancelled_has_end" CHECK ("tool_subscriptions"."status" <> 'cancelled' or ("tool_subscriptions"."end_date" is not null and "tool_subscriptions"."grace_period_end" is not null)),
	CONSTRAINT "tool_subscriptions_incomplete_has_purchase" CHECK ("tool_subscriptions"."status" <> 'incomplete' or "tool_subscriptions"."purchase" is not null),
	CONSTRAINT "tool_subscriptions_money" CHECK ("tool_subscriptions"."monthly_cents" >= 0)
);
--> statement-breakpoint
CREATE TABLE "trial_uses" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"identity" text NOT NULL,
	"tool_id" text NOT NULL,
	"subscription_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "trial_uses_once" UNIQUE("identity","tool_id")
);
--> statement-breakpoint
CREATE TABLE "team_invitations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"team_id" uuid NOT NULL,
	"email" text NOT NULL,
	"invited_by_id" uuid NOT NULL,
	"role" text DEFAULT 'member' NOT NULL,
	"token" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"declined_at" timestamp with time zone,
	"is_revoked" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "team_invitations_token_unique" UNIQUE("token"),
	CONSTRAINT "team_invitations_role" CHECK ("team_invitations"."role" in ('admin', 'member'))
);
--> statement-breakpoint
CREATE TABLE "team_members" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"team_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text DEFAULT 'member' NOT NULL,
	"joined_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "team_members_role" CHECK ("team_members"."role" in ('owner', 'admin', 'member'))
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"membership_type" text DEFAULT 'team' NOT NULL,
	"max_members" integer DEFAULT 19 NOT NULL,
	"stripe_customer_id" text,
	"stripe_subscription_id" text,
	"card_brand" text,
	"card_last4" text,
	"card_exp_month" integer,
	"card_exp_year" integer,
	"is_active" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "teams_stripe_customer_id_unique" UNIQUE("stripe_customer_id"),
	CONSTRAINT "teams_max_members" CHECK ("teams"."max_members" between 1 and 19),
	CONSTRAINT "teams_membership_type" CHECK ("teams"."membership_type" in ('team', 'shaw_partners'))
);
--> statement-breakpoint
CREATE TABLE "auth_tokens" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"tool_id" text,
	"kind" text DEFAULT 'launch' NOT NULL,
	"last_four" text,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"is_revoked" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "auth_tokens_token_unique" UNIQUE("token"),
	CONSTRAINT "auth_tokens_kind" CHECK ("auth_tokens"."kind" in ('launch', 'api_key'))
);
--> statement-breakpoint
CREATE TABLE "tool_secrets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tool_id" text NOT NULL,
	"secret_hash" text NOT NULL,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_secrets_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "tool_usage" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"tool_id" text NOT NULL,
	"session_id" text,
	"auth_token_id" uuid,
	"last_accessed" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tools" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"base_price" numeric(10, 2) NOT NULL,
	"domain" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"coming_soon" boolean DEFAULT false NOT NULL,
	"minutes_saved" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tools_base_price" CHECK ("tools"."base_price" >= 0),
	CONSTRAINT "tools_domain" CHECK ("tools"."domain" ~ '^https?://')
);
--> statement-breakpoint
ALTER TABLE "email_verification_tokens" ADD CONSTRAINT "email_verification_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "password_reset_tokens" ADD CONSTRAINT "password_reset_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_metrics" ADD CONSTRAINT "tool_metrics_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_analytics" ADD CONSTRAINT "usage_analytics_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_analytics" ADD CONSTRAINT "usage_analytics_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_analytics" ADD CONSTRAINT "usage_analytics_usage_id_tool_usage_id_fk" FOREIGN KEY ("usage_id") REFERENCES "public"."tool_usage"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_addresses" ADD CONSTRAINT "billing_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_addresses" ADD CONSTRAINT "billing_addresses_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reminder_settings" ADD CONSTRAINT "reminder_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD CONSTRAINT "tool_subscriptions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD CONSTRAINT "tool_subscriptions_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD CONSTRAINT "tool_subscriptions_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trial_uses" ADD CONSTRAINT "trial_uses_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trial_uses" ADD CONSTRAINT "trial_uses_subscription_id_tool_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."tool_subscriptions"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_invited_by_id_users_id_fk" FOREIGN KEY ("invited_by_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_tokens" ADD CONSTRAINT "auth_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "auth_tokens" ADD CONSTRAINT "auth_tokens_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_secrets" ADD CONSTRAINT "tool_secrets_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD CONSTRAINT "tool_usage_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD CONSTRAINT "tool_usage_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD CONSTRAINT "tool_usage_auth_token_id_auth_tokens_id_fk" FOREIGN KEY ("auth_token_id") REFERENCES "public"."auth_tokens"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "email_verification_tokens_user" ON "email_verification_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "password_reset_tokens_user" ON "password_reset_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_expire" ON "sessions" USING btree ("expire");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_public_id" ON "sessions" USING btree ("public_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_unique" ON "users" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "users_stripe_customer_unique" ON "users" USING btree ("stripe_customer_id");--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "users_free_access" ON "users" USING btree ("created_at" DESC NULLS LAST,"id") WHERE "users"."free_access_granted";--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "audit_log" USING btree ("created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "usage_analytics_user_recent" ON "usage_analytics" USING btree ("user_id","date" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "usage_analytics_tool_date" ON "usage_analytics" USING btree ("tool_id","date");--> statement-breakpoint
CREATE UNIQUE INDEX "billing_addresses_user" ON "billing_addresses" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "billing_addresses_team" ON "billing_addresses" USING btree ("team_id");--> statement-breakpoint
CREATE INDEX "invoices_user" ON "invoices" USING btree ("user_id","issued_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "invoices_team" ON "invoices" USING btree ("team_id","issued_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "stripe_events_open" ON "stripe_events" USING btree ("received_at") WHERE "stripe_events"."status" in ('pending', 'parked');--> statement-breakpoint
CREATE INDEX "mails_to_newest" ON "mails" USING btree ("to_address","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mails_newest" ON "mails" USING btree ("created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "notifications_user_recent" ON "notifications" USING btree ("user_id","created_at" DESC NULLS LAST,"id");--> statement-breakpoint
CREATE INDEX "notifications_user_unread" ON "notifications" USING btree ("user_id") WHERE not "notifications"."is_read";--> statement-breakpoint
CREATE UNIQUE INDEX "discount_tiers_active_count" ON "discount_tiers" USING btree ("tool_count") WHERE "discount_tiers"."is_active";--> statement-breakpoint
CREATE UNIQUE INDEX "tool_subscriptions_live_user" ON "tool_subscriptions" USING btree ("user_id","tool_id") WHERE "tool_subscriptions"."is_active" and "tool_subscriptions"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "tool_subscriptions_live_team" ON "tool_subscriptions" USING btree ("team_id","tool_id") WHERE "tool_subscriptions"."is_active" and "tool_subscriptions"."team_id" is not null;--> statement-breakpoint
CREATE INDEX "tool_subscriptions_user" ON "tool_subscriptions" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "tool_subscriptions_team" ON "tool_subscriptions" USING btree ("team_id","created_at");--> statement-breakpoint
CREATE INDEX "tool_subscriptions_incomplete" ON "tool_subscriptions" USING btree ("created_at") WHERE "tool_subscriptions"."status" = 'incomplete';--> statement-breakpoint
CREATE INDEX "tool_subscriptions_synced" ON "tool_subscriptions" USING btree ("synced_at") WHERE "tool_subscriptions"."is_active" and "tool_subscriptions"."stripe_subscription_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "team_invitations_pending" ON "team_invitations" USING btree ("team_id",lower("email")) WHERE "team_invitations"."accepted_at" is null and "team_invitations"."declined_at" is null and not "team_invitations"."is_revoked";--> statement-breakpoint
CREATE INDEX "team_invitations_team" ON "team_invitations" USING btree ("team_id");--> statement-breakpoint
CREATE UNIQUE INDEX "team_members_once" ON "team_members" USING btree ("team_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "team_members_one_owner" ON "team_members" USING btree ("team_id") WHERE "team_members"."role" = 'owner';--> statement-breakpoint
CREATE UNIQUE INDEX "team_members_one_membership" ON "team_members" USING btree ("user_id") WHERE "team_members"."role" <> 'owner';--> statement-breakpoint
CREATE UNIQUE INDEX "teams_one_active_per_owner" ON "teams" USING btree ("owner_id") WHERE "teams"."is_active";--> statement-breakpoint
CREATE INDEX "auth_tokens_user_tool" ON "auth_tokens" USING btree ("user_id","tool_id");--> statement-breakpoint
CREATE INDEX "auth_tokens_keys" ON "auth_tokens" USING btree ("created_at" DESC NULLS LAST,"id") WHERE "auth_tokens"."kind" = 'api_key';--> statement-breakpoint
CREATE INDEX "auth_tokens_expiry" ON "auth_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tool_secrets_tool" ON "tool_secrets" USING btree ("tool_id");--> statement-breakpoint
CREATE INDEX "tool_usage_user_recent" ON "tool_usage" USING btree ("user_id","last_accessed" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tool_usage_tool_created" ON "tool_usage" USING btree ("tool_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "tool_usage_session" ON "tool_usage" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tool_usage_auth_token" ON "tool_usage" USING btree ("auth_token_id");