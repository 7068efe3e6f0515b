import { attemptReuseMs } from '#shared/rules/subscriptions.ts';
import {
  clientSecretOf,
  createProviderSubscription,
  endProviderSubscription,
  idOf,
  isRefusal,
  payerOf,
  payInvoice,
  type Payer,
} from '#server/billing/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import type { Outcome, Scene } from './act.ts';
import { convergeBoth } from './converge.ts';
import { applyEffects } from './effects.ts';
import type { SubscriptionRow } from './queries.ts';
import { lockPayer, updateRow } from './queries-write.ts';
import { offerFor } from './quote.ts';
import { asksTheSame, orderFor, type Order } from './order.ts';
import { repriceNow } from './reprice.ts';

/**
 * Gives a row that can be reactivated a new provider subscription and charges its first period to the card on file, or
 * lets the browser do it. Until it is paid the row stays what it is; a repeated wish meets the open attempt.
 */
export async function revive(context: Context, scene: Scene): Promise<Outcome | null> {
  const { payer, facts, row, actor } = scene;
  const order = orderFor(await offerFor(context, payer, row.toolId), null);
  if (!order) return forNothing(context, row, actor.id);
  const open = await openAttempt(context, scene, order);
  if (!open) return null;
  if (open.stripeSubscriptionId === null && !(await make(context, payer, open))) return null;
  const first = await convergeBoth(context, open.id);
  const invoiceId = idOf(first.provider?.latest_invoice);
  if (facts.cardOnFile && first.provider?.status === 'incomplete' && invoiceId !== null)
    await payInvoice(context, invoiceId);
  const { row: after, provider } = await convergeBoth(context, open.id);
  if (!after || !provider) return null;
  if (after.status === 'active') await repriceNow(context, payer);
  return { clientSecret: after.status === 'active' ? null : clientSecretOf(provider).clientSecret };
}

/** The attempt to pay that runs, or a new one; null where somebody else has changed the row. */
async function openAttempt(context: Context, { row, provider }: Scene, order: Order): Promise<SubscriptionRow | null> {
  const { purchase } = row;
  if (purchase?.revives) {
    const young = provider === null || context.now().getTime() - provider.created * 1000 < attemptReuseMs;
    const usable = provider === null || provider.status === 'incomplete';
    if (young && usable && asksTheSame(purchase, order)) return row;
    if (provider) await endProviderSubscription(context, provider.id);
  }
  const attempt = (purchase?.attempt ?? 0) + 1;
  return updateRow(context.db, row, {
    purchase: { ...order, attempt, revives: true },
    stripeSubscriptionId: null,
    monthlyCents: order.totalCents,
    quantity: order.quantity,
    // An offer ends with the subscription it was taken for.
    winBack: null,
  });
}

/** The attempt's provider subscription, noted on the row before anything is charged; false where the row has changed. */
async function make(context: Context, payer: Payer, row: SubscriptionRow): Promise<boolean> {
  const { id: rowId, toolId } = row;
  const purchase = row.purchase!;
  try {
    const { id } = await createProviderSubscription(context, { rowId, payer, toolId, purchase });
    return (await updateRow(context.db, row, { stripeSubscriptionId: id })) !== null;
  } catch (error) {
    // A refusal is kept under the attempt's key: the next try is another attempt.
    if (isRefusal(error))
      await updateRow(context.db, row, { purchase: { ...purchase, attempt: purchase.attempt + 1 } });
    throw error;
  }
}

/** What costs nothing comes back at once. */
const forNothing = (context: Context, row: SubscriptionRow, actorId: string): Promise<Outcome | null> =>
  transaction(context.db, async (tx) => {
    await lockPayer(tx, payerOf(row));
    const after = await updateRow(tx, row, {
      status: 'active',
      autoRenew: true,
      monthlyCents: 0,
      purchase: null,
      stripeSubscriptionId: null,
      endDate: null,
      gracePeriodEnd: null,
      paymentProblem: null,
      cancelledAt: null,
      cancellationReason: null,
      cancellationDetails: null,
    });
    if (!after) return null;
    await applyEffects(within(context, tx), row, after, { actorId });
    return { clientSecret: null };
  });
