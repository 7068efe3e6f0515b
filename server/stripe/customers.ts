import type Stripe from 'stripe';
import { onFile, type Payer, payerKey, requirePayerFacts } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { askOnce, askStripe, askStripeIfThere, askStripeUnlessRefused, isRefusal } from './ask.ts';
import { writeAbn, writeDetails } from './customer-details.ts';

/** The payer as metadata of Stripe's objects. */
export const metadataOf = (payer: Payer): Record<string, string> =>
  payer.kind === 'user' ? { userId: payer.userId } : { teamId: payer.teamId };

/**
 * The payer's customer at Stripe. Two replicas may both get here: the idempotency key makes it one customer, and the column
 * is only written where it has not changed meanwhile. A customer that Stripe does not know (as after other keys) is replaced.
 */
export async function ensureCustomer(context: Context, payer: Payer): Promise<string> {
  const before = await findCustomer(context, payer);
  if (before !== null && (await customerExists(context, before))) return before;
  if (before !== null) context.log.warn({ payer, customer: before }, 'Stripe does not know this customer');
  const metadata = metadataOf(payer);
  const { id } = await askOnce(
    context,
    `customer:${payerKey(payer)}${before === null ? '' : `:after:${before}`}`,
    (stripe, options) => stripe.customers.create({ metadata }, options),
    // It is among the newest, and has no address yet by which it could be found.
    () => findCustomerOf(context, payer, { limit: 100 }),
  );
  await writeDetails(context, payer, id);
  return onFile.claimCustomer(context.db, payer, id, before);
}

/** The payer's customer. One that Stripe has and we lost, as after a restore, is found by email, recognised by its metadata, and stored. */
export async function findCustomer(context: Context, payer: Payer): Promise<string | null> {
  const { stripeCustomerId, email } = await requirePayerFacts(context.db, payer);
  if (stripeCustomerId !== null) return stripeCustomerId;
  const found = await findCustomerOf(context, payer, { email, limit: 100 });
  return found && onFile.claimCustomer(context.db, payer, found.id, null);
}

/** The first of these customers that is the payer's by its metadata. */
async function findCustomerOf(
  context: Context,
  payer: Payer,
  which: Stripe.CustomerListParams,
): Promise<Stripe.Customer | null> {
  const page = await askStripeUnlessRefused(context, (stripe) => stripe.customers.list(which));
  const [key, id] = Object.entries(metadataOf(payer))[0]!;
  return page?.data.find(({ metadata }) => metadata[key] === id) ?? null;
}

/** Whether Stripe has the customer now: somebody may delete it in the Dashboard at any time. */
async function customerExists(context: Context, id: string): Promise<boolean> {
  const customer = await askStripeIfThere(context, (stripe) => stripe.customers.retrieve(id));
  return customer !== null && !customer.deleted;
}

/** Has a job update the Stripe customer, once the caller's change of name, address or ABN is committed. */
export const customerChanged = (context: Context, payer: Payer) =>
  context.queue.send(context.db, 'customer-details', { payer }, { singletonKey: payerKey(payer) });

/** Updates the customer that Stripe prints on receipts, where there is one. */
export async function refreshCustomer(context: Context, payer: Payer): Promise<void> {
  const { stripeCustomerId: id } = await requirePayerFacts(context.db, payer);
  if (id !== null) await writeDetails(context, payer, id);
}

/**
 * Erases the person from their customer at Stripe: name, addresses, phone, tax ids and cards. The customer stays, with
 * the invoices that have to be kept. Repeating it is safe.
 */
export async function eraseCustomer(context: Context, payer: Payer): Promise<void> {
  const { stripeCustomerId: id } = await requirePayerFacts(context.db, payer);
  if (!id) return;
  const customer = await askStripeIfThere(context, (stripe) =>
    stripe.customers.update(id, { name: '', email: '', phone: '', description: '', address: '' }),
  );
  if (!customer) return;
  await detachCards(context, id, () => true);
  await writeAbn(context, id, null);
}

/** Cards only, and none of the subscription's own: a card that pays an invoice goes to the customer, whose default pays. */
export const customersCardPays = {
  save_default_payment_method: 'off',
  payment_method_types: ['card'],
} satisfies Stripe.SubscriptionCreateParams.PaymentSettings;

