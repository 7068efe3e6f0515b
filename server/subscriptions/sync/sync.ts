import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import { latestStripeEnd } from '#shared/rules/cancellation.ts';
import { unitCentsAt } from '#shared/rules/own-price.ts';
import { isLive } from '#shared/rules/subscriptions.ts';
import { findPayerFacts, lockPayer, type PayerFacts, payerOf, storeCard } from '#server/payers/service.ts';
import {
  type CancellationFeedback,
  cardOf,
  draftInvoiceOf,
  dropPendingCharges,
  endStripeSubscription,
  findPaymentProblem,
  findStripeSubscription,
  hasUnpaidRenewal,
  idOf,
  keepNewestCard,
  nextInvoiceOf,
  periodOf,
  requireStripeSubscription,
  scheduledEnd,
  scheduleStripeEnd,
  pauseAtStripe,
} from '#server/stripe/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { type Db, retryOnConflict, transaction } from '#server/platform/database.ts';
import {
  deleteRow,
  findSubscription,
  findSubscriptionByStripeId,
  type SubscriptionRow,
  touchRow,
  updateAsRead,
} from '../queries.ts';
import { adopt, isAttemptOf, isBilling } from './adopt.ts';
import { applyEffects, queueReprice } from './effects.ts';
import { copyLatestInvoice } from './latest-invoice.ts';
import { type RowChange, rowFromStripe } from './row-from-stripe.ts';

/** Work in the same transaction as the write, such as marking one of Stripe's events. */
export type InSameTransaction = (tx: Db) => Promise<void>;

/** Row and Stripe subscription after they were made to agree; the row is null once it is deleted. */
export type Synced = { row: SubscriptionRow | null; stripeSubscription: Stripe.Subscription | null };

/**
 * Brings the row to what Stripe says. No lock is held while Stripe is asked: the row is read, then Stripe, and where the row
 * has another version when it is written, everything is done again.
 */
export const syncSubscription = (
  context: Context,
  rowId: string,
  alsoInTransaction?: InSameTransaction,
): Promise<Synced> =>
  retryOnConflict(async () => {
    const row = await findSubscription(context.db, rowId);
    if (!row?.stripeSubscriptionId) {
      await alsoInTransaction?.(context.db);
      return { row, stripeSubscription: null };
    }
    const read = await findStripeSubscription(context, row.stripeSubscriptionId);
    if (!read) return withoutStripe(context, row, alsoInTransaction);
    const kept = await enforceCancellation(context, row, read);
    const stripeSubscription = kept && (await enforcePause(context, row, kept));
    const written = stripeSubscription && (await writeRow(context, row, stripeSubscription, alsoInTransaction));
    return written && { row: written.row, stripeSubscription };
  });

/**
 * Stripe does not know the row's subscription: this database was used with another account. An open purchase makes way for
 * another, what is over is left to the clock, and a live one is 409, since a wrong key must not end what people pay for.
 */
async function withoutStripe(
  context: Context,
  row: SubscriptionRow,
  alsoInTransaction?: InSameTransaction,
): Promise<Synced | null> {
  const cardOnFile = (await findPayerFacts(context.db, payerOf(row)))?.cardOnFile ?? false;
  const open = row.status === 'incomplete';
  if (!open && isLive({ ...row, cardOnFile }, context.now()))
    throw new AppError('subscription_unknown', {
      cause: new Error(`Stripe does not know ${row.stripeSubscriptionId ?? ''}`),
    });
  return transaction(context.db, async (tx) => {
    if (open && !(await deleteRow(tx, row))) return null;
    await alsoInTransaction?.(tx);
    return { row: open ? null : row, stripeSubscription: null };
  });
}

/** The same, and answers the row alone. */
export const syncRow = async (
  context: Context,
  rowId: string,
  alsoInTransaction?: InSameTransaction,
): Promise<SubscriptionRow | null> => (await syncSubscription(context, rowId, alsoInTransaction)).row;

/**
 * The same by the id of the Stripe subscription; false where it is not ours. One that the purchase has not stored yet is
 * recognised by the row and attempt in its metadata; one whose row was lost is adopted.
 */
