CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_counted" ON "users" USING btree ("email_verified","profile_completed","free_access_granted") WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_name_begins" ON "users" USING btree ((lower(first_name || ' ' || last_name) collate "C"),"seq" DESC NULLS FIRST) WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_surname_begins" ON "users" USING btree ((lower(last_name || ' ' || first_name) collate "C"),"seq" DESC NULLS FIRST) WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_email_begins" ON "users" USING btree ((email collate "C"),"seq" DESC NULLS FIRST) WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_searched" ON "users" USING btree ("seq",(lower(first_name || ' ' || last_name || ' ' || email) collate "C"),"first_name","last_name","email") WHERE "users"."closed_at" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_by_name";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_by_surname";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_by_last_word";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_by_email";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_by_email_word";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_by_domain";