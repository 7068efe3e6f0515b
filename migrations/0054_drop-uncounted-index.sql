DROP INDEX CONCURRENTLY IF EXISTS "subscription_changes_uncounted";
