import type Stripe from 'stripe';
import {
  cardOf,
  copyInvoice,
  makeDefaultCard,
  payerOf,
  readProviderSubscription,
  retrieveProviderSubscription,
  storeCard,
} from '#server/billing/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { applyEffects } from './effects.ts';
import { expectedInvoiceCents, fromProvider } from './from-provider.ts';
import { payerRow, subscriptionById, subscriptionByProviderId, toolNameOf, type SubscriptionRow } from './queries.ts';
import { deleteRow, lockPayer, touchRow, updateRow } from './queries-write.ts';

/** Work that stands or falls with the write, such as marking a provider's event. */
export type Also = (tx: Db) => Promise<void>;

const rounds = 5;

/**
 * Makes the row what the provider's object says. No lock is held while the provider is asked: the row is read, then the
 * provider, and the write demands the version that was read; else all of it again. Answers the row, null once it is gone.
 */
export async function converge(context: Context, rowId: string, also?: Also): Promise<SubscriptionRow | null> {
  for (let round = 1; round <= rounds; round += 1) {
    const row = await subscriptionById(context.db, rowId);
    if (!row?.stripeSubscriptionId) {
      await also?.(context.db);
      return row;
    }
    const provider = await readProviderSubscription(context, row.stripeSubscriptionId);
    const written = await write(context, row, provider, also);
    if (written) return written.row;
  }
  throw new AppError('conflict');
}

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
    if (!provider || !claimed?.purchase || claimed.stripeSubscriptionId !== null || claimed.status !== 'incomplete')
      return false;
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
  const change = fromProvider(provider, row, context.now());
  const payer = payerOf(row);
  const facts = await payerRow(context.db, payer);
  const card = facts?.cardOnFile ? null : cardOf(provider);
  if (card) await makeDefaultCard(context, provider, card.methodId);
  const news = change.kind === 'set' ? newsIn(row, { ...change.values, stripeSubscriptionId: provider.id }) : null;
  return transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    if (news || change.kind === 'remove') await lockPayer(tx, payer);
    if (change.kind === 'remove') {
      if (!(await deleteRow(tx, row))) return null;
      await also?.(tx);
      return { row: null };
    }
    const after = news
      ? await updateRow(tx, row, { ...news, syncedAt: context.now() })
      : await touchRow(tx, row, context.now());
    if (!after) return null;
    if (card) await storeCard(tx, payer, card);
    await keepInvoice(inside, after, provider);
    await applyEffects(inside, row, after);
    await also?.(tx);
    return { row: after };
  });
}

/** The values, where any differs from the row's. */
function newsIn(row: SubscriptionRow, values: Partial<SubscriptionRow>): Partial<SubscriptionRow> | null {
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : value);
  const names = Object.keys(values) as (keyof SubscriptionRow)[];
  return names.some((name) => plain(values[name]) !== plain(row[name])) ? values : null;
}

async function keepInvoice(context: Context, row: SubscriptionRow, provider: Stripe.Subscription) {
  const invoice = provider.latest_invoice;
  if (!invoice || typeof invoice === 'string') return;
  const expected = expectedInvoiceCents(invoice, row);
  if (expected !== null && expected !== invoice.total)
    context.log.error(
      { subscription: row.id, invoice: invoice.id, expected, total: invoice.total },
      'the provider bills another amount than we quoted',
    );
  if (row.status === 'incomplete') return;
  const toolName = await toolNameOf(context.db, row.toolId);
  await copyInvoice(context.db, invoice, { userId: row.userId, teamId: row.teamId, subscriptionId: row.id, toolName });
}
