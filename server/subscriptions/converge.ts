import { isDeepStrictEqual } from 'node:util';
import type Stripe from 'stripe';
import {
  cardOf,
  copyInvoice,
  knownInvoiceStatus,
  makeDefaultCard,
  nextBill,
  payerOf,
  paymentProblemOf,
  readProviderSubscription,
  retrieveProviderSubscription,
  storeCard,
} from '#server/billing/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { applyEffects, askForPrices, countsNoMore } from './effects.ts';
import { expectedInvoiceCents, fromProvider } from './from-provider.ts';
import { heldToItsEnd } from './hold.ts';
import type { Paid } from './notices.ts';
import { payerRow, subscriptionById, subscriptionByProviderId, toolNameOf, type SubscriptionRow } from './queries.ts';
import { deleteRow, lockPayer, touchRow, updateAsRead } from './queries-write.ts';

/** Work that stands or falls with the write, such as marking a provider's event. */
export type Also = (tx: Db) => Promise<void>;

/** Row and provider as they agree; the row is null once it is gone. */
export type Both = { row: SubscriptionRow | null; provider: Stripe.Subscription | null };

const rounds = 5;

/**
 * Makes the row what the provider's object says. No lock is held while the provider is asked: the row is read, then the
 * provider, and the write demands the version that was read; else all of it again.
 */
export async function convergeBoth(context: Context, rowId: string, also?: Also): Promise<Both> {
  for (let round = 1; round <= rounds; round += 1) {
    const row = await subscriptionById(context.db, rowId);
    if (!row?.stripeSubscriptionId) {
      await also?.(context.db);
      return { row, provider: null };
    }
    const read = await readProviderSubscription(context, row.stripeSubscriptionId);
    const provider = await heldToItsEnd(context, row, read);
    const written = provider && (await write(context, row, provider, also));
    if (written) return { row: written.row, provider };
  }
  throw new AppError('conflict');
}

/** The same, for the row alone. */
export const converge = async (context: Context, rowId: string, also?: Also): Promise<SubscriptionRow | null> =>
  (await convergeBoth(context, rowId, also)).row;

/**
 * The same, from the provider's side: false where the subscription is none of ours. One that arrives before the purchase
 * has noted it is recognised by the row and attempt it was made for.
 */
export async function convergeProviderSubscription(context: Context, id: string, also: Also): Promise<boolean> {
  for (let round = 1; round <= rounds; round += 1) {
    const row = await subscriptionByProviderId(context.db, id);
    if (row) {
      await converge(context, row.id, also);
      return true;
    }
    const provider = await retrieveProviderSubscription(context, id);
    const rowId = provider?.metadata.rowId;
    const claimed = rowId ? await subscriptionById(context.db, rowId) : null;
    if (!provider || !claimed?.purchase || claimed.stripeSubscriptionId !== null) return false;
    if (claimed.status !== 'incomplete' && !claimed.purchase.revives) return false;
    if (provider.metadata.attempt !== String(claimed.purchase.attempt)) return false;
    if (await write(context, claimed, provider, also)) return true;
  }
  throw new AppError('conflict');
}

/** Writes what was read of the provider onto the row as it was read; null where the row has changed since. */
export async function write(
  context: Context,
  row: SubscriptionRow,
  provider: Stripe.Subscription,
  also?: Also,
): Promise<{ row: SubscriptionRow | null } | null> {
  const payer = payerOf(row);
  const facts = await payerRow(context.db, payer);
  const inArrears = provider.status === 'past_due' || provider.status === 'unpaid';
  const problem = inArrears ? await paymentProblemOf(context, provider) : null;
  const change = fromProvider(provider, row, context.now(), { freeAccess: facts?.freeAccess ?? false, problem });
  const card = facts?.cardOnFile ? null : cardOf(provider);
  if (card) await makeDefaultCard(context, provider, card.methodId);
  const news = change.kind === 'set' ? newsIn(row, { stripeSubscriptionId: provider.id, ...change.values }) : null;
  return transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    if (news || change.kind === 'remove') await lockPayer(tx, payer);
    if (change.kind === 'remove') {
      if (!(await deleteRow(tx, row))) return null;
      await also?.(tx);
      return { row: null };
    }
    const after = news
      ? await updateAsRead(tx, row, { ...news, syncedAt: context.now() })
      : await touchRow(tx, row, context.now());
    if (!after) return null;
    if (card) await storeCard(tx, payer, card);
    const paid = await keepInvoice(inside, after, provider);
    await applyEffects(inside, row, after, { paid });
    if (billsOtherwise(after, provider)) await askForPrices(inside, payer, { verify: true });
    else if (countsNoMore(row, context.now())) await askForPrices(inside, payer);
    await also?.(tx);
    return { row: after };
  });
}

/** The values, where any differs from the row's. */
function newsIn(row: SubscriptionRow, values: Partial<SubscriptionRow>): Partial<SubscriptionRow> | null {
  const names = Object.keys(values) as (keyof SubscriptionRow)[];
  return names.some((name) => !isDeepStrictEqual(values[name], row[name])) ? values : null;
}

/**
 * The next invoice is not going to be what the row says, or is a draft that can still be put right (decisions §5): an
 * offer has run out, or somebody changed the subscription at the provider.
 */
function billsOtherwise({ status, purchase, quantity }: SubscriptionRow, provider: Stripe.Subscription): boolean {
  if (!purchase || (status !== 'trial' && status !== 'active' && status !== 'grace_period')) return false;
  const next = nextBill(provider);
  const coupons = purchase.coupons.map(({ id }) => id);
  return next.drafted || next.quantity !== quantity || !isDeepStrictEqual(next.coupons.toSorted(), coupons.toSorted());
}

/** Our copy of the latest invoice; answers it where it has just been paid. */
async function keepInvoice(
  context: Context,
  row: SubscriptionRow,
  provider: Stripe.Subscription,
): Promise<Paid | null> {
  const invoice = provider.latest_invoice;
  const unconfirmed = provider.status === 'incomplete' || provider.status === 'incomplete_expired';
  if (!invoice || typeof invoice === 'string' || !invoice.id || invoice.status === 'draft' || unconfirmed) return null;
  const known = await knownInvoiceStatus(context.db, invoice.id);
  const expected = known === null ? expectedInvoiceCents(invoice, row) : null;
  if (expected !== null && expected !== invoice.total)
    context.log.error(
      { subscription: row.id, invoice: invoice.id, expected, total: invoice.total },
      'the provider bills another amount than we quoted',
    );
  const toolName = await toolNameOf(context.db, row.toolId);
  await copyInvoice(context.db, invoice, { userId: row.userId, teamId: row.teamId, subscriptionId: row.id, toolName });
  if (invoice.status !== 'paid' || known === 'paid' || invoice.total === 0) return null;
  return {
    invoiceId: invoice.id,
    cents: invoice.amount_paid,
    renewal: invoice.billing_reason === 'subscription_cycle',
  };
}
