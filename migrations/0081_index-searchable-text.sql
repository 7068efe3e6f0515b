-- The release before searches by users_name_begins, users_surname_begins, users_email_begins, users_searched and teams_by_name: they are
-- dropped a release later.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_searchable_name" ON "users" USING btree ((searchable(first_name || ' ' || last_name) collate "C"),"seq" DESC NULLS FIRST) WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_searchable_surname" ON "users" USING btree ((searchable(last_name || ' ' || first_name) collate "C"),"seq" DESC NULLS FIRST) WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_searchable_email" ON "users" USING btree ((searchable(email) collate "C"),"seq" DESC NULLS FIRST) WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_searchable" ON "users" USING btree ("seq",(searchable(first_name || ' ' || last_name || ' ' || email) collate "C"),"first_name","last_name","email") WHERE "users"."closed_at" is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "teams_searchable" ON "teams" USING btree ((searchable("name") collate "C"),"id");
