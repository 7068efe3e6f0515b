import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { isMissing } from '#server/platform/payments.ts';
import { asCard, type Card } from './cards.ts';
import type { Payer } from './payer.ts';
import { asked } from './provider.ts';
import { storeCard } from './queries-payer.ts';

/** Reads the customer's default card and keeps what the Billing tab shows of it; null where there is none. */
export async function readCard(
  context: Context,
  payer: Payer,
  customerId: string,
): Promise<Stripe.PaymentMethod | null> {
  const customer = await retrieveCustomer(context, customerId);
  const method = customer?.invoice_settings.default_payment_method;
  const card: (Card & { methodId: string }) | null = method && typeof method !== 'string' ? asCard(method) : null;
  await storeCard(context.db, payer, card);
  return method && typeof method !== 'string' ? method : null;
}

async function retrieveCustomer(context: Context, id: string): Promise<Stripe.Customer | null> {
  try {
    const customer = await asked(context, (stripe) =>
      stripe.customers.retrieve(id, { expand: ['invoice_settings.default_payment_method'] }),
    );
    return customer.deleted ? null : customer;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
