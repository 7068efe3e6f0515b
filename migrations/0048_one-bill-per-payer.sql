CREATE TABLE "adjustments" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"subscription_id" uuid,
	"tool_id" text NOT NULL,
	"tool_name" text NOT NULL,
	"cause" text NOT NULL,
	"person_id" uuid,
	"person" text,
	"from_day" date NOT NULL,
	"to_day" date NOT NULL,
	"days" integer NOT NULL,
	"period_end" timestamp with time zone NOT NULL,
	"cents" integer NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"bill_id" uuid,
	"split_of" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "adjustments_one_payer" CHECK (("adjustments"."user_id" is null) <> ("adjustments"."team_id" is null)),
	CONSTRAINT "adjustments_cause" CHECK ("adjustments"."cause" in ('trial_end', 'joined', 'left', 'below_minimum', 'join_one_bill', 'correction')),
	CONSTRAINT "adjustments_state" CHECK ("adjustments"."state" in ('waiting', 'billed', 'closed')),
	CONSTRAINT "adjustments_billed" CHECK (("adjustments"."state" = 'billed') = ("adjustments"."bill_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "bills" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"lines" jsonb NOT NULL,
	"parts" jsonb NOT NULL,
	"total_cents" integer NOT NULL,
	"credit_cents" integer DEFAULT 0 NOT NULL,
	"gst_cents" integer NOT NULL,
	"stripe_subscription_id" text,
	"stripe_invoice_id" text,
	"attempt" integer DEFAULT 1 NOT NULL,
	"problem" jsonb,
	"grace_end" timestamp with time zone,
	"revision" integer DEFAULT 0 NOT NULL,
	"checked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bills_stripe_invoice_id_unique" UNIQUE("stripe_invoice_id"),
	CONSTRAINT "bills_one_payer" CHECK (("bills"."user_id" is null) <> ("bills"."team_id" is null)),
	CONSTRAINT "bills_kind" CHECK ("bills"."kind" in ('first', 'tool', 'month', 'closing', 'old')),
	CONSTRAINT "bills_status" CHECK ("bills"."status" in ('attempt', 'draft', 'issued', 'unpaid', 'paid', 'void')),
	CONSTRAINT "bills_money" CHECK ("bills"."total_cents" >= 0),
	CONSTRAINT "bills_unpaid_has_end" CHECK ("bills"."status" <> 'unpaid' or "bills"."grace_end" is not null)
);
--> statement-breakpoint
CREATE TABLE "told_bills" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"team_id" uuid,
	"contact_id" uuid,
	"told_at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"bill_at" timestamp with time zone,
	"total_cents" integer,
	"lines" jsonb NOT NULL,
	"parts" jsonb NOT NULL,
	"later" jsonb,
	"subject" text NOT NULL,
	"paragraphs" jsonb NOT NULL,
	CONSTRAINT "told_bills_one_payer" CHECK (("told_bills"."user_id" is null) <> ("told_bills"."team_id" is null))
);
--> statement-breakpoint
ALTER TABLE "tool_subscriptions" DROP CONSTRAINT "tool_subscriptions_stripe_subscription_id_unique";--> statement-breakpoint
ALTER TABLE "tool_subscriptions" DROP CONSTRAINT "tool_subscriptions_incomplete_has_purchase";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "billing_anchor" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "next_bill_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "unit_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "price_number" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "rises_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "period_start" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tool_subscriptions" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "billing_anchor" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "next_bill_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "adjustments" ADD CONSTRAINT "adjustments_bill_id_bills_id_fk" FOREIGN KEY ("bill_id") REFERENCES "public"."bills"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bills" ADD CONSTRAINT "bills_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "told_bills" ADD CONSTRAINT "told_bills_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "told_bills" ADD CONSTRAINT "told_bills_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "adjustments_user" ON "adjustments" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "adjustments_team" ON "adjustments" USING btree ("team_id","created_at");--> statement-breakpoint
CREATE INDEX "adjustments_bill" ON "adjustments" USING btree ("bill_id");--> statement-breakpoint
CREATE INDEX "bills_user" ON "bills" USING btree ("user_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bills_team" ON "bills" USING btree ("team_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "bills_open" ON "bills" USING btree ("checked_at" NULLS FIRST) WHERE "bills"."status" in ('attempt', 'draft', 'issued', 'unpaid');--> statement-breakpoint
CREATE UNIQUE INDEX "bills_once_user" ON "bills" USING btree ("user_id","at") WHERE "bills"."kind" in ('month', 'closing') and "bills"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "bills_once_team" ON "bills" USING btree ("team_id","at") WHERE "bills"."kind" in ('month', 'closing') and "bills"."team_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "bills_one_attempt_user" ON "bills" USING btree ("user_id") WHERE "bills"."status" = 'attempt' and "bills"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "bills_one_attempt_team" ON "bills" USING btree ("team_id") WHERE "bills"."status" = 'attempt' and "bills"."team_id" is not null;--> statement-breakpoint
CREATE INDEX "told_bills_user" ON "told_bills" USING btree ("user_id","told_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "told_bills_team" ON "told_bills" USING btree ("team_id","told_at" DESC NULLS LAST);--> statement-breakpoint
ALTER TABLE "stripe_account" ADD COLUMN "one_bill_since" timestamp with time zone;--> statement-breakpoint
-- Once somebody has one bill, or old subscriptions are being joined to one, an older release must not change subscriptions: it would bill
-- them a second time. It raises `version` where this one raises `revision`, and its new rows have no revision.
CREATE OR REPLACE FUNCTION refuse_older_release() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM bills) OR EXISTS (SELECT FROM stripe_account WHERE one_bill_since IS NOT NULL) THEN
    RAISE EXCEPTION 'This release is too old for this database, which bills each payer once a month for all their tools: start the newer release again.'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER tool_subscriptions_made_by_older BEFORE INSERT ON tool_subscriptions FOR EACH ROW
  WHEN (NEW.revision = 0) EXECUTE FUNCTION refuse_older_release();
--> statement-breakpoint
CREATE TRIGGER tool_subscriptions_changed_by_older BEFORE UPDATE ON tool_subscriptions FOR EACH ROW
  WHEN (NEW.version <> OLD.version) EXECUTE FUNCTION refuse_older_release();
--> statement-breakpoint
ALTER TABLE "revenue_documents" ADD COLUMN "shares" jsonb;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION tool_of(subscription uuid) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT tool_id FROM tool_subscriptions WHERE id = subscription), 'none');
$$;
--> statement-breakpoint
-- What each tool has of an invoice, in cents after discounts; null where its lines name none, as before a payer had one bill.
CREATE OR REPLACE FUNCTION revenue_shares(lines jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN sum(cents) <> 0 THEN jsonb_object_agg(tool, cents) END FROM (
    SELECT line ->> 'toolId' AS tool, sum((line ->> 'cents')::integer - coalesce(
      (SELECT sum((discount ->> 'cents')::integer) FROM jsonb_array_elements(line -> 'discounts') AS discount), 0)) AS cents
    FROM jsonb_array_elements(lines) AS line WHERE line ? 'toolId' GROUP BY 1) AS tools;
$$;
--> statement-breakpoint
-- An amount by tool, in proportion to the shares and rounded so that the parts add up; all of it to that tool where there are none.
CREATE OR REPLACE FUNCTION split_amount(amount integer, shares jsonb, tool text) RETURNS TABLE (tool_id text, cents integer)
LANGUAGE sql IMMUTABLE AS $$
  SELECT tool, amount WHERE shares IS NULL
  UNION ALL
  SELECT key, (round(amount * upto / total) - round(amount * (upto - share) / total))::integer FROM (
    SELECT key, value::numeric AS share, sum(value::numeric) OVER (ORDER BY key) AS upto, sum(value::numeric) OVER () AS total
    FROM jsonb_each_text(shares)) AS parts;
$$;
--> statement-breakpoint
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
    lost_cents)
  VALUES (s.id, payer, s.tool_id, at, sydney_month(at), s.status, plan, was.plan, live, coalesce(was.live, false), cents,
    before, movement, first_month, paid_before OR cents > 0, on_trial AND cents = 0 AND s.status <> 'expired', owed,
    NOT is_opening AND s.status = 'trial' AND NOT coalesce(was.on_trial, false),
    NOT is_opening AND on_trial AND cents > 0,
    NOT is_opening AND s.win_back_of IS NOT NULL AND cents > 0
      AND NOT EXISTS (SELECT FROM subscription_changes WHERE subscription_id = s.id AND won_back),
    CASE WHEN coalesce(was.owed_cents, 0) = 0 AND NOT is_opening THEN owed ELSE 0 END,
    CASE WHEN owed = 0 AND s.status = 'active' THEN coalesce(was.owed_cents, 0) ELSE 0 END,
    CASE WHEN owed = 0 AND s.status <> 'active' THEN coalesce(was.owed_cents, 0) ELSE 0 END);
