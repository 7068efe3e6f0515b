CREATE INDEX CONCURRENTLY IF NOT EXISTS "users_abn_open" ON "users" USING btree ("abn") WHERE "users"."abn" is not null and "users"."closed_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "invoices_number" ON "invoices" USING btree ("number");
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stripe_events_customer" ON "stripe_events" USING btree ("customer_id","occurred_at" DESC NULLS FIRST);