export const syncStripeSubscription = async (
  context: Context,
  id: string,
  alsoInTransaction: InSameTransaction,
): Promise<boolean> => (await retryOnConflict(() => syncOnce(context, id, alsoInTransaction))) === 'ours';

async function syncOnce(
  context: Context,
  id: string,
  alsoInTransaction: InSameTransaction,
): Promise<'ours' | 'foreign' | null> {
  const row = await findSubscriptionByStripeId(context.db, id);
  if (row) {
    await syncRow(context, row.id, alsoInTransaction);
    return 'ours';
  }
  const stripeSubscription = await findStripeSubscription(context, id);
  const rowId = stripeSubscription?.metadata.rowId;
  const claimed = rowId ? await findSubscription(context.db, rowId) : null;
  if (!stripeSubscription) return 'foreign';
  if (!claimed || !isAttemptOf(claimed, stripeSubscription)) {
    if (!rowId || !isBilling(stripeSubscription)) return 'foreign';
    // The next round finds its row, or the one that another replica has just stored.
    await adopt(context, stripeSubscription);
    return null;
  }
  return (await writeRow(context, claimed, stripeSubscription, alsoInTransaction)) && 'ours';
}

/** Writes what Stripe said to the row; null where the row has changed since it was read. */
export async function writeRow(
  context: Context,
  row: SubscriptionRow,
  stripeSubscription: Stripe.Subscription,
  alsoInTransaction?: InSameTransaction,
): Promise<{ row: SubscriptionRow | null } | null> {
  const payer = payerOf(row);
  const facts = await findPayerFacts(context.db, payer);
  const inArrears = stripeSubscription.status === 'past_due' || stripeSubscription.status === 'unpaid';
  const paymentProblem = inArrears ? await findPaymentProblem(context, stripeSubscription) : null;
  const change = rowFromStripe(stripeSubscription, row, context.now(), {
    freeAccess: facts?.freeAccess ?? false,
    paymentProblem,
  });
  const given = await findGivenCard(context, row, change, stripeSubscription, facts);
  const read = { stripeSubscriptionId: stripeSubscription.id, draft: draftInvoiceOf(stripeSubscription) };
  const changes = change.kind === 'set' ? changesIn(row, { ...read, ...change.values }) : null;
  return transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    if (changes || change.kind === 'remove') await lockPayer(tx, payer);
    if (change.kind === 'remove') {
      if (!(await deleteRow(tx, row))) return null;
      await alsoInTransaction?.(tx);
      return { row: null };
    }
    const after = changes
      ? await updateAsRead(tx, row, { ...changes, syncedAt: context.now() })
      : await touchRow(tx, row, context.now());
    if (!after) return null;
    if (given) {
      await storeCard(tx, payer, cardOf(given.card));
      await queueReprice(inside, payer);
      await inside.queue.send(tx, 'spread-card', { payer });
    }
    const paid = await copyLatestInvoice(inside, after, stripeSubscription);
    await applyEffects(inside, row, after, { paid, stripeSubscription });
    if (nextInvoiceDiffers(after, stripeSubscription)) await queueReprice(inside, payer, { verify: true });
    await alsoInTransaction?.(tx);
    return { row: after };
  });
}

/**
 * A card that was typed for this purchase, or that Stripe has with the subscription itself: the customer's newest one, which pays
 * everything from now on. Null where the card on file paid. A default that we have not stored counts as typed: of two replicas that
 * read the same payment, one may make it the default and the other write the row.
 */
async function findGivenCard(
  context: Context,
  { status, purchase }: SubscriptionRow,
  change: RowChange,
  { customer, default_payment_method: own }: Stripe.Subscription,
  facts: PayerFacts | null,
) {
  const starts = change.kind === 'set' && change.values.status === 'active';
  const firstPaid = starts && (status === 'incomplete' || purchase?.revives === true);
  const customerId = idOf(customer);
  if (customerId === null || change.kind === 'remove' || (!firstPaid && own === null)) return null;
  const kept = await keepNewestCard(context, customerId);
  const stored = kept.card?.card?.last4 === facts?.card?.last4;
  return kept.card && (!kept.alone || own !== null || !stored) ? kept : null;
}

