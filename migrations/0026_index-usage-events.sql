-- What becomes the key in the next migration, and two indexes that no query reads.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "usage_analytics_key" ON "usage_analytics" ("tool_id","event_id");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "usage_analytics_session";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "usage_analytics_tool_date";
