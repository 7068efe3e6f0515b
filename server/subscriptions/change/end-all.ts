import { lockPayer, type Payer } from '#server/payers/service.ts';
import { endStripeSubscription, isRefusal } from '#server/stripe/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { retryOnConflict, transaction } from '#server/platform/database.ts';
import { withdrawAttempt } from '../purchase/purchase.ts';
import { deleteRow, slotsOf, type SubscriptionRow, updateRow } from '../queries.ts';
import { applyEffects } from '../sync/effects.ts';
import { syncRow } from '../sync/sync.ts';

/**
 * Ends every subscription of this payer at once, here and at Stripe; nothing is billed afterwards. Repeating it is safe: where
 * Stripe is away it throws, and the next try ends what is left.
 */
export const endEverything = (context: Context, payer: Payer): Promise<true> =>
  retryOnConflict(async () => {
    const slots = await slotsOf(context.db, payer);
    for (const row of slots)
      await (row.status === 'incomplete' ? withdrawPurchase(context, row) : endSubscription(context, payer, row));
    // A webhook or a purchase may have come in between, so we look again until nothing is left.
    return slots.length === 0 || null;
  });

/** Withdraws the unconfirmed purchases started until then, so that nobody pays for somebody else's. */
export async function withdrawPurchases(context: Context, payer: Payer, until: Date): Promise<void> {
  for (const row of await slotsOf(context.db, payer))
    if (row.status === 'incomplete' && row.createdAt <= until) await withdrawPurchase(context, row);
}

/** Withdraws an open purchase; one that turns out to be paid stays, for the next round of `endEverything`. */
async function withdrawPurchase(context: Context, row: SubscriptionRow): Promise<void> {
  try {
    if (await withdrawAttempt(context, row)) await transaction(context.db, (tx) => deleteRow(tx, row));
  } catch (error) {
    // Stripe refused to make it, and the row is deleted already.
    if (!isRefusal(error)) throw error;
  }
}

async function endSubscription(context: Context, payer: Payer, row: SubscriptionRow): Promise<void> {
  let current: SubscriptionRow | null = row;
  if (row.stripeSubscriptionId) {
    const known = await endStripeSubscription(context, row.stripeSubscriptionId);
    current = known ? await syncRow(context, row.id) : row;
  }
  // It is free, or cancelled with days left.
  const remaining = current?.isActive ? current : null;
  if (!remaining) return;
  await transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const now = context.now();
    const ended = await updateRow(tx, remaining, { status: 'expired', isActive: false, expiredAt: now, syncedAt: now });
    if (ended) await applyEffects(within(context, tx), remaining, ended, { closing: true });
  });
}
