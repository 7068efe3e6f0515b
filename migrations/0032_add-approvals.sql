CREATE TABLE "approvals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"parameters" jsonb NOT NULL,
	"reason" text NOT NULL,
	"asked_by" uuid NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp with time zone,
	"executed_at" timestamp with time zone,
	"failure" text,
	"undone_by" uuid,
	"undone_at" timestamp with time zone,
	CONSTRAINT "approvals_kind" CHECK ("approvals"."kind" in ('free_access', 'make_admin', 'change_email', 'refund')),
	CONSTRAINT "approvals_state" CHECK ("approvals"."state" in ('waiting', 'approved', 'refused', 'expired')),
	CONSTRAINT "approvals_four_eyes" CHECK ("approvals"."decided_by" is null or "approvals"."decided_by" <> "approvals"."asked_by"),
	CONSTRAINT "approvals_in_order" CHECK ("approvals"."executed_at" is null or "approvals"."state" = 'approved'),
	CONSTRAINT "approvals_undone_in_order" CHECK ("approvals"."undone_at" is null or "approvals"."executed_at" is not null)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_waiting" ON "approvals" USING btree ("kind","subject_id") WHERE "approvals"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "approvals_newest" ON "approvals" USING btree ("asked_at" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "approvals_subject" ON "approvals" USING btree ("subject_id");