import type { Subscription } from '#shared/api/subscriptions.ts';

type Held = Pick<Subscription, 'status' | 'paidUntil' | 'monthlyCents'>;

/** Whether reactivating begins a new period, which is charged. */
export const beginsPeriod = ({ status, paidUntil }: Pick<Held, 'status' | 'paidUntil'>, now: Date) =>
  status === 'cancelled' && !(paidUntil && paidUntil > now);

/** What Reactivate costs, in cents, before credit: nothing inside the paid period, and today's price after it. */
export const reactivationCost = (sub: Held, quotedCents: number | undefined, now: Date): number =>
  beginsPeriod(sub, now) ? (quotedCents ?? sub.monthlyCents) : 0;
