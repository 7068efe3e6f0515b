import type { Subscription } from '#shared/api/subscriptions.ts';

type Held = Pick<Subscription, 'status' | 'paidUntil' | 'monthlyCents' | 'paymentProblem'>;

/** Whether taking it back begins, and charges, a new period (decisions §5). */
export const beginsPeriod = ({ status, paidUntil }: Pick<Held, 'status' | 'paidUntil'>, now: Date) =>
  status === 'cancelled' && !(paidUntil && paidUntil > now);

/**
 * What Reactivate charges, in cents: what is owed after a failed payment, nothing inside the paid period, and after it
 * the price of today, which the number of tools may have changed meanwhile.
 */
export function reactivationCost(sub: Held, quotedCents: number | undefined, now: Date): number {
  if (sub.status === 'grace_period') return sub.paymentProblem?.amountCents ?? sub.monthlyCents;
  return beginsPeriod(sub, now) ? (quotedCents ?? sub.monthlyCents) : 0;
}
