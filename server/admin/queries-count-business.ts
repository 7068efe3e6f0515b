import { eq, sql } from 'drizzle-orm';
import { businessBackfill } from '#shared/schema/business.ts';
import type { Db } from '#server/platform/database.ts';

/** Sorts before every id. */
export const beforeAll = '00000000-0000-0000-0000-000000000000';

const rowsIn = async (tx: Db, statement: ReturnType<typeof sql>) => (await tx.execute(statement)).rowCount ?? 0;

/** Adds changes in invoices and notes to their months, even past ones; returns the number of documents. */
export const countDocuments = (tx: Db, limit: number) =>
  rowsIn(
    tx,
    sql`with taken as materialized (
      select * from revenue_documents where stale order by document_id limit ${limit} for update
    ), parts as (
      select kind, month, plan, part.tool_id, part.cents - was.cents as more, gst.cents - was_gst.cents as more_gst
      from taken cross join lateral split_amount(taken.cents, shares, taken.tool_id) as part
        join lateral split_amount(counted_cents, shares, taken.tool_id) as was on was.tool_id = part.tool_id
        join lateral split_amount(taken.gst_cents, shares, taken.tool_id) as gst on gst.tool_id = part.tool_id
        join lateral split_amount(counted_gst_cents, shares, taken.tool_id) as was_gst on was_gst.tool_id = part.tool_id
    ), added as (
      insert into business_months as kept
        (month, tool_id, plan, invoiced_cents, invoiced_gst_cents, adjusted_cents, adjusted_gst_cents, recounted_at)
      select month, tool_id, plan,
        coalesce(sum(more) filter (where kind = 'invoice'), 0), coalesce(sum(more_gst) filter (where kind = 'invoice'), 0),
        coalesce(sum(more) filter (where kind = 'note'), 0), coalesce(sum(more_gst) filter (where kind = 'note'), 0),
        case when month < sydney_month(business_now()) and exists (select from business_backfill having every(done)) then business_now() end
      from parts group by month, tool_id, plan
      on conflict (month, tool_id, plan) do update set
        invoiced_cents = kept.invoiced_cents + excluded.invoiced_cents,
        invoiced_gst_cents = kept.invoiced_gst_cents + excluded.invoiced_gst_cents,
        adjusted_cents = kept.adjusted_cents + excluded.adjusted_cents,
        adjusted_gst_cents = kept.adjusted_gst_cents + excluded.adjusted_gst_cents,
        recounted_at = coalesce(excluded.recounted_at, kept.recounted_at)
    )
    update revenue_documents as kept set stale = false, counted_cents = taken.cents, counted_gst_cents = taken.gst_cents
    from taken where kept.document_id = taken.document_id`,
  );

