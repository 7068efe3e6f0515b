import { hour, minute, plus } from '#shared/rules/dates.ts';
import { incompleteLifeMs } from '#shared/rules/subscriptions.ts';
import { AppError } from '#server/platform/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { advance, withdraw } from './attempt.ts';
import { converge } from './converge.ts';
import { subscriptionById, type SubscriptionRow } from './queries.ts';
import {
  abandonedPurchases,
  interruptedPurchases,
  rowsDue,
  rowsToReconcile,
  rowsWithoutAccess,
} from './queries-due.ts';
import { deleteRow, touchRow } from './queries-write.ts';
import { settle } from './settle.ts';

/** A job stops taking more after this; what is left is taken by its next run. In milliseconds of real time. */
const budgetMs = 20_000;
const atOnce = 5;

/** Works rows batch by batch. One bad row does not hold up the others; a provider that is away ends the run. */
async function each(
  context: Context,
  find: () => Promise<SubscriptionRow[]>,
  work: (row: SubscriptionRow) => Promise<unknown>,
): Promise<void> {
  const until = realNow().getTime() + budgetMs;
  const seen = new Set<string>();
  while (realNow().getTime() < until) {
    const rows = (await find()).filter((row) => !seen.has(row.id));
    if (rows.length === 0) return;
    for (let i = 0; i < rows.length; i += atOnce) {
      const some = rows.slice(i, i + atOnce);
      const outcomes = await Promise.allSettled(some.map(work));
      for (const [index, outcome] of outcomes.entries()) {
        const row = some[index]!;
        seen.add(row.id);
        if (outcome.status === 'fulfilled') continue;
        const error: unknown = outcome.reason;
        context.log.error({ err: error, subscription: row.id }, 'a subscription could not be brought up to date');
        if (error instanceof AppError && error.status === 503) return;
        await touchRow(context.db, row, context.now()); // to the back of the queue
      }
    }
  }
}

/** Purchases a crash or a silent provider interrupted are completed under the same key; unpaid ones end after 23 hours. */
export async function resumePurchases(context: Context): Promise<void> {
  const tooOld = plus(context.now(), -incompleteLifeMs);
  await each(
    context,
    () => interruptedPurchases(context.db),
    async (row) => {
      if (row.createdAt > tooOld) await advance(context, row);
    },
  );
  await each(
    context,
    () => abandonedPurchases(context.db, tooOld),
    async (row) => {
      if (!(await withdraw(context, row))) return;
      const current = await subscriptionById(context.db, row.id);
      if (current?.version === row.version) await transaction(context.db, (tx) => deleteRow(tx, row));
    },
  );
}

/** Subscriptions one of whose dates has passed: renewed, in grace, or over. */
export async function expireSubscriptions(context: Context): Promise<void> {
  const work = (row: SubscriptionRow) => settle(context, row);
  await each(context, () => rowsDue(context.db, context.now(), plus(context.now(), -minute)), work);
  await each(context, () => rowsWithoutAccess(context.db, context.now()), work);
}

/** The prices of one adviser's subscriptions, after the number of their tools has changed. */
export { reprice } from './reprice.ts';
export { remindOfRenewals } from './reminders.ts';

/** What a lost webhook left: every row of the provider's is read again once it was not for an hour. */
export const reconcileSubscriptions = (context: Context): Promise<void> =>
  each(
    context,
    () => rowsToReconcile(context.db, plus(context.now(), -hour)),
    (row) => converge(context, row.id),
  );