END $$;
--> statement-breakpoint
-- Month, tools and plan stay those under which the document was first counted.
CREATE OR REPLACE FUNCTION note_invoice(i invoices) RETURNS void LANGUAGE sql AS $$
  INSERT INTO revenue_documents AS kept (document_id, kind, month, tool_id, shares, plan, cents, gst_cents)
  SELECT i.id, 'invoice', sydney_month(i.issued_at), tool_of(i.subscription_id), revenue_shares(i.lines),
    plan_of(i.user_id, i.team_id, i.total_cents),
    CASE WHEN i.status = 'void' THEN 0 ELSE i.total_cents END, CASE WHEN i.status = 'void' THEN 0 ELSE i.gst_cents END
  ON CONFLICT (document_id) DO UPDATE SET cents = excluded.cents, gst_cents = excluded.gst_cents, stale = true
    WHERE (kept.cents, kept.gst_cents) IS DISTINCT FROM (excluded.cents, excluded.gst_cents);
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION note_adjustment(n adjustment_notes) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  of invoices;
BEGIN
  SELECT * INTO of FROM invoices WHERE id = n.invoice_id;
  -- Its invoice says under which tools and plan.
  PERFORM note_invoice(of) WHERE NOT EXISTS (SELECT FROM revenue_documents WHERE document_id = of.id);
  INSERT INTO revenue_documents AS kept (document_id, kind, month, tool_id, shares, plan, cents, gst_cents)
  SELECT n.id, 'note', sydney_month(n.issued_at), invoice.tool_id, invoice.shares, invoice.plan, n.total_cents, n.gst_cents
  FROM revenue_documents AS invoice WHERE invoice.document_id = of.id
  ON CONFLICT (document_id) DO UPDATE SET cents = excluded.cents, gst_cents = excluded.gst_cents, stale = true
    WHERE (kept.cents, kept.gst_cents) IS DISTINCT FROM (excluded.cents, excluded.gst_cents);
