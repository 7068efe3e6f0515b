-- Only what is approved is under way ("acts_under_way"): an act that waits for a second administrator does not stand in the way of another.
DROP INDEX CONCURRENTLY IF EXISTS "acts_open";
