import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import type { Payer } from '#server/billing/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/database.ts';
import { applyEffects } from './effects.ts';
import type { SubscriptionRow } from './queries.ts';
import { giveTrialBack, insertRow, lockPayer, payerColumns, takeTrial, updateRow } from './queries-write.ts';

/** What is to stand on the payer's place for the tool. */
export type Opening = {
  payer: Payer;
  toolId: string;
  /** Who asked for it. */
  actorId: string;
  /** The row that holds the place now and has to give way: an attempt to replace, or one that is over by the clock. */
  before: SubscriptionRow | null;
  /** What to ask the provider for; null where the tool costs nothing. */
  order: Omit<PurchaseAttempt, 'attempt'> | null;
  /** The offer it comes back with, and the expired row that the offer was made for. */
  comeback: { of: string; winBack: SubscriptionRow['winBack'] } | null;
  trialIdentity: string;
};

/** Writes down what will be bought, before the provider hears of it; null where somebody else was first. */
export function openPlace(context: Context, opening: Opening): Promise<SubscriptionRow | null> {
  const { payer, toolId, before, order, trialIdentity, actorId } = opening;
  return transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const row = await placeRow(tx, opening, context.now());
    if (!row) return null;
    if (order && order.trialDays !== null) {
      if (!(await takeTrial(tx, trialIdentity, toolId, row.id))) throw new AppError('trial_used');
    } else {
      await giveTrialBack(tx, row.id);
    }
    if (row.status === 'active') await applyEffects(within(context, tx), before, row, { actorId });
    return row;
  });
}

async function placeRow(
  tx: Db,
  { payer, toolId, before, order, comeback }: Opening,
  now: Date,
): Promise<SubscriptionRow | null> {
  const attempt = (before?.status === 'incomplete' ? (before.purchase?.attempt ?? 0) : 0) + 1;
  const values = {
    status: order ? ('incomplete' as const) : ('active' as const),
    purchase: order && { ...order, attempt },
    monthlyCents: order?.totalCents ?? 0,
    quantity: order?.quantity ?? 1,
    winBackOf: comeback?.of ?? null,
    winBack: comeback?.winBack ?? null,
    createdAt: now,
  };
  if (before?.status === 'incomplete')
    return updateRow(tx, before, { ...values, stripeSubscriptionId: null, syncedAt: null });
  if (before && !(await updateRow(tx, before, { status: 'expired', isActive: false, expiredAt: now }))) return null;
  return insertRow(tx, { ...payerColumns(payer), toolId, ...values });
}
