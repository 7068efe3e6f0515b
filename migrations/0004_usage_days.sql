CREATE TABLE "usage_days" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"tool_id" text NOT NULL,
	"sessions" integer DEFAULT 0 NOT NULL,
	"duration_seconds" bigint DEFAULT 0 NOT NULL,
	"actions" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"score_total" numeric(14, 2) DEFAULT '0' NOT NULL,
	"score_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_days_pk" PRIMARY KEY("user_id","day","tool_id")
);--> statement-breakpoint
ALTER TABLE "tool_metrics" ADD COLUMN "total_duration" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_metrics" ADD COLUMN "reported_sessions" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_metrics" ADD COLUMN "score_total" numeric(16, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_metrics" ADD COLUMN "score_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_metrics" drop column "avg_session_duration";--> statement-breakpoint
ALTER TABLE "tool_metrics" ADD COLUMN "avg_session_duration" numeric(8, 2) GENERATED ALWAYS AS (case when reported_sessions > 0 then least(round(total_duration::numeric / reported_sessions, 2), 999999.99) end) STORED;--> statement-breakpoint
ALTER TABLE "tool_metrics" drop column "performance_rating";--> statement-breakpoint
ALTER TABLE "tool_metrics" ADD COLUMN "performance_rating" numeric(3, 2) GENERATED ALWAYS AS (case when score_count > 0 then least(round(score_total / score_count, 2), 9.99) end) STORED;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "reports" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "duration_seconds" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "actions" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "score_total" numeric(14, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_usage" ADD COLUMN "score_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_tool_id_tools_id_fk" FOREIGN KEY ("tool_id") REFERENCES "public"."tools"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "usage_days_day" ON "usage_days" USING btree ("day","user_id");--> statement-breakpoint
CREATE INDEX "tool_usage_user_created" ON "tool_usage" USING btree ("user_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "tool_usage_open" ON "tool_usage" USING btree ("last_accessed") WHERE "tool_usage"."ended_at" is null;
