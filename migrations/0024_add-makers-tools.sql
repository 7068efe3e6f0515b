CREATE TABLE "test_advisers" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"tool_id" text NOT NULL,
	"ended" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tool_refusals" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tool_id" text NOT NULL,
	"kind" text NOT NULL,
	"message" text NOT NULL,
	"times" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tool_secrets" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "tool_secrets" ADD COLUMN "last_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "owner_id" uuid;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "scopes" text[] DEFAULT '{"name","email","dealer_group","team"}' NOT NULL;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "requested_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tools" ADD COLUMN "refused_for" text;--> statement-breakpoint
ALTER TABLE "test_advisers" ADD CONSTRAINT "test_advisers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "test_advisers" ADD CONSTRAINT "test_advisers_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tool_refusals" ADD CONSTRAINT "tool_refusals_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "test_advisers_tool" ON "test_advisers" USING btree ("tool_id");--> statement-breakpoint
CREATE INDEX "tool_refusals_tool" ON "tool_refusals" USING btree ("tool_id","created_at" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "tools" ADD CONSTRAINT "tools_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "auth_tokens_tool" ON "auth_tokens" USING btree ("tool_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "tools_owner" ON "tools" USING btree ("owner_id");