-- Adjustment notes of void invoices count nothing. What reads the view waits until it is made anew.
DROP MATERIALIZED VIEW "public"."monthly_figures";--> statement-breakpoint
CREATE MATERIALIZED VIEW "public"."monthly_figures" AS (
with changes as (
  select month, tool_id, plan, cents as mrr, live::int as live, movement, cents - cents_before as more, 0 as gone,
    trial_started, trial_converted, won_back, failed_cents, recovered_cents, lost_cents
  from subscription_changes
  union all
  -- What it was before is taken away from the plan it had, which has lost it where it churned.
  select month, tool_id, plan_before, -cents_before, -live_before::int, null, 0,
    case when movement = 'churned' then cents_before else 0 end, false, false, false, 0, 0, 0
  from subscription_changes where plan_before is not null
), recurring as (
  select month, tool_id, plan, sum(mrr) as mrr_cents, sum(live) as subscriptions,
    sum(more) filter (where movement = 'opening') as opening_cents, sum(more) filter (where movement = 'new') as new_cents,
    sum(more) filter (where movement = 'expanded') as expanded_cents,
    sum(-more) filter (where movement = 'contracted') as contracted_cents, sum(gone) as churned_cents,
    sum(more) filter (where movement = 'reactivated') as reactivated_cents,
    count(*) filter (where trial_started) as trials_started, count(*) filter (where trial_converted) as trials_converted,
    count(*) filter (where won_back) as win_backs, sum(failed_cents) as failed_cents,
    sum(recovered_cents) as recovered_cents, sum(lost_cents) as lost_cents
  from changes group by 1, 2, 3
), payments as (
  -- An invoice is one payment, of each of its tools and of all together. It is lost once its bill is void.
  select month, coalesce(tool_id, 'all') as tool_id, plan,
    count(distinct payment) filter (where failed_cents > 0) as failed_payments,
    count(distinct payment) filter (where recovered_cents > 0 and status is distinct from 'void') as recovered_payments,
    count(distinct payment) filter (where lost_cents > 0 and coalesce(status, 'void') = 'void') as lost_payments
  from (
    select change.*, coalesce(change.invoice_id, change.id::text) as payment, bills.status
    from (select id, month, tool_id, plan, failed_cents, recovered_cents, lost_cents, invoice_id from subscription_changes
      where failed_cents > 0 or recovered_cents > 0 or lost_cents > 0) as change
    left join bills on bills.stripe_invoice_id = change.invoice_id
  ) as noted group by grouping sets ((month, tool_id, plan), (month, plan))
), shares as (
  select id, tool_id, cents, sum(cents) over (partition by id order by tool_id) as upto, sum(cents) over (partition by id) as total
  from (
    select invoices.id, line ->> 'toolId' as tool_id, sum((line ->> 'cents')::numeric - coalesce(
      (select sum((discount ->> 'cents')::numeric) from jsonb_array_elements(line -> 'discounts') as discount), 0)) as cents
    from invoices, jsonb_array_elements(lines) as line where line ->> 'toolId' is not null group by 1, 2
  ) as tools
), plans as (
  select payer_id, plan, case when was is null then '-infinity' else at end as since,
    lead(at, 1, 'infinity') over (partition by payer_id order by id) as until
  from (
    select id, payer_id, plan, at, lag(plan) over (partition by payer_id order by id) as was
    from subscription_changes where plan in ('individual', 'partner')
  ) as named where plan is distinct from was
), documents as (
  select id, issued_at, case status when 'void' then 0 else total_cents end as cents,
    case status when 'void' then 0 else gst_cents end as gst_cents, 0 as adjusted_cents, 0 as adjusted_gst_cents,
    case status when 'void' then updated_at else created_at end as written_at from invoices
  union all
  select note.invoice_id, note.issued_at, 0, 0, note.total_cents, note.gst_cents, note.created_at
  from adjustment_notes as note join invoices on invoices.id = note.invoice_id where invoices.status <> 'void'
), revenue as (
  select sydney_month(documents.issued_at) as month, coalesce(shares.tool_id, bought.tool_id, 'none') as tool_id,
    case when invoices.total_cents = 0 then 'free' when invoices.team_id is not null then 'team'
      else coalesce(plans.plan, 'individual') end as plan,
    sum(coalesce(round(documents.cents * upto / total) - round(documents.cents * (upto - shares.cents) / total), documents.cents)) as invoiced_cents, sum(coalesce(round(documents.gst_cents * upto / total) - round(documents.gst_cents * (upto - shares.cents) / total), documents.gst_cents)) as invoiced_gst_cents,
    sum(coalesce(round(documents.adjusted_cents * upto / total) - round(documents.adjusted_cents * (upto - shares.cents) / total), documents.adjusted_cents)) as adjusted_cents, sum(coalesce(round(documents.adjusted_gst_cents * upto / total) - round(documents.adjusted_gst_cents * (upto - shares.cents) / total), documents.adjusted_gst_cents)) as adjusted_gst_cents,
    max(written_at) filter (where sydney_month(written_at) > sydney_month(documents.issued_at)) as recounted_at
  from documents join invoices using (id)
    left join tool_subscriptions as bought on bought.id = invoices.subscription_id
    left join shares on shares.id = invoices.id and shares.total <> 0
    left join plans on plans.payer_id = invoices.user_id and invoices.issued_at >= plans.since and invoices.issued_at < plans.until
  group by 1, 2, 3
)
select month, tool_id, plan, coalesce(invoiced_cents, 0) as invoiced_cents, coalesce(invoiced_gst_cents, 0) as invoiced_gst_cents, coalesce(adjusted_cents, 0) as adjusted_cents, coalesce(adjusted_gst_cents, 0) as adjusted_gst_cents, coalesce(mrr_cents, 0) as mrr_cents, coalesce(subscriptions, 0) as subscriptions, coalesce(opening_cents, 0) as opening_cents, coalesce(new_cents, 0) as new_cents, coalesce(expanded_cents, 0) as expanded_cents, coalesce(contracted_cents, 0) as contracted_cents, coalesce(churned_cents, 0) as churned_cents, coalesce(reactivated_cents, 0) as reactivated_cents, coalesce(trials_started, 0) as trials_started, coalesce(trials_converted, 0) as trials_converted, coalesce(win_backs, 0) as win_backs, coalesce(failed_payments, 0) as failed_payments, coalesce(failed_cents, 0) as failed_cents, coalesce(recovered_payments, 0) as recovered_payments, coalesce(recovered_cents, 0) as recovered_cents, coalesce(lost_payments, 0) as lost_payments, coalesce(lost_cents, 0) as lost_cents, recounted_at
from recurring full join payments using (month, tool_id, plan) full join revenue using (month, tool_id, plan));--> statement-breakpoint
CREATE UNIQUE INDEX "monthly_figures_unique" ON "monthly_figures" ("month", "tool_id", "plan");
