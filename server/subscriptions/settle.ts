import { isLive } from '#shared/rules/subscriptions.ts';
import { endProviderSubscription, payerOf } from '#server/billing/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { converge } from './converge.ts';
import { applyEffects } from './effects.ts';
import { payerRow, type SubscriptionRow } from './queries.ts';
import { lockPayer, updateRow } from './queries-write.ts';

/**
 * A row one of whose dates has passed: the provider is asked first, since a renewal may have come unheard. Where it is
 * over by the clock it ends there too, with its open invoice, so that no late retry can charge (decisions §5).
 */
export async function settle(context: Context, row: SubscriptionRow): Promise<void> {
  const current = row.stripeSubscriptionId ? await converge(context, row.id) : row;
  if (!current?.isActive || current.status === 'incomplete') return;
  const payer = await payerRow(context.db, payerOf(current));
  if (isLive({ ...current, cardOnFile: payer?.cardOnFile ?? false }, context.now())) return;
  if (current.stripeSubscriptionId) {
    await endProviderSubscription(context, current.stripeSubscriptionId);
    await converge(context, current.id);
    return;
  }
  await transaction(context.db, async (tx) => {
    await lockPayer(tx, payerOf(current));
    const now = context.now();
    const ended = await updateRow(tx, current, { status: 'expired', isActive: false, expiredAt: now, syncedAt: now });
    if (ended) await applyEffects(within(context, tx), current, ended);
  });
}
