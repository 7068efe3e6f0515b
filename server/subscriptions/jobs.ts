import { hour, minute, plus } from '#shared/rules/dates.ts';
import { incompleteLifeMs } from '#shared/rules/subscriptions.ts';
import { AppError } from '#server/platform/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { continueAttempt, withdrawAttempt } from './purchase/purchase.ts';
import { syncRow } from './sync/sync.ts';
import { deleteRow, findSubscription, type SubscriptionRow, touchRow } from './queries.ts';
import {
  abandonedPurchases,
  countAtStripe,
  interruptedPurchases,
  rowsDue,
  rowsToReconcile,
  rowsWithoutAccess,
} from './queries-due.ts';
import { expireIfOver } from './sync/expire.ts';
import { shareOf, workThrough } from './work-through.ts';

/** Works on rows. A failing one does not hold up the others; where Stripe is away or busy the run ends. */
const forEachRow = (
  context: Context,
  find: () => Promise<SubscriptionRow[]>,
  work: (row: SubscriptionRow) => Promise<unknown>,
  most = Infinity,
): Promise<void> =>
  workThrough({
    find,
    work,
    most,
    now: () => realNow().getTime(),
    failed: async (row, error) => {
      context.log.error({ err: error, subscription: row.id }, 'a subscription could not be brought up to date');
      if (error instanceof AppError && error.status === 503) return true;
      await touchRow(context.db, row, context.now()); // looked at last in the next run
      return false;
    },
  });

/** Completes purchases that a crash interrupted, under the same idempotency key; unpaid ones end after 23 hours. */
export async function resumePurchases(context: Context): Promise<void> {
  const tooOld = plus(context.now(), -incompleteLifeMs);
  await forEachRow(
    context,
    () => interruptedPurchases(context.db),
    async (row) => {
      if (row.createdAt > tooOld) await continueAttempt(context, row);
    },
  );
  await forEachRow(
    context,
    () => abandonedPurchases(context.db, tooOld),
    async (row) => {
      if (!(await withdrawAttempt(context, row))) return;
      const current = await findSubscription(context.db, row.id);
      if (current?.version === row.version) await transaction(context.db, (tx) => deleteRow(tx, row));
    },
  );
}

/** Brings subscriptions whose next date has passed up to date: renewed, in grace, or expired. */
export async function expireSubscriptions(context: Context): Promise<void> {
  const work = (row: SubscriptionRow) => expireIfOver(context, row);
  await forEachRow(context, () => rowsDue(context.db, context.now(), plus(context.now(), -minute)), work);
  await forEachRow(context, () => rowsWithoutAccess(context.db, context.now()), work);
}

export { followSuspension } from './change/suspension.ts';
export { announcePrices } from './price/announce.ts';
export { announceTiers } from './price/announce-tiers.ts';
export { makeStripeCoupons } from './price/volume.ts';
export { reprice } from './price/reprice.ts';
export { makeStripePrice } from './price/tool-price.ts';
export { checkInvoice } from './sync/latest-invoice.ts';
export { tellChanges } from './notices/changes.ts';
export { remindOfRenewals } from './notices/reminders.ts';

/**
 * Makes up for lost webhooks: every minute, a share of the rows with a Stripe subscription that nobody has read for an hour,
 * so that each is read within a day, however many there are.
 */
export const reconcileSubscriptions = async (context: Context): Promise<void> =>
  forEachRow(
    context,
    () => rowsToReconcile(context.db, plus(context.now(), -hour)),
    (row) => syncRow(context, row.id),
    shareOf(await countAtStripe(context.db)),
  );
