import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { asked, idOf } from './provider.ts';

export type Card = {
  cardBrand: string;
  cardLast4: string;
  cardExpMonth: number;
  cardExpYear: number;
};

/** What we keep of a card; null for what is none, or was not asked for. */
export function asCard(method: Stripe.PaymentMethod | string | null): (Card & { methodId: string }) | null {
  if (!method || typeof method === 'string' || !method.card) return null;
  const { brand, last4, exp_month, exp_year } = method.card;
  return { methodId: method.id, cardBrand: brand, cardLast4: last4, cardExpMonth: exp_month, cardExpYear: exp_year };
}

/** The card that pays this subscription, where it has one of its own. */
export const cardOf = ({ default_payment_method: method }: Stripe.Subscription) => asCard(method);

/**
 * The provider keeps a card with the subscription it was given for. The first one becomes the customer's too, so that
 * the trials of the same payer convert with it.
 */
export async function makeDefaultCard(context: Context, subscription: Stripe.Subscription, methodId: string) {
  const customer = idOf(subscription.customer);
  if (!customer) return;
  await asked(context, (stripe) =>
    stripe.customers.update(customer, { invoice_settings: { default_payment_method: methodId } }),
  );
}
