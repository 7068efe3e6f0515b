import type Stripe from 'stripe';
import { billAfter } from '#shared/rules/billing/bill.ts';
import { day, hour, plus, plusDays, plusMonths, sydneyDate } from '#shared/rules/dates.ts';
import { daysOf } from '#shared/rules/billing/part-month.ts';
import type { PriceDecision } from '#shared/rules/billing/own-price.ts';
import type { OldPurchase } from '#shared/schema/subscriptions.ts';
import { sumCents } from '#shared/rules/billing/money.ts';
import type { BillReading } from '../bill/read.ts';
import type { SubscriptionRow } from '../queries.ts';
import type { Proration } from './at-stripe.ts';
import { centsOf, monthLineOf } from './old-invoice.ts';
import { endsAt, isUnpaid } from './old-row.ts';
import { ownPriceFrom } from './old-price.ts';

/** How long before their first common bill payers are told of it. */
export const notice = 8 * day;

/** A row that an older release sold, with what Stripe has for it. */
export type Old = {
  row: SubscriptionRow & { purchase: OldPurchase; stripeSubscriptionId: string };
  subscription: Stripe.Subscription;
  /** The invoice that pays its running month. */
  paid: Stripe.Invoice | null;
  decisions: readonly PriceDecision[];
};

type Join = NonNullable<OldPurchase['join']>;

const at = (seconds: number) => new Date(seconds * 1000);

/** The row in today's form: its own price, and what a month and a seat of the running period cost. */
export function converted({ row, subscription, paid, decisions }: Old, now: Date): Partial<SubscriptionRow> {
  const { unitCents, number: priceNumber, risesFrom } = ownPriceFrom(row.purchase, decisions, now);
  const line = paid?.status === 'paid' && row.status === 'active' ? monthLineOf(paid) : null;
  const start = Math.min(...subscription.items.data.map((item) => item.current_period_start));
  return {
    unitCents,
    priceNumber,
    risesFrom,
    ...(row.status === 'active' && { periodStart: at(line?.period.start ?? start) }),
    ...(line && {
      monthlyCents: centsOf(line),
      quantity: line.quantity ?? row.quantity,
    }),
  };
}

/** A month that Stripe is charging just now: within hours it is paid, or in grace. */
export const isBeingCharged = ({ row, subscription }: Old) => row.status === 'active' && isUnpaid(subscription);

const goesOn = ({ row: { status, autoRenew, endDate } }: Old) => status === 'active' && autoRenew && endDate !== null;

/** A trial whose end is near enough is left to Stripe. */
const isTrial = ({ row: { status, trialEndDate } }: Old, now: Date) =>
  status === 'trial' && trialEndDate !== null && trialEndDate > plus(now, hour);

/**
 * What is decided about a row; null: nothing yet. Before the payer has a bill, one whose month ends too soon to tell of the common bill
 * renews once more as it was.
 */
export function decided(old: Old, facts: BillReading['facts'], now: Date): Join | null {
  const { row, subscription } = old;
  const { join: before, join: { moved = [] } = {} } = row.purchase;
  if (isTrial(old, now)) return { renewal: null, moved };
  if (!goesOn(old)) return before ?? null;
  const end = row.endDate!;
  const isEnding = endsAt(subscription) !== null || facts.chargesPaused;
  if (before) {
    const isOver = !before.renewal || isEnding || end >= new Date(before.renewal.until);
    return isOver ? { ...before, renewal: null } : before;
  }
  const isSoon = facts.nextBillAt === null && !isEnding && end < plus(now, notice);
  const until = plusMonths(end, 1, at(subscription.billing_cycle_anchor).getUTCDate());
  return { renewal: isSoon ? { until: until.toISOString(), cents: 0 } : null, moved };
}

/** Whether its own Stripe subscription is to end now, and the bill to go on with it. */
export const moves = ({ row: { status, autoRenew, purchase } }: Pick<Old, 'row'>): boolean =>
  purchase.join?.renewal === null && (status === 'trial' || (status === 'active' && autoRenew));

/**
 * The day of the first common bill: the first end of an old month, or of a trial that a card keeps, that is far enough away. Null where
 * nothing is billed by the month.
 */
export function commonDay(
  olds: readonly Pick<Old, 'row'>[],
  rows: readonly SubscriptionRow[],
  facts: BillReading['facts'],
  now: Date,
) {
  const joining = olds.filter(({ row }) => row.status === 'active' && row.autoRenew && row.purchase.join);
  const ends = joining.map(({ row }) => new Date(row.purchase.join!.renewal?.until ?? row.endDate!));
  const trials = rows.flatMap(({ status, autoRenew, trialEndDate }) =>
    status === 'trial' && autoRenew && facts.cardOnFile && trialEndDate && trialEndDate >= plus(now, notice)
      ? [trialEndDate]
      : [],
  );
  if (ends.length === 0) return null;
  const first = Math.min(...[...ends, ...trials].map((end) => end.getTime()));
  // Stripe counts in seconds, and begins nothing in the past.
  return new Date(Math.floor(Math.max(first, plus(now, 5 * 60_000).getTime()) / 1000) * 1000);
}

/** What waited for its next invoice, by period: a credit and the charge beside it are one amount. */
export function partsOf({ row }: Pick<Old, 'row'>, toolName: string, waiting: readonly Proration[]) {
  const key = ({ from, to }: Proration) => `${from.getTime()} ${to.getTime()}`;
  const periods = [...new Map(waiting.map((one) => [key(one), one])).values()];
  return periods.flatMap(({ from, to, ...one }) => {
    const those = waiting.filter((other) => key(other) === key({ from, to, ...one }));
    const cents = sumCents(those);
    const seats = Math.max(...those.map((other) => other.seats));
    const days = daysOf(from, to);
    if (cents === 0) return [];
    return [
      {
        cause: 'join_one_bill' as const,
        subscriptionId: row.id,
        toolId: row.toolId,
        toolName,
        cents,
        person: `${seats} members`,
        from: sydneyDate(from),
        to: plusDays(sydneyDate(to), -1),
        days: cents < 0 ? -days : days,
        periodEnd: to,
      },
    ];
  });
}

/** What ends on a billing day after the instant of the bill ends at that instant: the day itself is the bill's. */
export function onBillingDay(
  row: SubscriptionRow,
  { nextBillAt, billingDay }: BillReading['facts'],
): Partial<SubscriptionRow> {
  const end = row.status === 'trial' ? row.trialEndDate : row.endDate;
  if (!nextBillAt || !end) return {};
  let at = nextBillAt;
  while (at < end && daysOf(at, end) > 0) at = billAfter(at, { billingDay });
  return at >= end ? {} : { endDate: at, ...(row.status === 'trial' && { trialEndDate: at }) };
}
