-- Counters of usage are kept as its rows come in, in the same transaction, and never counted at request time. Always in the
-- order adviser's days, sessions, tool's days, each sorted, so that two batches wait for each other instead of deadlocking.
CREATE FUNCTION count_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
CREATE TRIGGER tool_usage_counted AFTER INSERT ON tool_usage
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_sessions();
--> statement-breakpoint
CREATE FUNCTION count_reports() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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
      coalesce(sum(performance_score), 0) AS score, count(performance_score)::int AS scores
    FROM added GROUP BY 1, 2, 3
  ), reported AS (
    UPDATE tool_usage AS session SET
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
CREATE TRIGGER usage_analytics_counted AFTER INSERT ON usage_analytics
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_reports();
--> statement-breakpoint
CREATE FUNCTION add_revenue(subscription uuid, paid timestamptz, cents integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tool_metrics AS metrics (tool_id, date, total_revenue)
  SELECT tool_id, (paid AT TIME ZONE 'Australia/Sydney')::date, cents / 100.0 FROM tool_subscriptions
  WHERE id = subscription AND cents <> 0
  ON CONFLICT (tool_id, date) DO UPDATE SET total_revenue = metrics.total_revenue + excluded.total_revenue;
$$;
--> statement-breakpoint
-- What the invoice was counted as is taken back before it is counted anew, so that a change of it is never counted twice.
CREATE FUNCTION count_revenue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status = 'paid' AND OLD.paid_at IS NOT NULL THEN
    PERFORM add_revenue(OLD.subscription_id, OLD.paid_at, -OLD.amount_paid_cents);
  END IF;
  IF NEW.status = 'paid' AND NEW.paid_at IS NOT NULL THEN
    PERFORM add_revenue(NEW.subscription_id, NEW.paid_at, NEW.amount_paid_cents);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER invoices_counted_new AFTER INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION count_revenue();
--> statement-breakpoint
CREATE TRIGGER invoices_counted_changed AFTER UPDATE ON invoices FOR EACH ROW
  WHEN ((OLD.status, OLD.paid_at, OLD.amount_paid_cents, OLD.subscription_id)
    IS DISTINCT FROM (NEW.status, NEW.paid_at, NEW.amount_paid_cents, NEW.subscription_id))
  EXECUTE FUNCTION count_revenue();
--> statement-breakpoint
-- What was there before the triggers.
INSERT INTO usage_days (user_id, day, tool_id, sessions)
SELECT user_id, (created_at AT TIME ZONE 'Australia/Sydney')::date, tool_id, count(*) FROM tool_usage GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO usage_days AS kept (user_id, day, tool_id, duration_seconds, actions, bytes, score_total, score_count)
SELECT user_id, (date AT TIME ZONE 'Australia/Sydney')::date, tool_id, coalesce(sum(session_duration), 0),
  sum(actions_performed), sum(data_processed), coalesce(sum(performance_score), 0), count(performance_score)
FROM usage_analytics GROUP BY 1, 2, 3
ON CONFLICT (user_id, day, tool_id) DO UPDATE SET duration_seconds = excluded.duration_seconds, actions = excluded.actions,
  bytes = excluded.bytes, score_total = excluded.score_total, score_count = excluded.score_count;
--> statement-breakpoint
UPDATE tool_usage AS session SET reports = told.reports, duration_seconds = told.duration, actions = told.actions,
  bytes = told.bytes, score_total = told.score, score_count = told.scores
FROM (
  SELECT usage_id, count(session_duration) AS reports, coalesce(sum(session_duration), 0) AS duration,
    sum(actions_performed) AS actions, sum(data_processed) AS bytes, coalesce(sum(performance_score), 0) AS score,
    count(performance_score) AS scores
  FROM usage_analytics WHERE usage_id IS NOT NULL GROUP BY 1
) AS told WHERE session.id = told.usage_id;
--> statement-breakpoint
INSERT INTO tool_metrics (tool_id, date, total_users, total_sessions, total_duration, score_total, score_count, reported_sessions)
SELECT tool_id, day, count(*) FILTER (WHERE sessions > 0), sum(sessions), sum(duration_seconds), sum(score_total), sum(score_count),
  (SELECT count(*) FROM tool_usage AS session WHERE session.tool_id = usage_days.tool_id AND session.reports > 0
    AND (session.created_at AT TIME ZONE 'Australia/Sydney')::date = usage_days.day)
FROM usage_days GROUP BY tool_id, day
ON CONFLICT (tool_id, date) DO NOTHING;
--> statement-breakpoint
INSERT INTO tool_metrics AS metrics (tool_id, date, total_revenue)
SELECT subscription.tool_id, (paid_at AT TIME ZONE 'Australia/Sydney')::date, sum(amount_paid_cents) / 100.0
FROM invoices JOIN tool_subscriptions AS subscription ON subscription.id = invoices.subscription_id
WHERE invoices.status = 'paid' AND paid_at IS NOT NULL AND amount_paid_cents <> 0 GROUP BY 1, 2
ON CONFLICT (tool_id, date) DO UPDATE SET total_revenue = metrics.total_revenue + excluded.total_revenue;
