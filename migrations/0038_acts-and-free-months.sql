CREATE TABLE "acts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"parameters" jsonb NOT NULL,
	"reason" text NOT NULL,
	"asked_by" uuid NOT NULL,
	"ip" text,
	"asked_at" timestamp with time zone NOT NULL,
	"person_id" uuid,
	"cents" integer,
	"done_at" timestamp with time zone,
	"failure" text,
	CONSTRAINT "acts_kind" CHECK ("acts"."kind" in ('cancel', 'extend_trial', 'retry_charge', 'void_invoice', 'refund')),
	CONSTRAINT "acts_one_end" CHECK ("acts"."done_at" is null or "acts"."failure" is null),
	CONSTRAINT "acts_refund_names_money" CHECK (("acts"."kind" = 'refund') = ("acts"."cents" is not null and "acts"."person_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "approvals" DROP CONSTRAINT "approvals_kind";--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "free_months" jsonb;--> statement-breakpoint
CREATE UNIQUE INDEX "acts_open" ON "acts" USING btree ("subject_id") WHERE "acts"."done_at" is null and "acts"."failure" is null;--> statement-breakpoint
CREATE INDEX "acts_refunds" ON "acts" USING btree ("person_id","asked_at") WHERE "acts"."cents" is not null and "acts"."failure" is null;--> statement-breakpoint
ALTER TABLE "approvals" ADD CONSTRAINT "approvals_kind" CHECK ("approvals"."kind" in ('free_access', 'make_admin', 'change_email', 'refund', 'free_months')) NOT VALID;