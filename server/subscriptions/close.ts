import { endProviderSubscription, isRefusal, payerOf, type Payer } from '#server/billing/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { withdraw } from './attempt.ts';
import { converge } from './converge.ts';
import { applyEffects } from './effects.ts';
import { placesOf, type SubscriptionRow } from './queries.ts';
import { deleteRow, lockPayer, updateRow } from './queries-write.ts';

/** How often a webhook or a purchase at the same moment may come in between. */
const rounds = 5;

/**
 * Ends every subscription of this payer, at once and at the provider too; nothing is billed afterwards. Repeating
 * it is safe: where the provider is away the caller hears so, and the next try ends what is left.
 */
export async function endEverything(context: Context, payer: Payer): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const places = await placesOf(context.db, payer);
    if (places.length === 0) return;
    for (const place of places) await (place.status === 'incomplete' ? giveUp(context, place) : end(context, place));
  }
  throw new AppError('conflict');
}

/** Takes back the purchases that were opened until then and are not confirmed, so that nobody pays for another's. */
export async function withdrawPurchases(context: Context, payer: Payer, until: Date): Promise<void> {
  for (const place of await placesOf(context.db, payer))
    if (place.status === 'incomplete' && place.createdAt <= until) await giveUp(context, place);
}

/** An open purchase is taken back; one that turns out to be paid is ended in the next round. */
async function giveUp(context: Context, row: SubscriptionRow): Promise<void> {
  try {
    if (await withdraw(context, row)) await transaction(context.db, (tx) => deleteRow(tx, row));
  } catch (error) {
    // The provider never made it, and the attempt is gone with its refusal.
    if (!isRefusal(error)) throw error;
  }
}

async function end(context: Context, row: SubscriptionRow): Promise<void> {
  let current: SubscriptionRow | null = row;
  if (row.stripeSubscriptionId) {
    await endProviderSubscription(context, row.stripeSubscriptionId);
    current = await converge(context, row.id);
  }
  // Free of charge, or cancelled with days left that are given up now.
  const left = current?.isActive ? current : null;
  if (!left) return;
  await transaction(context.db, async (tx) => {
    await lockPayer(tx, payerOf(left));
    const now = context.now();
    const ended = await updateRow(tx, left, { status: 'expired', isActive: false, expiredAt: now, syncedAt: now });
    if (ended) await applyEffects(within(context, tx), left, ended, { closing: true });
  });
}
