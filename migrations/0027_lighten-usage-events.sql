-- An event was stored with three foreign keys and five indexes, which took most of its time. Person, tool and session are those of
-- the session's row, which is there and locked meanwhile; what no query reads is no index.
ALTER TABLE "usage_analytics" DROP CONSTRAINT "usage_analytics_user_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "usage_analytics" DROP CONSTRAINT "usage_analytics_tool_id_tools_id_fk";
--> statement-breakpoint
ALTER TABLE "usage_analytics" DROP CONSTRAINT "usage_analytics_usage_id_tool_usage_id_fk";
--> statement-breakpoint
ALTER TABLE "usage_analytics" DROP CONSTRAINT "usage_analytics_pkey";
--> statement-breakpoint
ALTER TABLE "usage_analytics" DROP CONSTRAINT "usage_analytics_event";
--> statement-breakpoint
ALTER TABLE "usage_analytics" ADD CONSTRAINT "usage_analytics_event" PRIMARY KEY USING INDEX "usage_analytics_key";
--> statement-breakpoint
-- Reports end their session in the update that sums them.
CREATE OR REPLACE FUNCTION count_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- As whoever opens a session: the adviser's row of the ranking first, which the sessions' own trigger changes.
  PERFORM 1 FROM user_usage WHERE user_id IN (SELECT user_id FROM added) ORDER BY user_id FOR UPDATE;
  INSERT INTO usage_days AS kept (user_id, day, tool_id, duration_seconds, actions, bytes, score_total, score_count)
  SELECT user_id, (date AT TIME ZONE 'Australia/Sydney')::date, tool_id, coalesce(sum(session_duration), 0),
    sum(actions_performed), sum(data_processed), coalesce(sum(performance_score), 0), count(performance_score)
  FROM added GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (user_id, day, tool_id) DO UPDATE SET
    duration_seconds = kept.duration_seconds + excluded.duration_seconds,
    actions = kept.actions + excluded.actions,
    bytes = kept.bytes + excluded.bytes,
    score_total = kept.score_total + excluded.score_total,
    score_count = kept.score_count + excluded.score_count;

  WITH told AS (
    SELECT usage_id, tool_id, (date AT TIME ZONE 'Australia/Sydney')::date AS day, count(session_duration)::int AS reports,
      coalesce(sum(session_duration), 0) AS duration, sum(actions_performed) AS actions, sum(data_processed) AS bytes,
      coalesce(sum(performance_score), 0) AS score, count(performance_score)::int AS scores, max(created_at) AS at
    FROM added GROUP BY 1, 2, 3
  ), reported AS (
    UPDATE tool_usage AS session SET
      last_accessed = told.at,
      ended_at = told.at,
      reports = session.reports + told.reports,
      duration_seconds = session.duration_seconds + told.duration,
      actions = session.actions + told.actions,
      bytes = session.bytes + told.bytes,
      score_total = session.score_total + told.score,
      score_count = session.score_count + told.scores
    FROM told WHERE session.id = told.usage_id
    RETURNING session.id, session.reports
  )
  INSERT INTO tool_metrics AS metrics (tool_id, date, total_duration, reported_sessions, score_total, score_count)
  SELECT told.tool_id, told.day, sum(told.duration),
    count(*) FILTER (WHERE told.reports > 0 AND reported.reports = told.reports), sum(told.score), sum(told.scores)
  FROM told LEFT JOIN reported ON reported.id = told.usage_id GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (tool_id, date) DO UPDATE SET
    total_duration = metrics.total_duration + excluded.total_duration,
    reported_sessions = metrics.reported_sessions + excluded.reported_sessions,
    score_total = metrics.score_total + excluded.score_total,
    score_count = metrics.score_count + excluded.score_count;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What a deleted person's tools reported goes with them: its rows have no foreign keys.
CREATE OR REPLACE FUNCTION delete_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM usage_analytics WHERE user_id IN (SELECT id FROM gone);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER users_reports_deleted AFTER DELETE ON users
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_reports();
--> statement-breakpoint
DROP TRIGGER tool_usage_advisers_touched ON tool_usage;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION touch_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_usage WHERE user_id = NEW.user_id FOR UPDATE;
  UPDATE user_usage SET last_used = (SELECT max(last_accessed) FROM tool_usage WHERE user_id = NEW.user_id)
  WHERE user_id = NEW.user_id AND last_used = OLD.last_accessed;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tool_usage_advisers_dated_back AFTER UPDATE OF last_accessed ON tool_usage FOR EACH ROW
  WHEN (NEW.last_accessed < OLD.last_accessed) EXECUTE FUNCTION touch_usage();
--> statement-breakpoint
-- Uses go on, of many advisers in one statement: their rows are locked in one order, however the batch came.
CREATE OR REPLACE FUNCTION touch_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_usage WHERE user_id IN (SELECT user_id FROM touched) ORDER BY user_id FOR UPDATE;
  UPDATE user_usage AS kept SET last_used = latest.at
  FROM (SELECT user_id, max(last_accessed) AS at FROM touched GROUP BY 1) AS latest
  WHERE kept.user_id = latest.user_id AND kept.last_used < latest.at;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER tool_usage_advisers_touched AFTER UPDATE ON tool_usage
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION touch_users();
