CREATE TABLE "stripe_account" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"mode" text NOT NULL,
	"events_read_until" timestamp with time zone,
	"events_reading_since" timestamp with time zone,
	"events_cursor" text,
	CONSTRAINT "stripe_account_single_row" CHECK ("stripe_account"."id"),
	CONSTRAINT "stripe_account_mode" CHECK ("stripe_account"."mode" in ('sandbox', 'test', 'live'))
);
