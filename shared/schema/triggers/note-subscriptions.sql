-- What the business page is made of beside invoices: a row for each change of a subscription's recurring revenue (subscription_changes),
-- written in the transaction of the change. A fault here is a warning in the log and a gap until the subscription's next change: it
-- never stops a purchase, a renewal or the closing of an account.

CREATE OR REPLACE FUNCTION sydney_month(at timestamptz) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT date_trunc('month', at AT TIME ZONE 'Australia/Sydney')::date;
$$;

-- Business time: only the development console moves it.
CREATE OR REPLACE FUNCTION business_now() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT now() + coalesce((SELECT offset_ms FROM app_clock), 0) * interval '1 millisecond';
$$;

CREATE OR REPLACE FUNCTION plan_of(adviser uuid, team uuid, cents integer) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN cents = 0 THEN 'free' WHEN team IS NOT NULL THEN 'team'
    WHEN EXISTS (SELECT FROM users WHERE id = adviser AND membership_type = 'shaw_partners') THEN 'partner' ELSE 'individual' END;
$$;

-- Appends a row if anything differs from the subscription's last change. With is_opening, it is the state from before changes were kept.
CREATE OR REPLACE FUNCTION note_subscription(s tool_subscriptions, is_opening boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  was subscription_changes;
  payer uuid := coalesce(s.user_id, s.team_id);
  at timestamptz := business_now();
  live boolean;
  cents integer;
  before integer;
  plan text := plan_of(s.user_id, s.team_id, s.monthly_cents);
  -- Where nothing is bought at Stripe nothing was charged: free access ended. A bill's problem names all of it: a month is this tool's.
  owed integer := CASE WHEN s.status = 'incomplete' OR s.stripe_subscription_id IS NULL OR s.payment_problem IS NULL THEN 0
    WHEN s.purchase IS NULL THEN s.monthly_cents ELSE (s.payment_problem ->> 'amountCents')::integer END;
  first_month date;
  paid_before boolean;
  on_trial boolean;
  movement text;
BEGIN
  SELECT * INTO was FROM subscription_changes WHERE subscription_id = s.id ORDER BY id DESC LIMIT 1;
  IF s.status = 'incomplete' AND was.id IS NULL THEN RETURN; END IF;
  -- In grace it goes on only where it was paid before: a trial's first charge, or free access that was taken back, is nothing yet.
  live := s.is_active AND s.auto_renew AND (s.monthly_cents = 0 OR s.stripe_subscription_id IS NOT NULL)
    AND (s.status = 'active' OR (s.status = 'grace_period' AND (was.live OR (is_opening AND s.trial_end_date IS NULL))));
  live := coalesce(live, false);
  cents := CASE WHEN live THEN s.monthly_cents ELSE 0 END;
  before := coalesce(was.cents, 0);
  IF was.id IS NOT NULL AND (was.status, was.plan, was.live, was.cents, was.owed_cents)
    IS NOT DISTINCT FROM (s.status, plan, live, cents, owed) THEN RETURN; END IF;

  SELECT change.has_paid, change.cohort INTO paid_before, first_month FROM subscription_changes AS change
    WHERE change.payer_id = payer AND change.tool_id = s.tool_id ORDER BY change.id DESC LIMIT 1;
  paid_before := coalesce(paid_before, false);
  IF is_opening AND NOT paid_before THEN
    paid_before := EXISTS (SELECT FROM invoices WHERE (user_id = s.user_id OR team_id = s.team_id)
      AND subscription_id = s.id AND amount_paid_cents > 0);
  END IF;
  IF NOT is_opening AND cents > 0 AND NOT paid_before THEN first_month := sydney_month(at); END IF;
  movement := CASE
    WHEN is_opening THEN CASE WHEN cents > 0 THEN 'opening' END
    WHEN before = 0 AND cents > 0 THEN CASE WHEN paid_before THEN 'reactivated' ELSE 'new' END
    WHEN cents = 0 AND before > 0 THEN 'churned'
    WHEN cents > before THEN 'expanded'
    WHEN cents < before THEN 'contracted' END;
  on_trial := s.status = 'trial' OR coalesce(was.on_trial, false);

  INSERT INTO subscription_changes (subscription_id, payer_id, tool_id, at, month, status, plan, plan_before, live, live_before, cents,
    cents_before, movement, cohort, has_paid, on_trial, owed_cents, trial_started, trial_converted, won_back, failed_cents, recovered_cents,
    lost_cents, invoice_id)
  VALUES (s.id, payer, s.tool_id, at, sydney_month(at), s.status, plan, was.plan, live, coalesce(was.live, false), cents,
    before, movement, first_month, paid_before OR cents > 0, on_trial AND cents = 0 AND s.status <> 'expired', owed,
    NOT is_opening AND s.status = 'trial' AND NOT coalesce(was.on_trial, false),
    NOT is_opening AND on_trial AND cents > 0,
    NOT is_opening AND s.win_back_of IS NOT NULL AND cents > 0
      AND NOT EXISTS (SELECT FROM subscription_changes WHERE subscription_id = s.id AND won_back),
    CASE WHEN coalesce(was.owed_cents, 0) = 0 AND NOT is_opening THEN owed ELSE 0 END,
    CASE WHEN owed = 0 AND s.status = 'active' THEN coalesce(was.owed_cents, 0) ELSE 0 END,
    CASE WHEN owed = 0 AND s.status <> 'active' THEN coalesce(was.owed_cents, 0) ELSE 0 END,
    CASE WHEN owed > 0 THEN s.payment_problem ->> 'invoiceId' WHEN was.owed_cents > 0 THEN was.invoice_id END);
END $$;

CREATE OR REPLACE FUNCTION note_new_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_subscription(NEW, false);
  RETURN NULL;
EXCEPTION
  -- Of these, the whole transaction is tried again.
  WHEN deadlock_detected OR serialization_failure THEN RAISE;
  WHEN OTHERS THEN
    RAISE WARNING 'business: subscription % was not counted: %', NEW.id, SQLERRM;
    RETURN NULL;
END $$;

CREATE TRIGGER tool_subscriptions_noted_new AFTER INSERT ON tool_subscriptions FOR EACH ROW
  WHEN (NEW.status <> 'incomplete') EXECUTE FUNCTION note_new_subscription();

-- A subscription from before changes were kept is first counted as it was.
CREATE OR REPLACE FUNCTION note_changed_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'incomplete' AND NOT EXISTS (SELECT FROM subscription_changes WHERE subscription_id = OLD.id) THEN
    PERFORM note_subscription(OLD, true);
  END IF;
  PERFORM note_subscription(NEW, false);
  RETURN NULL;
EXCEPTION
  -- Of these, the whole transaction is tried again.
  WHEN deadlock_detected OR serialization_failure THEN RAISE;
  WHEN OTHERS THEN
    RAISE WARNING 'business: subscription % was not counted: %', NEW.id, SQLERRM;
    RETURN NULL;
END $$;

CREATE TRIGGER tool_subscriptions_noted_changed AFTER UPDATE ON tool_subscriptions FOR EACH ROW
  WHEN ((OLD.status, OLD.is_active, OLD.auto_renew, OLD.monthly_cents, OLD.stripe_subscription_id, OLD.payment_problem)
    IS DISTINCT FROM (NEW.status, NEW.is_active, NEW.auto_renew, NEW.monthly_cents, NEW.stripe_subscription_id, NEW.payment_problem))
  EXECUTE FUNCTION note_changed_subscription();
