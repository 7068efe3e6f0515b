-- A session with a tool outside Adviserly is no use of ours: it left the ranking of uses, and those counted so far come off.
LOCK TABLE tool_usage IN SHARE ROW EXCLUSIVE MODE;--> statement-breakpoint
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
END $$;--> statement-breakpoint
UPDATE user_usage AS kept SET total_usage = kept.total_usage - outside.uses
FROM (
  SELECT user_id, count(*)::integer AS uses FROM tool_usage JOIN tools ON tools.id = tool_id AND tools.team_id IS NOT NULL GROUP BY 1
) AS outside
WHERE kept.user_id = outside.user_id;
