import { isLive, overSince } from '#shared/rules/subscriptions.ts';
import { endProviderSubscription, payerOf } from '#server/billing/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { converge } from './converge.ts';
import { applyEffects, askForPrices, countsNoMore } from './effects.ts';
import { payerRow, type SubscriptionRow } from './queries.ts';
import { lockPayer, touchRow, updateRow } from './queries-write.ts';

/**
 * A row one of whose dates has passed: the provider is asked first, since a renewal may have come unheard. Where it is
 * over by the clock it ends there too, with its open invoice, so that no late retry can charge (decisions §5).
 */
export async function settle(context: Context, row: SubscriptionRow): Promise<void> {
  const current = row.stripeSubscriptionId ? await converge(context, row.id) : row;
  if (!current?.isActive || current.status === 'incomplete') return;
  const payer = payerOf(current);
  const cardOnFile = (await payerRow(context.db, payer))?.cardOnFile ?? false;
  const facts = { ...current, cardOnFile };
  if (isLive(facts, context.now())) {
    if (!current.stripeSubscriptionId && countsNoMore(current, context.now())) {
      await touchRow(context.db, current, context.now());
      await askForPrices(context, payer);
    }
    return;
  }
  if (current.stripeSubscriptionId) {
    await endProviderSubscription(context, current.stripeSubscriptionId);
    await converge(context, current.id);
    return;
  }
  await transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const now = context.now();
    const expiredAt = overSince(facts) ?? now;
    const ended = await updateRow(tx, current, { status: 'expired', isActive: false, expiredAt, syncedAt: now });
    if (ended) await applyEffects(within(context, tx), current, ended);
  });
}
