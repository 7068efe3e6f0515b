import type Stripe from 'stripe';
import { isDeepStrictEqual } from 'node:util';
import { isLive } from '#shared/rules/billing/subscriptions.ts';
import { toolName } from '#server/catalogue/service.ts';
import { copyStripeInvoice } from '#server/invoices/service.ts';
import { findPayerFacts, lockPayer, payerOf } from '#server/payers/service.ts';
import { findStripeSubscription, requireStripeSubscription } from '#server/stripe/bill-subscription.ts';
import { findInvoice } from '#server/stripe/invoices.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { type Db, retryOnConflict, transaction } from '#server/platform/data/database.ts';
import { type AlsoWrite, settleBill } from '../bill/settle.ts';
import { changeRow } from '../effects.ts';
import { deleteRow, findSubscription, type SubscriptionRow } from '../queries.ts';
import { tellExpired } from '../tell/events.ts';
import { dropCharges, stopCharging } from './at-stripe.ts';
import { billOfOldInvoice } from './old-invoice.ts';
import { isOld, latestInvoiceOf, rowFromOld } from './old-row.ts';
import { findOwnerOfOldInvoice, findOldRow, noteRead } from './queries-join.ts';

/** The purchase that a process was storing when it ended. */
async function findLostPurchase(db: Db, { metadata }: Stripe.Subscription): Promise<SubscriptionRow | null> {
  const row = metadata['rowId'] ? await findSubscription(db, metadata['rowId']) : null;
  const isOpen = row?.stripeSubscriptionId === null && row.purchase !== null;
  return isOpen && metadata['attempt'] === String(row.purchase!.attempt) ? row : null;
}

/** One that was read, and its own Stripe subscription as it is then; the row is null once it is removed. */
export type Followed = { row: SubscriptionRow | null; subscription: Stripe.Subscription };

/** Brings the row of a subscription that an older release sold to what Stripe says; false where it is none. */
export const syncOldSubscription = async (context: Context, id: string, also: AlsoWrite): Promise<boolean> =>
  (await retryOnConflict(async () => {
    const subscription = await findStripeSubscription(context, id);
    const row =
      (await findOldRow(context.db, id)) ?? (subscription && (await findLostPurchase(context.db, subscription)));
    if (!row) return 'foreign';
    if (!subscription) return forget(context, row, also);
    return (await follow(context, row, subscription, also)) && 'ours';
  })) === 'ours';

/** Stripe does not know it: this database was used with another account. What people pay for must not end by a wrong key. */
async function forget(context: Context, row: SubscriptionRow, also: AlsoWrite): Promise<'ours' | null> {
  if (row.status !== 'incomplete' && isLive(row, context.now()))
    throw new AppError('subscription_unknown', {
      cause: new Error(`Stripe does not know ${row.stripeSubscriptionId}`),
    });
  return transaction(context.db, async (tx) => {
    if (row.status === 'incomplete' && !(await deleteRow(tx, row))) return null;
    await also(tx);
    return 'ours';
  });
}

/** Reads Stripe, and writes what has changed; null where the row has changed since it was read. */
export async function follow(
  context: Context,
  row: SubscriptionRow,
  read: Stripe.Subscription,
  also: AlsoWrite = async () => undefined,
): Promise<Followed | null> {
  const isOff = row.status === 'cancelled' ? !row.purchase?.revives : row.status === 'active' && !row.autoRenew;
  const stopped = isOff && (await stopCharging(context, read));
  if (isOff && row.teamId !== null) await dropCharges(context, read);
  const subscription = stopped ? await requireStripeSubscription(context, read.id) : read;
  const payer = payerOf(row);
  const isFree = (await findPayerFacts(context.db, payer))?.freeAccess ?? false;
  const values = rowFromOld(subscription, row, context.now(), isFree);
  const invoice = latestInvoiceOf(subscription);
  const bill = invoice && values && isOld(row) ? await billOfOldInvoice(context, row, subscription, invoice.id) : null;
  const written = await inTransaction(context, async (inside, tx): Promise<Followed | null> => {
    await lockPayer(tx, payer);
    if (values === null) {
      if (!(await deleteRow(tx, row))) return null;
      await also(tx);
      return { row: null, subscription };
    }
    const after = await write(inside, row, { stripeSubscriptionId: subscription.id, ...values });
    if (!after) return null;
    await also(tx);
    return { row: after, subscription };
  });
  if (bill?.isNew) await settleBill(context, bill.id);
  if (!bill && written?.row && invoice) await copyOldInvoice(context, subscription, invoice.id);
  return written;
}

/** Writes the values where any differs, and what follows from them; notes that it was read. */
async function write(inside: Context, row: SubscriptionRow, values: Partial<SubscriptionRow>) {
  const names = Object.keys(values) as (keyof SubscriptionRow)[];
  const syncedAt = inside.now();
  if (names.every((name) => isDeepStrictEqual(values[name], row[name]))) return noteRead(inside.db, row, syncedAt);
  const after = await changeRow(inside, row, { ...values, syncedAt });
  if (!after) return null;
  if (after.status === 'expired') {
    const ended = { ...after, toolName: await toolName(inside.db, after.toolId) };
    await tellExpired(inside, [ended], { isTrial: row.status === 'trial' });
  }
  return after;
}

async function copyOldInvoice(context: Context, { id: subscription }: Stripe.Subscription, id: string): Promise<void> {
  const owner = await findOwnerOfOldInvoice(context.db, subscription);
  const invoice = owner && (await findInvoice(context, id));
  if (invoice) await copyStripeInvoice(context.db, invoice, owner);
}
