import type { businessApi } from '#shared/api/operators/business.ts';
import type { Input, Reply } from '#shared/api/endpoint.ts';
import {
  basQuarterOf,
  businessMonthsShown,
  leftOf,
  monthsUntil,
  plans,
  plusMonthsOf,
} from '#shared/rules/operators/business.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import {
  cohortSums,
  knownSince,
  levelBefore,
  type MonthSums,
  monthSums,
  noSums,
  planShares,
  type Slice,
  taxSums,
  toolShares,
} from './queries-business.ts';

type Shown = Reply<typeof businessApi.show>;
type Asked = Input<typeof businessApi.show>['query'];

/** Quarters on the page at once. */
const quartersShown = 6;

/** This month in Sydney. */
export const monthNow = ({ now }: Pick<Context, 'now'>) => sydneyDate(now()).slice(0, 7);

/** `GET /api/admin/business`: reads sums by month, tool and plan, so that the number of people doesn't matter. */
export async function showBusiness(context: Context, { until, ...slice }: Asked): Promise<Shown> {
  const { db } = context;
  const now = monthNow(context);
  const last = until !== undefined && until < now ? until : now;
  const first = plusMonthsOf(last, 1 - businessMonthsShown);
  const [rows, before, tools, byPlan, cohorts, quarters, since] = await Promise.all([
    monthSums(db, slice, first, last),
    levelBefore(db, slice, first),
    toolShares(db, slice, first, last),
    planShares(db, slice, first, last),
    cohortsOf(context, slice, first, last),
    quartersOf(context, plusMonthsOf(basQuarterOf(last).first, 3 - 3 * quartersShown), last),
    knownSince(db),
  ]);
  return {
    months: levelled(rows, before, last),
    tools,
    plans: plans.flatMap((plan) => byPlan.filter((row) => row.plan === plan)),
    cohorts,
    quarters,
    now,
    knownSince: since,
  };
}

/** The months up to the last, even those without a row, with the level at the end of each. */
function levelled(
  rows: readonly MonthSums[],
  { mrrCents, subscriptions }: Pick<MonthSums, 'mrrCents' | 'subscriptions'>,
  last: string,
): Shown['months'] {
  const byMonth = new Map(rows.map((row) => [row.month, row]));
  return monthsUntil(last, businessMonthsShown).map((month) => {
    const row = byMonth.get(month) ?? noSums;
    mrrCents += row.mrrCents;
    subscriptions += row.subscriptions;
    return {
      ...row,
      month,
      mrrCents,
      subscriptions,
      gstCents: row.invoicedGstCents - row.adjustedGstCents,
      failed: { count: row.failedPayments, cents: row.failedCents },
      recovered: { count: row.recoveredPayments, cents: row.recoveredCents },
      lost: { count: row.lostPayments, cents: row.lostCents },
    };
  });
}

/** The cohorts that began since the first month, each followed to the last. */
export async function cohortsOf({ db }: Context, slice: Slice, first: string, last: string): Promise<Shown['cohorts']> {
  const rows = await cohortSums(db, slice, first, last);
  const months = [...new Set(rows.map(({ cohort }) => cohort))];
  return months.map((month) => {
    const own = rows.filter(({ cohort }) => cohort === month);
    return {
      month,
      begun: own.reduce((sum, { begun }) => sum + begun, 0),
      left: leftOf(new Map(own.map((row) => [row.month, row.subscriptions])), month, last),
    };
  });
}

/** Every quarter with a counted month, oldest first. */
export async function quartersOf(context: Context, first: string, last: string): Promise<Shown['quarters']> {
  const now = monthNow(context);
  const quarters = new Map<string, Shown['quarters'][number]>();
  for (const row of await taxSums(context.db, first, last)) {
    const { id, first: begin, last: end } = basQuarterOf(row.month);
    const kept = quarters.get(id);
    quarters.set(id, {
      id,
      first: begin,
      last: end,
      invoicedCents: (kept?.invoicedCents ?? 0) + row.invoicedCents,
      adjustedCents: (kept?.adjustedCents ?? 0) + row.adjustedCents,
      gstInvoicedCents: (kept?.gstInvoicedCents ?? 0) + row.invoicedGstCents,
      gstAdjustedCents: (kept?.gstAdjustedCents ?? 0) + row.adjustedGstCents,
      running: end >= now,
    });
  }
  return [...quarters.values()];
}
