CREATE INDEX CONCURRENTLY IF NOT EXISTS "recall_sessions_of_user" ON "recall_sessions" USING btree ("user_id","recall_id","begun_at" DESC NULLS FIRST,"session_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "recall_sessions_of_team" ON "recall_sessions" USING btree ("team_id","recall_id","begun_at" DESC NULLS FIRST,"session_id" DESC NULLS FIRST) WHERE "recall_sessions"."team_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "recall_sessions_open" ON "recall_sessions" USING btree ("team_id","recall_id","begun_at" DESC NULLS FIRST,"session_id" DESC NULLS FIRST) WHERE "recall_sessions"."looked_at" is null and "recall_sessions"."removed_at" is null and "recall_sessions"."team_id" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "recall_sessions_begun";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "recall_sessions_user";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "recall_sessions_team";
