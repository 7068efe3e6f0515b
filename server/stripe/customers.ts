import type Stripe from 'stripe';
import {
  claimCustomer,
  customerDetails,
  findAddress,
  metadataOf,
  type Payer,
  payerKey,
} from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { memoOf } from '#server/platform/memo.ts';
import { askStripe, askStripeIfThere, isRefusal } from './ask.ts';

/**
 * The payer's customer at Stripe. Two replicas may both get here: the idempotency key makes it one customer, and the column
 * is only set while empty. A customer that Stripe does not know (this database had other keys) is replaced.
 */
export async function ensureCustomer(context: Context, payer: Payer): Promise<string> {
  const details = await customerDetails(context.db, payer);
  const before = details.stripeCustomerId;
  if (before !== null && (await customerExists(context, before))) return before;
  if (before !== null) context.log.warn({ payer, customer: before }, 'Stripe does not know this customer');
  const forgotten = before === null ? await findForgottenCustomer(context, payer, details.email) : null;
  if (forgotten !== null) return forgotten;
  const metadata = metadataOf(payer);
  const idempotencyKey = `customer:${payerKey(payer)}${before === null ? '' : `:after:${before}`}`;
  const { id } = await askStripe(context, (stripe) => stripe.customers.create({ metadata }, { idempotencyKey }));
  await writeDetails(context, payer, id);
  return claimCustomer(context.db, payer, id, before);
}

/** The payer's customer, where there is one here or at Stripe. */
export async function findCustomer(context: Context, payer: Payer): Promise<string | null> {
  const { stripeCustomerId, email } = await customerDetails(context.db, payer);
  return stripeCustomerId ?? findForgottenCustomer(context, payer, email);
}

/** One that Stripe has and we lost, as after a restore: found by its address, recognised by its metadata, and kept. */
async function findForgottenCustomer(context: Context, payer: Payer, email: string): Promise<string | null> {
  const { data } = await askStripe(context, (stripe) => stripe.customers.list({ email, limit: 100 }));
  const [key, id] = Object.entries(metadataOf(payer))[0]!;
  const found = data.find(({ metadata }) => metadata[key] === id);
  return found ? claimCustomer(context.db, payer, found.id, null) : null;
}

const knownCustomers = memoOf(() => new Set<string>());

/** Whether Stripe has the customer, asked once per process: they only disappear when deleted by hand. */
async function customerExists(context: Context, id: string): Promise<boolean> {
  const seen = knownCustomers(context.payments);
  if (seen.has(id)) return true;
  const customer = await askStripeIfThere(context, (stripe) => stripe.customers.retrieve(id));
  if (!customer || customer.deleted) return false;
  seen.add(id);
  return true;
}

/** Has a job update the Stripe customer, once the caller's change of name, address or ABN is committed. */
export const customerChanged = (context: Context, payer: Payer) =>
  context.queue.send(context.db, 'customer-details', { payer }, { singletonKey: payerKey(payer) });

/** Updates the customer that Stripe prints on receipts, where there is one. */
export async function refreshCustomer(context: Context, payer: Payer): Promise<void> {
  const { stripeCustomerId: id } = await customerDetails(context.db, payer);
  if (id !== null) await writeDetails(context, payer, id);
}

async function writeDetails(context: Context, payer: Payer, id: string): Promise<void> {
  const { email, name, mobile, abn } = await customerDetails(context.db, payer);
  const address = await findAddress(context.db, payer);
  const written = await askStripeIfThere(context, (stripe) =>
    stripe.customers.update(id, {
      email,
      name,
      ...(mobile && { phone: mobile }),
      ...(address && { address: stripeAddress(address) }),
    }),
  );
  if (written) await writeAbn(context, id, abn);
}

const stripeAddress = (address: NonNullable<Awaited<ReturnType<typeof findAddress>>>): Stripe.AddressParam => ({
  line1: address.line1,
  line2: address.line2 ?? '',
  city: address.city,
  state: address.state,
  postal_code: address.postcode,
  country: 'AU',
});

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

/**
 * Erases the person from their customer at Stripe: name, addresses, phone, tax ids and cards. The customer stays, with
 * the invoices that have to be kept. Repeating it is safe.
 */
export async function eraseCustomer(context: Context, payer: Payer): Promise<void> {
  const { stripeCustomerId: id } = await customerDetails(context.db, payer);
  if (!id) return;
  const ask = <T>(call: (stripe: Stripe) => Promise<T>) => askStripeIfThere(context, call);
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