/** What we keep of a card. */
export function cardOf(method: Stripe.PaymentMethod | null) {
  if (!method?.card) return null;
  const { brand, last4, exp_month, exp_year } = method.card;
  return { cardBrand: brand, cardLast4: last4, cardExpMonth: exp_month, cardExpYear: exp_year };
}

type CardAndCredit = { card: Stripe.PaymentMethod | null; creditCents: number };

/** The default card and the credit in cents, which is negative where they owe an amount that was too small to charge. */
async function readCardAndCredit(context: Context, customerId: string): Promise<CardAndCredit> {
  const customer = await askStripeIfThere(context, (stripe) =>
    stripe.customers.retrieve(customerId, { expand: ['invoice_settings.default_payment_method'] }),
  );
  if (!customer || customer.deleted) return { card: null, creditCents: 0 };
  const method = customer.invoice_settings.default_payment_method;
  return { card: typeof method === 'string' ? null : method, creditCents: 0 - customer.balance };
}

/** The payer's default card at Stripe (null where there is none), and what reduces the next invoices. */
export async function findCardAndCredit(context: Context, payer: Payer): Promise<CardAndCredit> {
  const { stripeCustomerId: id } = await requirePayerFacts(context.db, payer);
  return id === null ? { card: null, creditCents: 0 } : readCardAndCredit(context, id);
}

/** Makes this the card that pays: no subscription has one of its own. */
export const setDefaultCard = (context: Context, customerId: string, methodId: string) =>
  askStripe(context, (stripe) =>
    stripe.customers.update(customerId, { invoice_settings: { default_payment_method: methodId } }),
  );

const attachedMethods = async (context: Context, customerId: string): Promise<Stripe.PaymentMethod[]> =>
  (await askStripeIfThere(context, (stripe) => stripe.customers.listPaymentMethods(customerId, { limit: 100 })))
    ?.data ?? [];

type Kept = { customer: string; card: Stripe.PaymentMethod | null; alone: boolean };

/**
 * Makes the newest card the payer's default, wherever it was typed, and stores it with the credit that reduces the next invoices; among
 * cards of the same second the default stays. `alone` is false where another card was the default or is still attached. Null where the
 * payer has no customer.
 */
export async function keepNewestCard(context: Context, payer: Payer): Promise<Kept | null> {
  const { stripeCustomerId: customer } = await requirePayerFacts(context.db, payer);
  if (customer === null) return null;
  for (let tries = 3; ; tries -= 1) {
    const [{ card: current, creditCents }, methods] = await Promise.all([
      readCardAndCredit(context, customer),
      attachedMethods(context, customer),
    ]);
    const isDefault = ({ id }: Stripe.PaymentMethod) => Number(id === current?.id);
    const [card = null] = methods
      .filter(({ type }) => type === 'card')
      .toSorted((a, b) => b.created - a.created || isDefault(b) - isDefault(a) || (a.id < b.id ? 1 : -1));
    const isNew = card !== null && !isDefault(card);
    try {
      if (isNew) await setDefaultCard(context, customer, card.id);
    } catch (error) {
      // A still newer card has replaced it meanwhile, and this one was detached.
      if (!isRefusal(error) || tries === 1) throw error;
      continue;
    }
    await onFile.storeCard(context.db, payer, cardOf(card), creditCents);
    return { customer, card, alone: !isNew && methods.length <= 1 };
  }
}

/** Detaches those of a customer's cards that `which` picks; Stripe removes them from subscriptions too. */
export async function detachCards(
  context: Context,
  customerId: string,
  which: (card: Stripe.PaymentMethod) => boolean,
): Promise<void> {
  // Stripe refuses where another request detaches the card at the same time.
  for (const card of (await attachedMethods(context, customerId)).filter(which))
    await askStripeUnlessRefused(context, (stripe) => stripe.paymentMethods.detach(card.id));
}

/** Removes the card that a subscription has of its own, so that the customer's default pays it too. */
export async function letCustomersCardPay(context: Context, subscription: Stripe.Subscription): Promise<void> {
  const own = subscription.default_payment_method !== null;
  if (!own && subscription.payment_settings?.save_default_payment_method !== 'on_subscription') return;
  await askStripeUnlessRefused(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, { default_payment_method: '', payment_settings: customersCardPays }),
  );
}
