import type Stripe from 'stripe';
import {
  createProviderSubscription,
  endProviderSubscription,
  isRefusal,
  payerOf,
  readProviderSubscription,
} from '#server/billing/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { write } from './converge.ts';
import { subscriptionById, type SubscriptionRow } from './queries.ts';
import { deleteRow } from './queries-write.ts';

export type Advanced = { row: SubscriptionRow; provider: Stripe.Subscription };

const rounds = 3;

/**
 * The provider's side of an open attempt: read where the row knows it, else asked for under the attempt's key, which
 * answers what an interrupted call made. A refusal ends the attempt and frees the place.
 */
async function providerSide(context: Context, row: SubscriptionRow): Promise<Stripe.Subscription> {
  const { id: rowId, toolId, purchase, stripeSubscriptionId } = row;
  if (stripeSubscriptionId) return readProviderSubscription(context, stripeSubscriptionId);
  if (!purchase) throw new Error(`subscription ${rowId} is no purchase`);
  try {
    return await createProviderSubscription(context, { rowId, payer: payerOf(row), toolId, purchase });
  } catch (error) {
    if (isRefusal(error)) await transaction(context.db, (tx) => deleteRow(tx, row));
    throw error;
  }
}

/** Brings an open attempt forward: provider and row agree afterwards. Null where the attempt was replaced meanwhile. */
export async function advance(context: Context, open: SubscriptionRow): Promise<Advanced | null> {
  let row = open;
  for (let round = 1; round <= rounds; round += 1) {
    const provider = await providerSide(context, row);
    const written = await write(context, row, provider);
    if (written) return written.row && { row: written.row, provider };
    const current = await subscriptionById(context.db, row.id);
    if (!current || !belongsTo(current, row, provider.id)) {
      await endProviderSubscription(context, provider.id);
      return null;
    }
    if (current.status !== 'incomplete') return { row: current, provider };
    row = current;
  }
  throw new AppError('conflict');
}

/** Is this provider subscription still the row's, or the one its running attempt is going to have? */
const belongsTo = (current: SubscriptionRow, read: SubscriptionRow, providerId: string) =>
  current.stripeSubscriptionId === providerId ||
  (current.stripeSubscriptionId === null && current.purchase?.attempt === read.purchase?.attempt);

/**
 * Takes an open attempt back at the provider, for another to replace it. False where it turned out to be paid: the row
 * then says so.
 */
export async function withdraw(context: Context, row: SubscriptionRow): Promise<boolean> {
  const side = await providerSide(context, row);
  // An answer repeated under its key is as old as the first one: what is about to be cancelled is read afresh.
  const provider = row.stripeSubscriptionId ? side : await readProviderSubscription(context, side.id);
  switch (provider.status) {
    case 'incomplete':
    case 'trialing':
      await endProviderSubscription(context, provider.id);
      return true;
    case 'canceled':
    case 'incomplete_expired':
      return true;
    default:
      await write(context, row, provider);
      return false;
  }
}
