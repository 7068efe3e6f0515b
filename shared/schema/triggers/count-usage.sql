-- Sums of use per adviser and day (usage_days) and per tool and day (tool_metrics) are kept as rows come in, in the same
-- transaction. Every function writes in the same order (adviser's days, sessions, tool's days, each sorted), so that two
-- batches wait for each other instead of deadlocking.

-- A session was opened.
CREATE OR REPLACE FUNCTION count_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH opened AS (
    SELECT user_id, (created_at AT TIME ZONE 'Australia/Sydney')::date AS day, tool_id, count(*)::int AS sessions
    FROM added GROUP BY 1, 2, 3
  ), kept AS (
    INSERT INTO usage_days AS kept (user_id, day, tool_id, sessions)
    SELECT * FROM opened ORDER BY user_id, day, tool_id
    ON CONFLICT (user_id, day, tool_id) DO UPDATE SET sessions = kept.sessions + excluded.sessions
    RETURNING user_id, day, tool_id, sessions
  )
  INSERT INTO tool_metrics AS metrics (tool_id, date, total_sessions, total_users)
  SELECT opened.tool_id, opened.day, sum(opened.sessions), count(*) FILTER (WHERE kept.sessions = opened.sessions)
  FROM opened JOIN kept USING (user_id, day, tool_id) GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (tool_id, date) DO UPDATE SET
    total_sessions = metrics.total_sessions + excluded.total_sessions,
    total_users = metrics.total_users + excluded.total_users;
  RETURN NULL;
END $$;

CREATE TRIGGER tool_usage_counted AFTER INSERT ON tool_usage
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_sessions();

-- A tool reported on sessions.
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

CREATE TRIGGER usage_analytics_counted AFTER INSERT ON usage_analytics
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_reports();

-- What tools reported about a deleted person goes with them; without foreign keys, nothing else would delete it.
CREATE OR REPLACE FUNCTION delete_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM usage_analytics WHERE user_id IN (SELECT id FROM gone);
  RETURN NULL;
END $$;

CREATE TRIGGER users_reports_deleted AFTER DELETE ON users
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION delete_reports();
