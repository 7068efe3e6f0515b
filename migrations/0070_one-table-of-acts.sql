ALTER TABLE "acts" DROP CONSTRAINT "acts_refund_names_money";--> statement-breakpoint
ALTER TABLE "acts" DROP CONSTRAINT "acts_kind";--> statement-breakpoint
ALTER TABLE "acts" ADD COLUMN "state" text DEFAULT 'approved' NOT NULL;--> statement-breakpoint
ALTER TABLE "acts" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "acts" ADD COLUMN "decided_by" uuid;--> statement-breakpoint
ALTER TABLE "acts" ADD COLUMN "decided_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "acts" ADD COLUMN "undone_by" uuid;--> statement-breakpoint
ALTER TABLE "acts" ADD COLUMN "undone_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "acts_under_way" ON "acts" USING btree ("subject_id") WHERE "acts"."state" = 'approved' and "acts"."done_at" is null and "acts"."failure" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "acts_waiting" ON "acts" USING btree ("kind","subject_id") WHERE "acts"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "acts_newest" ON "acts" USING btree ("asked_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "acts_subject" ON "acts" USING btree ("subject_id");--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_state" CHECK ("acts"."state" in ('waiting', 'approved', 'refused', 'expired'));--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_only_refunds_name_money" CHECK (("acts"."cents" is null) = ("acts"."person_id" is null) and ("acts"."cents" is null or "acts"."kind" = 'refund'));--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_four_eyes" CHECK ("acts"."decided_by" is null or "acts"."decided_by" <> "acts"."asked_by");--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_in_order" CHECK ("acts"."done_at" is null or "acts"."state" = 'approved');--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_undone_in_order" CHECK ("acts"."undone_at" is null or "acts"."done_at" is not null);--> statement-breakpoint
ALTER TABLE "acts" ADD CONSTRAINT "acts_kind" CHECK ("acts"."kind" in ('cancel', 'extend_trial', 'retry_charge', 'void_invoice', 'refund', 'free_access', 'free_months', 'make_admin', 'change_email', 'set_password'));