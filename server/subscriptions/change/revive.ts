import { attemptReuseMs } from '#shared/rules/subscriptions.ts';
import { lockPayer, type Payer } from '#server/payers/service.ts';
import { confirmationOf, createStripeSubscription, endStripeSubscription, isRefusal } from '#server/stripe/service.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { chargeFirstInvoice, type Due } from '../purchase/attempt.ts';
import { asksTheSame, type Order, orderFor, priceTool } from '../price/quote.ts';
import { repriceNow } from '../price/reprice.ts';
import { notCancelled, type SubscriptionRow, updateRow } from '../queries.ts';
import { applyEffects } from '../sync/effects.ts';
import { syncSubscription } from '../sync/sync.ts';
import type { Current, StepResult } from './change.ts';

/**
 * Gives the row a new Stripe subscription, and charges the first period to the card that `findDue` answers for its price, or
 * leaves that to the browser. Until it is paid the row keeps its status; a repeated request continues the open attempt.
 */
export async function revive(
  context: Context,
  current: Current,
  findDue: (totalCents: number) => Promise<Due | null>,
): Promise<StepResult | null> {
  const { payer, row } = current;
  const order = orderFor(await priceTool(context, payer, row.toolId), null);
  if (!order) return reviveFree(context, payer, row);
  const due = await findDue(order.totalCents);
  const open = await findOrOpenAttempt(context, current, order);
  if (!open) return null;
  if (open.stripeSubscriptionId === null && !(await createAtStripe(context, payer, open))) return null;
  const first = await syncSubscription(context, open.id);
  if (first.stripeSubscription) await chargeFirstInvoice(context, first.stripeSubscription, due);
  const { row: after, stripeSubscription } = await syncSubscription(context, open.id);
  if (!after || !stripeSubscription) return null;
  if (after.status === 'active') await repriceNow(context, payer);
  return after.status === 'active' ? {} : confirmationOf(stripeSubscription);
}

/** The row with its open attempt, or with a new one; null where the row has changed since it was read. */
async function findOrOpenAttempt(
  context: Context,
  { row, stripeSubscription }: Current,
  order: Order,
): Promise<SubscriptionRow | null> {
  const { purchase } = row;
  if (purchase?.revives) {
    const age = stripeSubscription === null ? 0 : context.now().getTime() - stripeSubscription.created * 1000;
    const usable = stripeSubscription === null || stripeSubscription.status === 'incomplete';
    if (age < attemptReuseMs && usable && asksTheSame(purchase, order)) return row;
    if (stripeSubscription) await endStripeSubscription(context, stripeSubscription.id);
  }
  const attempt = (purchase?.attempt ?? 0) + 1;
  return updateRow(context.db, row, {
    purchase: { ...order, attempt, revives: true },
    stripeSubscriptionId: null,
    monthlyCents: order.totalCents,
    quantity: order.quantity,
    // A win-back offer ends with the Stripe subscription it was taken for.
    winBack: null,
    // So do free months.
    freeMonths: null,
  });
}

/** Creates the attempt's Stripe subscription and stores its id before anything is charged; false where the row has changed. */
async function createAtStripe(context: Context, payer: Payer, row: SubscriptionRow): Promise<boolean> {
  const { id: rowId, toolId } = row;
  const purchase = row.purchase!;
  // Stripe repeats a refusal under the same idempotency key, so the next try has to be another attempt.
  const another = () => updateRow(context.db, row, { purchase: { ...purchase, attempt: purchase.attempt + 1 } });
  try {
    const made = await createStripeSubscription(context, { rowId, payer, toolId, purchase });
    if (made) return (await updateRow(context.db, row, { stripeSubscriptionId: made.id })) !== null;
    await another();
    return false;
  } catch (error) {
    if (isRefusal(error)) await another();
    throw error;
  }
}

/** A tool that costs nothing is active again at once. */
const reviveFree = (context: Context, payer: Payer, row: SubscriptionRow): Promise<StepResult | null> =>
  transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const after = await updateRow(tx, row, {
      status: 'active',
      autoRenew: true,
      monthlyCents: 0,
      purchase: null,
      stripeSubscriptionId: null,
      endDate: null,
      gracePeriodEnd: null,
      paymentProblem: null,
      ...notCancelled,
    });
    if (!after) return null;
    await applyEffects(within(context, tx), row, after, { byCaller: true });
    return {};
  });
