import type Stripe from 'stripe';
import type { Card } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { askStripe, askStripeIfThere, askStripeUnlessRefused, isRefusal } from './ask.ts';

/** Cards only, and never one of its own: a card that pays its invoice is attached to the customer, whose default pays. */
export const customersCardPays = {
  save_default_payment_method: 'off',
  payment_method_types: ['card'],
} satisfies Stripe.SubscriptionCreateParams.PaymentSettings;

/** What we keep of a card; null where the method is no card, or was not expanded. */
export function cardOf(method: Stripe.PaymentMethod | string | null | undefined): Card | null {
  if (!method || typeof method === 'string' || !method.card) return null;
  const { brand, last4, exp_month, exp_year } = method.card;
  return { cardBrand: brand, cardLast4: last4, cardExpMonth: exp_month, cardExpYear: exp_year };
}

const findCustomer = async (context: Context, customerId: string): Promise<Stripe.Customer | null> => {
  const customer = await askStripeIfThere(context, (stripe) =>
    stripe.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }),
  );
  return customer && !customer.deleted ? customer : null;
};

const defaultCardOf = (customer: Stripe.Customer | null): Stripe.PaymentMethod | null => {
  const method = customer?.invoice_settings.default_payment_method;
  return method && typeof method !== 'string' ? method : null;
};

/** In cents; negative where they owe what was too little to charge. */
const creditOf = (customer: Stripe.Customer | null): number => 0 - (customer?.balance ?? 0);

/** The customer's default card, null where there is none or no such customer, and what the next invoices are reduced by. */
export async function findCardAndCredit(
  context: Context,
  customerId: string | null,
): Promise<{ card: Stripe.PaymentMethod | null; creditCents: number }> {
  const customer = customerId === null ? null : await findCustomer(context, customerId);
  return { card: defaultCardOf(customer), creditCents: creditOf(customer) };
}

/** Makes this the card that pays: no subscription has one of its own. */
export const setDefaultCard = (context: Context, customerId: string, methodId: string) =>
  askStripe(context, (stripe) =>
    stripe.customers.update(customerId, { invoice_settings: { default_payment_method: methodId } }),
  );

const attachedMethods = async (context: Context, customerId: string): Promise<Stripe.PaymentMethod[]> =>
  (await askStripeIfThere(context, (stripe) => stripe.customers.listPaymentMethods(customerId, { limit: 100 })))
    ?.data ?? [];

/**
 * Makes the card that was given last the customer's default, wherever it was typed; of cards of one second the default stays.
 * `alone` is false where another one was the default or is still attached; `creditCents` is what the next invoices are reduced by.
 */
export async function keepNewestCard(
  context: Context,
  customerId: string,
): Promise<{ card: Stripe.PaymentMethod | null; alone: boolean; creditCents: number }> {
  for (let tries = 3; ; tries -= 1) {
    const [customer, methods] = await Promise.all([
      findCustomer(context, customerId),
      attachedMethods(context, customerId),
    ]);
    const current = defaultCardOf(customer);
    const creditCents = creditOf(customer);
    const isDefault = ({ id }: Stripe.PaymentMethod) => Number(id === current?.id);
    const [card = null] = methods
      .filter(({ type }) => type === 'card')
      .toSorted((a, b) => b.created - a.created || isDefault(b) - isDefault(a) || (a.id < b.id ? 1 : -1));
    if (!card || isDefault(card)) return { card, alone: methods.length <= 1, creditCents };
    try {
      await setDefaultCard(context, customerId, card.id);
      return { card, alone: false, creditCents };
    } catch (error) {
      // A still newer one has replaced it meanwhile, and it was detached.
      if (!isRefusal(error) || tries === 1) throw error;
    }
  }
}

/** Detaches those of a customer's cards that `which` picks; Stripe removes them from subscriptions too. */
export async function detachCards(
  context: Context,
  customerId: string,
  which: (card: Stripe.PaymentMethod) => boolean,
): Promise<void> {
  // Stripe refuses where another request detached it at the same time.
  for (const card of (await attachedMethods(context, customerId)).filter(which))
    await askStripeUnlessRefused(context, (stripe) => stripe.paymentMethods.detach(card.id));
}

/** Takes away the card that a subscription has of its own, so that the customer's pays it too. */
export async function letCustomersCardPay(context: Context, subscription: Stripe.Subscription): Promise<void> {
  const own = subscription.default_payment_method !== null;
  if (!own && subscription.payment_settings?.save_default_payment_method !== 'on_subscription') return;
  await askStripeUnlessRefused(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, { default_payment_method: '', payment_settings: customersCardPays }),
  );
}
