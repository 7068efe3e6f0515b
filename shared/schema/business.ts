import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  pgMaterializedView,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { movements, plans } from '../rules/operators/business.ts';
import { instant } from './columns.ts';

const amount = (name: string) => bigint(name, { mode: 'number' }).notNull();
const number = (name: string) => integer(name).notNull();

/**
 * A row each time a subscription's share of recurring revenue changed, appended by triggers/note-subscriptions.sql in the same
 * transaction. A month is stored as its first day, in Sydney.
 */
export const subscriptionChanges = pgTable(
  'subscription_changes',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    subscriptionId: uuid('subscription_id').notNull(),
    /** The adviser or the team. */
    payerId: uuid('payer_id').notNull(),
    toolId: text('tool_id').notNull(),
    at: instant('at').notNull(),
    month: date('month').notNull(),
    status: text('status').notNull(),
    plan: text('plan', { enum: plans }).notNull(),
    planBefore: text('plan_before', { enum: plans }),
    /** In force and going to renew. */
    live: boolean('live').notNull(),
    liveBefore: boolean('live_before').notNull(),
    /** A month's price while it is live, else 0. */
    cents: integer('cents').notNull(),
    centsBefore: integer('cents_before').notNull(),
    movement: text('movement', { enum: movements }),
    /** The month in which this payer first paid for this tool; null where they have not, or did before changes were kept. */
    cohort: date('cohort'),
    /** This payer pays for this tool, or has. */
    hasPaid: boolean('has_paid').notNull(),
    /** Began as a trial that nobody has paid for yet. */
    onTrial: boolean('on_trial').notNull(),
    /** Owed since a charge failed. */
    owedCents: integer('owed_cents').notNull(),
    trialStarted: boolean('trial_started').notNull(),
    trialConverted: boolean('trial_converted').notNull(),
    wonBack: boolean('won_back').notNull(),
    failedCents: integer('failed_cents').notNull(),
    recoveredCents: integer('recovered_cents').notNull(),
    lostCents: integer('lost_cents').notNull(),
    /** The invoice that failed, was recovered or lost. */
    invoiceId: text('invoice_id'),
  },
  (t) => [
    index('subscription_changes_newest').on(t.subscriptionId, t.id),
    index('subscription_changes_slot').on(t.payerId, t.toolId, t.id),
    check('subscription_changes_money', sql`${t.cents} >= 0 and ${t.centsBefore} >= 0`),
  ],
);

/** Stands for all tools of a bill where a payment is counted: however many tools it pays, it is one. */
export const allTools = 'all';

/** Every figure of a month, 0 where there is none. */
const figures = sql.raw(
  (
    'invoiced_cents invoiced_gst_cents adjusted_cents adjusted_gst_cents mrr_cents subscriptions opening_cents new_cents ' +
    'expanded_cents contracted_cents churned_cents reactivated_cents trials_started trials_converted win_backs ' +
    'failed_payments failed_cents recovered_payments recovered_cents lost_payments lost_cents'
  )
    .split(' ')
    .map((name) => `coalesce(${name}, 0) as ${name}`)
    .join(', '),
);

/** A tool's part of an invoice's amount, in proportion to its lines and rounded so that the parts add up. */
const part = (cents: string) =>
  sql.raw(
    `sum(coalesce(round(documents.${cents} * upto / total) - round(documents.${cents} * (upto - shares.cents) / total), documents.${cents}))`,
  );

/**
 * What the business page is drawn from: sums per month, tool (`none`: for no tool of ours) and plan. A job refreshes it every hour. An invoice of
 * several tools counts for each in proportion to its lines, and so does a note. Its plan is the one its payer had when it was issued.
 */
export const monthlyFigures = pgMaterializedView('monthly_figures', {
  month: date('month').notNull(),
  toolId: text('tool_id').notNull(),
  plan: text('plan', { enum: plans }).notNull(),
  invoicedCents: amount('invoiced_cents'),
  invoicedGstCents: amount('invoiced_gst_cents'),
  adjustedCents: amount('adjusted_cents'),
  adjustedGstCents: amount('adjusted_gst_cents'),
  /** The change of recurring revenue and of live subscriptions in the month; the level is the sum of all months up to it. */
  mrrCents: amount('mrr_cents'),
  subscriptions: number('subscriptions'),
  openingCents: amount('opening_cents'),
  newCents: amount('new_cents'),
  expandedCents: amount('expanded_cents'),
  contractedCents: amount('contracted_cents'),
  churnedCents: amount('churned_cents'),
  reactivatedCents: amount('reactivated_cents'),
  trialsStarted: number('trials_started'),
  trialsConverted: number('trials_converted'),
  winBacks: number('win_backs'),
  failedPayments: number('failed_payments'),
  failedCents: amount('failed_cents'),
  recoveredPayments: number('recovered_payments'),
  recoveredCents: amount('recovered_cents'),
  lostPayments: number('lost_payments'),
  lostCents: amount('lost_cents'),
  /** When an invoice or note last changed the month's figures after it was over. */
  recountedAt: instant('recounted_at'),
}).as(sql`
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
  select month, coalesce(tool_id, '${sql.raw(allTools)}') as tool_id, plan,
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
    ${part('cents')} as invoiced_cents, ${part('gst_cents')} as invoiced_gst_cents,
    ${part('adjusted_cents')} as adjusted_cents, ${part('adjusted_gst_cents')} as adjusted_gst_cents,
    max(written_at) filter (where sydney_month(written_at) > sydney_month(documents.issued_at)) as recounted_at
  from documents join invoices using (id)
    left join tool_subscriptions as bought on bought.id = invoices.subscription_id
    left join shares on shares.id = invoices.id and shares.total <> 0
    left join plans on plans.payer_id = invoices.user_id and invoices.issued_at >= plans.since and invoices.issued_at < plans.until
  group by 1, 2, 3
)
select month, tool_id, plan, ${figures}, recounted_at
from recurring full join payments using (month, tool_id, plan) full join revenue using (month, tool_id, plan)`);

/** By how many paid subscriptions a cohort changed in a month, and how many began, in the cohort's own month. */
export const cohortFigures = pgMaterializedView('cohort_figures', {
  cohort: date('cohort').notNull(),
  month: date('month').notNull(),
  toolId: text('tool_id').notNull(),
  plan: text('plan', { enum: plans }).notNull(),
  begun: number('begun'),
  subscriptions: number('subscriptions'),
}).as(sql`
select cohort, month, tool_id, plan, count(*) filter (where movement = 'new') as begun, sum(paying) as subscriptions from (
  select cohort, month, tool_id, plan, movement, (cents > 0)::int as paying from subscription_changes
  union all
  select cohort, month, tool_id, plan_before, null, -(cents_before > 0)::int from subscription_changes where plan_before is not null
) as parts where cohort is not null group by 1, 2, 3, 4`);
