import { isLive, overSince } from '#shared/rules/subscriptions.ts';
import { findPayerFacts, lockPayer, payerOf } from '#server/payers/service.ts';
import { endStripeSubscription } from '#server/stripe/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { type SubscriptionRow, updateRow } from '../queries.ts';
import { applyEffects } from './effects.ts';
import { syncRow } from './sync.ts';

/**
 * Expires the row if it is over. Stripe is read first, since it may have renewed without our knowing. What is over
 * by the clock also ends at Stripe, with its open invoice, so that no late retry can charge.
 */
export async function expireIfOver(context: Context, row: SubscriptionRow): Promise<void> {
  const current = row.stripeSubscriptionId ? await syncRow(context, row.id) : row;
  if (!current?.isActive || current.status === 'incomplete') return;
  const payer = payerOf(current);
  const cardOnFile = (await findPayerFacts(context.db, payer))?.cardOnFile ?? false;
  const facts = { ...current, cardOnFile };
  if (isLive(facts, context.now())) return;
  if (current.stripeSubscriptionId) {
    const known = await endStripeSubscription(context, current.stripeSubscriptionId);
    if (known) await syncRow(context, current.id);
    if (known) return;
  }
  await transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const now = context.now();
    const expiredAt = overSince(facts) ?? now;
    const ended = await updateRow(tx, current, { status: 'expired', isActive: false, expiredAt, syncedAt: now });
    if (ended) await applyEffects(within(context, tx), current, ended);
  });
}
