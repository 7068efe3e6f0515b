import type Stripe from 'stripe';
import { audit } from '#server/audit/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import { findPayerFacts, lockPayer, onFile, type Payer, subjectOf } from '#server/payers/service.ts';
import { idOf } from '#server/stripe/ask.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { findSubscription, insertRow, payerColumns, takeTrial } from '../queries.ts';
import { endsAt } from './old-row.ts';
import { syncOldSubscription } from './old-rows.ts';

/** A fault for the administrators. */
export const unclaimed = (fault: string) => new AppError('subscription_unclaimed', { cause: new Error(fault) });

/**
 * Takes over a subscription to one tool that an older release sold and a restored database lost, as a row of that release, which then
 * joins the payer's bill. False where nothing was lost: its row has joined, and it ends with what was paid.
 */
export async function adoptOld(context: Context, payer: Payer, subscription: Stripe.Subscription): Promise<boolean> {
  const { id, metadata, items, customer, created, trial_start: trialStart } = subscription;
  const { rowId = '', toolId = '', attempt } = metadata;
  const adopted = await transaction(context.db, async (tx) => {
    await lockPayer(tx, payer);
    const known = await findSubscription(tx, rowId);
    if (known && (known.stripeSubscriptionId === id || endsAt(subscription) !== null)) return false;
    const facts = await findPayerFacts(tx, payer);
    if (!facts || !(await findTool(tx, toolId))) throw unclaimed(`${id} belongs to nobody in this database`);
    const { unit_amount: unitCents } = items.data[0]!.price;
    const purchase = {
      unitCents: unitCents ?? 0,
      quantity: items.data[0]!.quantity ?? 1,
      attempt: Number(attempt ?? 1),
    };
    const row = known
      ? null
      : await insertRow(tx, {
          ...payerColumns(payer),
          id: rowId,
          toolId,
          status: 'incomplete',
          stripeSubscriptionId: id,
          purchase,
          autoRenew: endsAt(subscription) === null,
          createdAt: new Date(created * 1e3),
        });
    if (!row) throw unclaimed(`${id} is billed beside another subscription to ${toolId}`);
    const customerId = idOf(customer);
    if (customerId) await onFile.claimCustomer(tx, payer, customerId, null);
    if (trialStart !== null) await takeTrial(tx, facts.trialIdentities, toolId, row.id);
    await audit(within(context, tx), 'subscription.adopted', { ...subjectOf(payer), after: { toolId } });
    return true;
  });
  if (adopted) await syncOldSubscription(context, id, () => Promise.resolve());
  return adopted;
}
