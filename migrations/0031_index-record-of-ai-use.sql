CREATE INDEX CONCURRENTLY IF NOT EXISTS "tool_usage_unstated" ON "tool_usage" USING btree ("user_id","created_at" DESC NULLS FIRST,"id") WHERE "tool_usage"."checked" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tool_usage_team_created" ON "tool_usage" USING btree ("team_id","created_at" DESC NULLS FIRST,"id") WHERE "tool_usage"."team_id" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "tool_usage_reference" ON "tool_usage" USING btree ("client_reference","user_id") WHERE "tool_usage"."client_reference" is not null;
