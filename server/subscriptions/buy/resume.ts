import { plus, plusMonths } from '#shared/rules/dates.ts';
import { incompleteLifeMs } from '#shared/rules/billing/subscriptions.ts';
import type { Context } from '#server/platform/context.ts';
import type { BillRecord } from '../bill/queries-bills.ts';
import { continueAttempt, withdrawAttempt } from './attempt.ts';
import { continueBegin } from './begin.ts';
import { eachOf } from './each.ts';
import { attemptsToResume } from './queries-attempts.ts';

/** When an attempt can no longer be paid: after 23 hours, and part of a month at the billing instant that comes first. */
function attemptEnds({ kind, createdAt, at, until }: BillRecord): Date {
  const old = plus(createdAt, incompleteLifeMs);
  if (kind !== 'tool') return old;
  const before = plusMonths(until, -1);
  const instant = before > at ? before : until;
  return instant < old ? instant : old;
}

/** Completes purchases that a crash interrupted, under the same idempotency key, and withdraws those that nobody has paid in time. */
export async function resumePurchases(context: Context): Promise<void> {
  const tooOld = plus(context.now(), -incompleteLifeMs);
  const isDue = (attempt: BillRecord) => attempt.stripeInvoiceId === null || attemptEnds(attempt) <= context.now();
  await eachOf(
    context,
    async () => (await attemptsToResume(context.db, tooOld)).filter(isDue),
    async (attempt) => {
      if (attempt.kind === 'month') await continueBegin(context, attempt);
      else if (attemptEnds(attempt) <= context.now()) await withdrawAttempt(context, attempt);
      else await continueAttempt(context, attempt);
    },
  );
}