/** Adds changes of subscriptions to their months and cohorts; returns how many there were. */
export const countChanges = (tx: Db, limit: number) =>
  rowsIn(
    tx,
    sql`with taken as materialized (
      select * from subscription_changes where not counted order by id limit ${limit} for update
    ), parts as (
      select cohort, month, tool_id, plan, cents as mrr, (cents > 0)::int as paying, live::int as live, movement, cents,
        cents - cents_before as more, 0 as gone, trial_started, trial_converted, won_back, failed_cents, recovered_cents, lost_cents
      from taken
      union all
      -- What it was before is taken away from the plan it had, which has lost it where it churned.
      select cohort, month, tool_id, plan_before, -cents_before, -(cents_before > 0)::int, -live_before::int, null, 0, 0,
        case when movement = 'churned' then cents_before else 0 end, false, false, false, 0, 0, 0
      from taken where plan_before is not null
    ), months as (
      insert into business_months as kept (month, tool_id, plan, mrr_cents, subscriptions, opening_cents, new_cents,
        expanded_cents, contracted_cents, churned_cents, reactivated_cents, trials_started, trials_converted, win_backs,
        failed_payments, failed_cents, recovered_payments, recovered_cents, lost_payments, lost_cents)
      select month, tool_id, plan, sum(mrr), sum(live),
        coalesce(sum(more) filter (where movement = 'opening'), 0),
        coalesce(sum(more) filter (where movement = 'new'), 0),
        coalesce(sum(more) filter (where movement = 'expanded'), 0),
        coalesce(sum(-more) filter (where movement = 'contracted'), 0),
        coalesce(sum(gone), 0),
        coalesce(sum(more) filter (where movement = 'reactivated'), 0),
        count(*) filter (where trial_started), count(*) filter (where trial_converted), count(*) filter (where won_back),
        count(*) filter (where failed_cents > 0), sum(failed_cents),
        count(*) filter (where recovered_cents > 0), sum(recovered_cents),
        count(*) filter (where lost_cents > 0), sum(lost_cents)
      from parts group by 1, 2, 3
      on conflict (month, tool_id, plan) do update set
        mrr_cents = kept.mrr_cents + excluded.mrr_cents,
        subscriptions = kept.subscriptions + excluded.subscriptions,
        opening_cents = kept.opening_cents + excluded.opening_cents,
        new_cents = kept.new_cents + excluded.new_cents,
        expanded_cents = kept.expanded_cents + excluded.expanded_cents,
        contracted_cents = kept.contracted_cents + excluded.contracted_cents,
        churned_cents = kept.churned_cents + excluded.churned_cents,
        reactivated_cents = kept.reactivated_cents + excluded.reactivated_cents,
        trials_started = kept.trials_started + excluded.trials_started,
        trials_converted = kept.trials_converted + excluded.trials_converted,
        win_backs = kept.win_backs + excluded.win_backs,
        failed_payments = kept.failed_payments + excluded.failed_payments,
        failed_cents = kept.failed_cents + excluded.failed_cents,
        recovered_payments = kept.recovered_payments + excluded.recovered_payments,
        recovered_cents = kept.recovered_cents + excluded.recovered_cents,
        lost_payments = kept.lost_payments + excluded.lost_payments,
        lost_cents = kept.lost_cents + excluded.lost_cents
    ), cohorts as (
      insert into cohort_months as kept (cohort, month, tool_id, plan, begun, subscriptions, mrr_cents)
      select cohort, month, tool_id, plan, count(*) filter (where movement = 'new'), sum(paying), sum(mrr) from parts
      where cohort is not null group by 1, 2, 3, 4
      on conflict (cohort, month, tool_id, plan) do update set
        begun = kept.begun + excluded.begun, mrr_cents = kept.mrr_cents + excluded.mrr_cents,
        subscriptions = kept.subscriptions + excluded.subscriptions
    )
    update subscription_changes as kept set counted = true from taken where kept.id = taken.id`,
  );

const b = businessBackfill;
type Source = (typeof b.$inferSelect)['source'];

/** How far a source has been taken in. Locks the row, and makes it if there is none. */
export async function lockBackfill(tx: Db, source: Source) {
  await tx.execute(sql`insert into business_backfill (source, after, began_in)
    values (${source}, ${beforeAll}, sydney_month(business_now())) on conflict do nothing`);
  const [state] = await tx.select().from(b).where(eq(b.source, source)).for('update');
  return state!;
}

/**
 * The next rows of each source, locked so that none changes unnoticed; what a trigger has already noted stays as it is.
 * Selects the last id, how many rows there were, and how many were taken in.
 */
const next: Record<Source, (after: string, limit: number) => ReturnType<typeof sql>> = {
  subscriptions: (after, limit) => sql`with batch as materialized (
      select s from tool_subscriptions s where id > ${after} order by id limit ${limit} for no key update
    ), noted as materialized (
      select (s).id, note_subscription(s, true) from batch
      where not exists (select from subscription_changes where subscription_id = (s).id)
    )
    select max((s).id::text) as last, count(*)::int as seen, (select count(*)::int from noted) as taken from batch`,
  invoices: (after, limit) => sql`with batch as materialized (
      select i from invoices i where id > ${after} order by id limit ${limit} for share
    ), noted as materialized (
      select (i).id, note_invoice(i) from batch where not exists (select from revenue_documents where document_id = (i).id)
    )
    select max((i).id::text) as last, count(*)::int as seen, (select count(*)::int from noted) as taken from batch`,
  notes: (after, limit) => sql`with batch as materialized (
      select n from adjustment_notes n where id > ${after} order by id limit ${limit} for share
    ), noted as materialized (
      select (n).id, note_adjustment(n) from batch where not exists (select from revenue_documents where document_id = (n).id)
    )
    select max((n).id::text) as last, count(*)::int as seen, (select count(*)::int from noted) as taken from batch`,
};

/** Takes in the next rows of a source and notes how far it got; true once none are left. */
export async function takeIn(tx: Db, source: Source, after: string, limit: number): Promise<boolean> {
  const { rows } = await tx.execute<{ last: string | null; seen: number; taken: number }>(next[source](after, limit));
  const { last, seen, taken } = rows[0]!;
  const done = seen < limit;
  await tx
    .update(b)
    .set({ after: last ?? after, taken: sql`${b.taken} + ${taken}`, done })
    .where(eq(b.source, source));
  return done;
}