/** The values, where any differs from the row's. */
function changesIn(row: SubscriptionRow, values: Partial<SubscriptionRow>): Partial<SubscriptionRow> | null {
  const names = Object.keys(values) as (keyof SubscriptionRow)[];
  return names.some((name) => !isDeepStrictEqual(values[name], row[name])) ? values : null;
}

/**
 * Whether the next invoice would differ from what the row says, or is a draft that can still be corrected: an offer has run
 * out, or somebody changed the subscription at Stripe.
 */
function nextInvoiceDiffers(
  { status, purchase, quantity }: SubscriptionRow,
  stripeSubscription: Stripe.Subscription,
): boolean {
  if (!purchase || (status !== 'trial' && status !== 'active' && status !== 'grace_period')) return false;
  const next = nextInvoiceOf(stripeSubscription);
  const coupons = purchase.coupons.map(({ id }) => id);
  const differs = next.quantity !== quantity || next.unitCents !== unitCentsAt(purchase, next.at);
  return next.draftId !== null || differs || !isDeepStrictEqual(next.coupons.toSorted(), coupons.toSorted());
}

/** Whether Stripe would try to charge for it again. */
const inArrears = (stripeSubscription: Stripe.Subscription) =>
  stripeSubscription.status === 'past_due' ||
  stripeSubscription.status === 'unpaid' ||
  hasUnpaidRenewal(stripeSubscription);

/**
 * Ends it at Stripe: at once where something is owed, so that no retry can charge; else at the end of the paid period, and no
 * later than the last day to reactivate.
 */
export async function endCancelled(
  context: Context,
  stripeSubscription: Stripe.Subscription,
  gracePeriodEnd: Date,
  feedback: CancellationFeedback = {},
): Promise<void> {
  await dropPendingCharges(context, stripeSubscription);
  const end = latestStripeEnd(periodOf(stripeSubscription).end, gracePeriodEnd);
  if (inArrears(stripeSubscription) || end <= context.now())
    await endStripeSubscription(context, stripeSubscription.id);
  else await scheduleStripeEnd(context, stripeSubscription, end, feedback);
}

/** Ended, but with an open invoice that a new card would still pay. */
const leavesDebt = ({ status, latest_invoice: invoice }: Stripe.Subscription) =>
  status === 'canceled' && invoice !== null && typeof invoice !== 'string' && invoice.status === 'open';

/**
 * Makes sure that nobody is charged for what was cancelled or has ended: ends a Stripe subscription that would go on, and
 * voids its open invoice. Answers the subscription as it is then; null where the row has changed since it was read.
 */
export async function enforceCancellation(
  context: Context,
  row: SubscriptionRow,
  stripeSubscription: Stripe.Subscription,
): Promise<Stripe.Subscription | null> {
  if (leavesDebt(stripeSubscription)) {
    await endStripeSubscription(context, stripeSubscription.id);
    return requireStripeSubscription(context, stripeSubscription.id);
  }
  if (row.status !== 'cancelled' || row.gracePeriodEnd === null || row.purchase?.revives) return stripeSubscription;
  const runs = stripeSubscription.status === 'trialing' || stripeSubscription.status === 'active';
  if (!runs && !inArrears(stripeSubscription)) return stripeSubscription;
  const end = scheduledEnd(stripeSubscription);
  const soonEnough = end !== null && end <= latestStripeEnd(periodOf(stripeSubscription).end, row.gracePeriodEnd);
  if (soonEnough && !inArrears(stripeSubscription)) return stripeSubscription;
  // The row was read before Stripe, and may have been reactivated in between.
  if ((await findSubscription(context.db, row.id))?.version !== row.version) return null;
  await endCancelled(context, stripeSubscription, row.gracePeriodEnd);
  return requireStripeSubscription(context, stripeSubscription.id);
}

/** Pauses charges at Stripe while the adviser is suspended, and resumes them afterwards. Answers the subscription as it is then. */
async function enforcePause(
  context: Context,
  row: SubscriptionRow,
  stripeSubscription: Stripe.Subscription,
): Promise<Stripe.Subscription> {
  const paused = (await findPayerFacts(context.db, payerOf(row)))?.chargesPaused ?? false;
  const changed = await pauseAtStripe(context, stripeSubscription, paused);
  return changed ? requireStripeSubscription(context, stripeSubscription.id) : stripeSubscription;
}
