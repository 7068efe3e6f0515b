-- Revenue per tool and day (tool_metrics), in dollars, from paid invoices.
CREATE OR REPLACE FUNCTION add_revenue(subscription uuid, paid timestamptz, cents integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tool_metrics AS metrics (tool_id, date, total_revenue)
  SELECT tool_id, (paid AT TIME ZONE 'Australia/Sydney')::date, cents / 100.0 FROM tool_subscriptions
  WHERE id = subscription AND cents <> 0
  ON CONFLICT (tool_id, date) DO UPDATE SET total_revenue = metrics.total_revenue + excluded.total_revenue;
$$;

-- What an invoice counted for before is subtracted first, so that a change is never counted twice.
CREATE OR REPLACE FUNCTION count_revenue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND OLD.status = 'paid' AND OLD.paid_at IS NOT NULL THEN
    PERFORM add_revenue(OLD.subscription_id, OLD.paid_at, -OLD.amount_paid_cents);
  END IF;
  IF NEW.status = 'paid' AND NEW.paid_at IS NOT NULL THEN
    PERFORM add_revenue(NEW.subscription_id, NEW.paid_at, NEW.amount_paid_cents);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER invoices_counted_new AFTER INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION count_revenue();

CREATE TRIGGER invoices_counted_changed AFTER UPDATE ON invoices FOR EACH ROW
  WHEN ((OLD.status, OLD.paid_at, OLD.amount_paid_cents, OLD.subscription_id)
    IS DISTINCT FROM (NEW.status, NEW.paid_at, NEW.amount_paid_cents, NEW.subscription_id))
  EXECUTE FUNCTION count_revenue();
