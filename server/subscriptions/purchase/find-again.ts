import type { Payer } from '#server/payers/service.ts';
import { askStripe, findCustomer } from '#server/stripe/service.ts';
import type { Context } from '#server/platform/context.ts';
import { findSubscriptionByStripeId } from '../queries.ts';
import { isBilling } from '../sync/adopt.ts';
import { syncStripeSubscription } from '../sync/sync.ts';

/**
 * Takes over what Stripe bills for the payer's use of the tool and a restored database has forgotten, before it is bought a second
 * time; whether there was any.
 */
export async function findAgain(context: Context, payer: Payer, toolId: string): Promise<boolean> {
  const customer = await findCustomer(context, payer);
  if (customer === null) return false;
  const { data } = await askStripe(context, (stripe) => stripe.subscriptions.list({ customer, limit: 100 }));
  let found = false;
  for (const one of data) {
    if (one.metadata.toolId !== toolId || !isBilling(one)) continue;
    if (await findSubscriptionByStripeId(context.db, one.id)) continue;
    found = true;
    await syncStripeSubscription(context, one.id, () => Promise.resolve());
  }
  return found;
}
