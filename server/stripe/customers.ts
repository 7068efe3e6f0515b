import type Stripe from 'stripe';
import { onFile, type Payer, payerKey, requirePayerFacts } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { askOnce, askStripe, askStripeIfThere, askStripeUnlessRefused, isMissing, isRefusal } from './ask.ts';

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

type Details = Pick<Stripe.CustomerUpdateParams, 'email' | 'name' | 'phone' | 'address'>;

/** How many characters Stripe takes at most. */
const longestName = 256;
const longestPhone = 20;

type Address = NonNullable<Awaited<ReturnType<typeof onFile.findAddress>>>;

const stripeAddress = ({ line2, postcode, ...address }: Address): Stripe.AddressParam => ({
  ...address,
  line2: line2 ?? '',
  postal_code: postcode,
  country: 'AU',
});

/**
 * Writes what Stripe prints on receipts. None of it may stop a purchase, and Stripe has checks that we don't know: what it refuses is
 * empty there, so that no older value stays.
 */
async function writeDetails(context: Context, payer: Payer, id: string): Promise<void> {
  const { email, name, mobile, abn } = await requirePayerFacts(context.db, payer);
  const address = await onFile.findAddress(context.db, payer);
  const details: Details = {
    email,
    name: Array.from(name).slice(0, longestName).join(''),
    ...(mobile && { phone: Array.from(mobile).length <= longestPhone ? mobile : '' }),
    ...(address && { address: stripeAddress(address) }),
  };
  if (await writeAllTaken(context, id, details)) await writeAbn(context, id, abn);
}

/** False where Stripe has no such customer. */
async function writeAllTaken(context: Context, id: string, details: Details): Promise<boolean> {
  const write = (some: Details) => askStripe(context, (stripe) => stripe.customers.update(id, some));
  try {
    await write(details);
  } catch (error) {
    if (isMissing(error)) return false;
    if (!isRefusal(error)) throw error;
    for (const [detail, value] of Object.entries(details))
      await write({ [detail]: value }).catch(async (refusal: unknown) => {
        if (!isRefusal(refusal)) throw refusal;
        context.log.warn({ customer: id, detail, code: refusal.code }, 'Stripe refused a detail of a customer');
        await askStripeUnlessRefused(context, (stripe) => stripe.customers.update(id, { [detail]: '' }));
      });
  }
  return true;
}

/** An ABN that Stripe refuses must not stop a purchase. */
async function writeAbn(context: Context, customer: string, abn: string | null): Promise<void> {
  try {
    const { data } = await askStripe(context, (stripe) => stripe.customers.listTaxIds(customer, { limit: 100 }));
    const held = data.filter(({ type }) => type === 'au_abn');
    for (const { id, value } of held)
      if (value !== abn) await askStripe(context, (stripe) => stripe.customers.deleteTaxId(customer, id));
    if (abn && !held.some(({ value }) => value === abn))
      await askStripe(context, (stripe) => stripe.customers.createTaxId(customer, { type: 'au_abn', value: abn }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    context.log.warn({ err: error, customer }, 'Stripe refused an ABN');
  }
}

/** Has a job update the Stripe customer, once the caller's change of name, address or ABN is committed. */
export const customerChanged = (context: Context, payer: Payer) =>
  context.queue.send(context.db, 'customer-details', { payer }, { singletonKey: payerKey(payer) });

/** Updates the customer that Stripe prints on receipts, where there is one. */
export async function refreshCustomer(context: Context, payer: Payer): Promise<void> {
  const { stripeCustomerId: id } = await requirePayerFacts(context.db, payer);
  if (id !== null) await writeDetails(context, payer, id);
}

/** Erases the person at Stripe: name, addresses, phone, tax ids, cards. Customer and invoices stay. It may be repeated. */
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
