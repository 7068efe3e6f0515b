CREATE TABLE "tool_prices" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tool_id" text NOT NULL,
	"number" integer,
	"unit_cents" integer NOT NULL,
	"before_cents" integer NOT NULL,
	"starts_at" timestamp with time zone,
	"withdraws" integer,
	"reason" text NOT NULL,
	"changed_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_prices_cents" CHECK ("tool_prices"."unit_cents" > 0 and "tool_prices"."before_cents" >= 0),
	CONSTRAINT "tool_prices_told" CHECK ("tool_prices"."number" is not null or ("tool_prices"."starts_at" is null and "tool_prices"."withdraws" is null))
);
--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "price_number" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_prices" ADD CONSTRAINT "tool_prices_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_prices" ADD CONSTRAINT "tool_prices_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tool_prices_number" ON "tool_prices" USING btree ("tool_id","number");--> statement-breakpoint
CREATE UNIQUE INDEX "tool_prices_withdraws" ON "tool_prices" USING btree ("tool_id","withdraws");--> statement-breakpoint
CREATE INDEX "tool_prices_tool" ON "tool_prices" USING btree ("tool_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tool_prices_changed_by" ON "tool_prices" USING btree ("changed_by");