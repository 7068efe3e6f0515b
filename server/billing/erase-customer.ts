import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { isMissing } from '#server/platform/payments.ts';
import { asked } from './provider.ts';
import { userPayer } from './payer.ts';
import { customerDetails } from './queries-payer.ts';

/**
 * Erases the person from their customer at the provider: name, addresses, phone, tax numbers and cards. The customer itself
 * stays, with the invoices that have to be kept. Repeating it is safe.
 */
export async function eraseCustomer(context: Context, userId: string): Promise<void> {
  const { stripeCustomerId: id } = await customerDetails(context.db, userPayer(userId));
  if (!id) return;
  const ask = async <T>(call: (stripe: Stripe) => Promise<T>): Promise<T | null> => {
    try {
      return await asked(context, call);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const customer = await ask((stripe) =>
    stripe.customers.update(id, { name: '', email: '', phone: '', description: '', address: '' }),
  );
  if (!customer) return;
  const [cards, taxIds] = await Promise.all([
    ask((stripe) => stripe.customers.listPaymentMethods(id, { limit: 100 })),
    ask((stripe) => stripe.customers.listTaxIds(id, { limit: 100 })),
  ]);
  for (const card of cards?.data ?? []) await ask((stripe) => stripe.paymentMethods.detach(card.id));
  for (const taxId of taxIds?.data ?? []) await ask((stripe) => stripe.customers.deleteTaxId(id, taxId.id));
}