END $$;
--> statement-breakpoint
-- Revenue per tool and day (tool_metrics), in dollars, from paid invoices: what was paid, by the lines of each tool.
CREATE OR REPLACE FUNCTION add_revenue(i invoices, sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO tool_metrics AS metrics (tool_id, date, total_revenue)
  SELECT part.tool_id, (i.paid_at AT TIME ZONE 'Australia/Sydney')::date, sign * part.cents / 100.0
  FROM split_amount(i.amount_paid_cents, revenue_shares(i.lines), tool_of(i.subscription_id)) AS part
  WHERE part.cents <> 0 AND part.tool_id <> 'none'
  ON CONFLICT (tool_id, date) DO UPDATE SET total_revenue = metrics.total_revenue + excluded.total_revenue;
$$;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE OR REPLACE TRIGGER invoices_counted_new AFTER INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION count_revenue();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER invoices_counted_changed AFTER UPDATE ON invoices FOR EACH ROW
  WHEN ((OLD.status, OLD.paid_at, OLD.amount_paid_cents, OLD.subscription_id, OLD.lines)
    IS DISTINCT FROM (NEW.status, NEW.paid_at, NEW.amount_paid_cents, NEW.subscription_id, NEW.lines))
  EXECUTE FUNCTION count_revenue();
--> statement-breakpoint
DROP FUNCTION add_revenue(uuid, timestamptz, integer);
