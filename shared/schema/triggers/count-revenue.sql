CREATE OR REPLACE FUNCTION tool_of(subscription uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT tool_id FROM tool_subscriptions WHERE id = subscription), 'none');
$$;

-- What each tool has of an invoice, in cents after discounts; null where its lines name none, as before a payer had one bill.
CREATE OR REPLACE FUNCTION revenue_shares(lines jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN sum(cents) <> 0 THEN jsonb_object_agg(tool, cents) END FROM (
    SELECT line ->> 'toolId' AS tool, sum((line ->> 'cents')::integer - coalesce(
      (SELECT sum((discount ->> 'cents')::integer) FROM jsonb_array_elements(line -> 'discounts') AS discount), 0)) AS cents
    FROM jsonb_array_elements(lines) AS line WHERE line ? 'toolId' GROUP BY 1) AS tools;
$$;

-- An amount by tool, in proportion to the shares and rounded so that the parts add up; all of it to that tool where there are none.
CREATE OR REPLACE FUNCTION split_amount(amount integer, shares jsonb, tool text) RETURNS TABLE (tool_id text, cents integer)
LANGUAGE sql IMMUTABLE AS $$
  SELECT tool, amount WHERE shares IS NULL
  UNION ALL
  SELECT key, (round(amount * upto / total) - round(amount * (upto - share) / total))::integer FROM (
    SELECT key, value::numeric AS share, sum(value::numeric) OVER (ORDER BY key) AS upto, sum(value::numeric) OVER () AS total
    FROM jsonb_each_text(shares)) AS parts;
$$;

-- Revenue per tool and day (tool_metrics), in dollars, from paid invoices: what was paid, by the lines of each tool.
CREATE OR REPLACE FUNCTION add_revenue(i invoices, sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tool_metrics AS metrics (tool_id, date, total_revenue)
  SELECT part.tool_id, (i.paid_at AT TIME ZONE 'Australia/Sydney')::date, sign * part.cents / 100.0
  FROM split_amount(i.amount_paid_cents, revenue_shares(i.lines), tool_of(i.subscription_id)) AS part
  WHERE part.cents <> 0 AND part.tool_id <> 'none'
  ON CONFLICT (tool_id, date) DO UPDATE SET total_revenue = metrics.total_revenue + excluded.total_revenue;
$$;

-- What an invoice counted for before is subtracted first, so that a change is never counted twice.
CREATE OR REPLACE FUNCTION count_revenue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status = 'paid' AND OLD.paid_at IS NOT NULL THEN
    PERFORM add_revenue(OLD, -1);
  END IF;
  IF NEW.status = 'paid' AND NEW.paid_at IS NOT NULL THEN
    PERFORM add_revenue(NEW, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER invoices_counted_new AFTER INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION count_revenue();

CREATE OR REPLACE TRIGGER invoices_counted_changed AFTER UPDATE ON invoices FOR EACH ROW
  WHEN ((OLD.status, OLD.paid_at, OLD.amount_paid_cents, OLD.subscription_id, OLD.lines)
    IS DISTINCT FROM (NEW.status, NEW.paid_at, NEW.amount_paid_cents, NEW.subscription_id, NEW.lines))
  EXECUTE FUNCTION count_revenue();
