CREATE TABLE "adjustment_notes" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"provider_id" text NOT NULL,
	"invoice_id" uuid NOT NULL,
	"number" text NOT NULL,
	"total_cents" integer NOT NULL,
	"gst_cents" integer NOT NULL,
	"reason" text,
	"issued_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "adjustment_notes_provider_id_unique" UNIQUE("provider_id"),
	CONSTRAINT "adjustment_notes_money" CHECK ("adjustment_notes"."total_cents" > 0 and "adjustment_notes"."gst_cents" >= 0)
);
--> statement-breakpoint
DROP INDEX "tool_subscriptions_user";--> statement-breakpoint
DROP INDEX "tool_subscriptions_team";--> statement-breakpoint
DROP INDEX "users_newest";--> statement-breakpoint
DROP INDEX "users_free_access";--> statement-breakpoint
DROP INDEX "audit_log_newest";--> statement-breakpoint
DROP INDEX "audit_log_actor";--> statement-breakpoint
DROP INDEX "audit_log_action";--> statement-breakpoint
DROP INDEX "audit_log_subject";--> statement-breakpoint
DROP INDEX "usage_analytics_user_recent";--> statement-breakpoint
DROP INDEX "invoices_user";--> statement-breakpoint
DROP INDEX "invoices_team";--> statement-breakpoint
DROP INDEX "mails_to_newest";--> statement-breakpoint
DROP INDEX "mails_newest";--> statement-breakpoint
DROP INDEX "notifications_user_recent";--> statement-breakpoint
DROP INDEX "auth_tokens_keys";--> statement-breakpoint
DROP INDEX "tool_usage_user_recent";--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "buyer" jsonb;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "due_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "headers" jsonb;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "quantity" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "win_back_of" uuid;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "win_back" jsonb;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "payment_problem" jsonb;--> statement-breakpoint
ALTER TABLE "adjustment_notes" ADD CONSTRAINT "adjustment_notes_invoice_id_invoices_id_fk" FOREIGN KEY ("invoice_id") REFERENCES "public"."invoices"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adjustment_notes_invoice" ON "adjustment_notes" USING btree ("invoice_id");--> statement-breakpoint
CREATE INDEX "tool_subscriptions_user_tool" ON "tool_subscriptions" USING btree ("user_id","tool_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "tool_subscriptions_team_tool" ON "tool_subscriptions" USING btree ("team_id","tool_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE UNIQUE INDEX "tool_subscriptions_win_back_once" ON "tool_subscriptions" USING btree ("win_back_of");--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "users_free_access" ON "users" USING btree ("created_at" DESC NULLS FIRST,"id") WHERE "users"."free_access_granted";--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "audit_log" USING btree ("created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "audit_log_actor" ON "audit_log" USING btree ("actor_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_log_action" ON "audit_log" USING btree ("action","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "audit_log_subject" ON "audit_log" USING btree ("subject_id","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "usage_analytics_user_recent" ON "usage_analytics" USING btree ("user_id","date" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "invoices_user" ON "invoices" USING btree ("user_id","issued_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "invoices_team" ON "invoices" USING btree ("team_id","issued_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "mails_to_newest" ON "mails" USING btree ("to_address","created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "mails_newest" ON "mails" USING btree ("created_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "notifications_user_recent" ON "notifications" USING btree ("user_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "auth_tokens_keys" ON "auth_tokens" USING btree ("created_at" DESC NULLS FIRST,"id") WHERE "auth_tokens"."kind" = 'api_key';--> statement-breakpoint
CREATE INDEX "tool_usage_user_recent" ON "tool_usage" USING btree ("user_id","last_accessed" DESC NULLS FIRST);--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD CONSTRAINT "tool_subscriptions_quantity" CHECK ("tool_subscriptions"."quantity" between 1 and 19);