CREATE TABLE "tool_agreements" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tool_id" text NOT NULL,
	"price_cents" integer NOT NULL,
	"share_percent" integer,
	"accepted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_agreements_price" CHECK ("tool_agreements"."price_cents" > 0),
	CONSTRAINT "tool_agreements_share" CHECK ("tool_agreements"."share_percent" between 0 and 100),
	CONSTRAINT "tool_agreements_whole" CHECK (("tool_agreements"."accepted_at" is null) = ("tool_agreements"."share_percent" is null))
);
--> statement-breakpoint
ALTER TABLE "tool_checks" ADD COLUMN "examined" text;--> statement-breakpoint
ALTER TABLE "tool_checks" ADD COLUMN "shut_session" uuid;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "subject_salt" uuid;--> statement-breakpoint
ALTER TABLE "tool_agreements" ADD CONSTRAINT "tool_agreements_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tool_agreements_waiting" ON "tool_agreements" USING btree ("tool_id") WHERE "tool_agreements"."accepted_at" is null;--> statement-breakpoint
CREATE INDEX "tool_agreements_tool" ON "tool_agreements" USING btree ("tool_id","accepted_at" DESC NULLS LAST);