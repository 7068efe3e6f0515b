import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { applyEffects } from './effects.ts';
import type { SubscriptionRow } from './queries.ts';
import { giveTrialBack, insertRow, lockUser, takeTrial, updateRow } from './queries-write.ts';

/** What is to stand on the payer's place for the tool. */
export type Opening = {
  userId: string;
  tool: { id: string; name: string };
  /** The row that holds the place now and has to give way: an attempt to replace, or one that is over by the clock. */
  before: SubscriptionRow | null;
  /** What to ask the provider for; null where the tool costs nothing. */
  order: Omit<PurchaseAttempt, 'attempt'> | null;
  trialIdentity: string;
};

/** Writes down what will be bought, before the provider hears of it; null where somebody else was first. */
export function openPlace(context: Context, opening: Opening): Promise<SubscriptionRow | null> {
  const { userId, tool, before, order, trialIdentity } = opening;
  return transaction(context.db, async (tx) => {
    await lockUser(tx, userId);
    const row = await placeRow(tx, opening, context.now());
    if (!row) return null;
    if (order && order.trialDays !== null) {
      if (!(await takeTrial(tx, trialIdentity, tool.id, row.id))) throw new AppError('trial_used');
    } else {
      await giveTrialBack(tx, row.id);
    }
    if (row.status === 'active') await applyEffects(within(context, tx), before, row, tool.name, userId);
    return row;
  });
}

async function placeRow(tx: Db, { userId, tool, before, order }: Opening, now: Date): Promise<SubscriptionRow | null> {
  const attempt = (before?.status === 'incomplete' ? (before.purchase?.attempt ?? 0) : 0) + 1;
  const values = {
    status: order ? ('incomplete' as const) : ('active' as const),
    purchase: order && { ...order, attempt },
    monthlyCents: order?.totalCents ?? 0,
    createdAt: now,
  };
  if (before?.status === 'incomplete')
    return updateRow(tx, before, { ...values, stripeSubscriptionId: null, syncedAt: null });
  if (before && !(await updateRow(tx, before, { status: 'expired', isActive: false, expiredAt: now }))) return null;
  return insertRow(tx, { userId, toolId: tool.id, ...values });
}
