import type { Context } from '#server/platform/context.ts';
import { isMissing } from '#server/platform/payments.ts';
import type { Payer } from './payer.ts';
import { asked, isRefusal } from './provider.ts';
import { customerDetails } from './queries-payer.ts';
import { readCard } from './read-card.ts';

/**
 * Takes every card given until then off the payer's customer, so that nothing is charged to it any more; a card given
 * since stays. The provider takes it off the subscriptions it paid, too. Repeating it is safe.
 */
export async function detachCards(context: Context, payer: Payer, until: Date): Promise<void> {
  const { stripeCustomerId: customer } = await customerDetails(context.db, payer);
  if (!customer) return;
  try {
    const cards = await asked(context, (stripe) => stripe.customers.listPaymentMethods(customer, { limit: 100 }));
    for (const { id, created } of cards.data) {
      if (created * 1000 > until.getTime()) continue;
      await asked(context, (stripe) => stripe.paymentMethods.detach(id)).catch((error: unknown) => {
        // Detached already, by whoever did this at the same time.
        if (!isRefusal(error)) throw error;
      });
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await readCard(context, payer, customer);
}
