-- A session with a tool outside Adviserly is no use of ours. A job takes those counted so far off (server/admin/people/queries-ranking.ts).
CREATE OR REPLACE FUNCTION rank_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_usage AS kept (user_id, total_usage, last_used)
  SELECT counted.user_id, count(*) FILTER (WHERE tools.team_id IS NULL), max(counted.last_accessed)
  FROM counted JOIN users ON users.id = counted.user_id AND users.closed_at IS NULL JOIN tools ON tools.id = counted.tool_id
  GROUP BY 1 ORDER BY 1
  ON CONFLICT (user_id) DO UPDATE SET
    total_usage = kept.total_usage + excluded.total_usage,
    last_used = greatest(kept.last_used, excluded.last_used);
  RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION unrank_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM user_usage WHERE user_id IN (SELECT user_id FROM counted) ORDER BY user_id FOR UPDATE;
  UPDATE user_usage AS kept SET
    total_usage = kept.total_usage - gone.uses,
    last_used = coalesce((SELECT max(last_accessed) FROM tool_usage WHERE tool_usage.user_id = kept.user_id), kept.last_used)
  FROM (
    SELECT user_id, count(*) FILTER (WHERE tools.team_id IS NULL)::integer AS uses
    FROM counted LEFT JOIN tools ON tools.id = counted.tool_id GROUP BY 1
  ) AS gone
  WHERE kept.user_id = gone.user_id;
  DELETE FROM user_usage AS kept WHERE user_id IN (SELECT user_id FROM counted)
    AND NOT EXISTS (SELECT FROM tool_usage WHERE tool_usage.user_id = kept.user_id);
  RETURN NULL;
END $$;
