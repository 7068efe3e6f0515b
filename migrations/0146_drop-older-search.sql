-- The search of before 0081 used these. A release of that time finds the same people without them, more slowly.
DROP INDEX CONCURRENTLY IF EXISTS "users_searched";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_name_begins";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_surname_begins";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_email_begins";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "teams_by_name";
