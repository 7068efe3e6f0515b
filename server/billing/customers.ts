import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { isMissing, type Payments } from '#server/platform/payments.ts';
import { payerKey, type Payer } from './payer.ts';
import { asked, isRefusal } from './provider.ts';
import { addressOf } from './queries-address.ts';
import { claimCustomer, customerDetails } from './queries-payer.ts';

/**
 * The payer's customer at the provider. Two replicas may both get here: the key makes it one customer, and the column
 * is set only while it is empty. One that the provider does not know (other keys on this database) is replaced.
 */
export async function ensureCustomer(context: Context, payer: Payer): Promise<string> {
  const details = await customerDetails(context.db, payer);
  const before = details.stripeCustomerId;
  if (before !== null && (await isThere(context, before))) return before;
  if (before !== null) context.log.warn({ payer, customer: before }, 'the provider does not know this customer');
  const metadata: Record<string, string> = payer.kind === 'user' ? { userId: payer.userId } : { teamId: payer.teamId };
  const idempotencyKey = `customer:${payerKey(payer)}${before === null ? '' : `:after:${before}`}`;
  const { id } = await asked(context, (stripe) => stripe.customers.create({ metadata }, { idempotencyKey }));
  await writeDetails(context, payer, id);
  return claimCustomer(context.db, payer, id, before);
}

const seen = new WeakMap<Payments, Set<string>>();

/** Asked once per process: what was there once stays, unless somebody deletes it by hand. */
async function isThere(context: Context, id: string): Promise<boolean> {
  const known = seen.get(context.payments) ?? new Set<string>();
  seen.set(context.payments, known);
  if (known.has(id)) return true;
  try {
    const { deleted } = await asked(context, (stripe) => stripe.customers.retrieve(id));
    if (!deleted) known.add(id);
    return !deleted;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Name, address or numbers of a payer have changed: their customer follows, in a job of the caller's transaction. */
export const customerChanged = (context: Context, payer: Payer) =>
  context.queue.send(context.db, 'customer-details', { payer }, { singletonKey: payerKey(payer) });

/** The customer as the provider prints it on receipts; nothing where there is none yet. */
export async function refreshCustomer(context: Context, payer: Payer): Promise<void> {
  const { stripeCustomerId: id } = await customerDetails(context.db, payer);
  if (id === null) return;
  try {
    await writeDetails(context, payer, id);
  } catch (error) {
    // Deleted there, or of other keys: the next purchase makes a new one.
    if (!isMissing(error)) throw error;
  }
}

async function writeDetails(context: Context, payer: Payer, id: string): Promise<void> {
  const { email, name, mobile, abn } = await customerDetails(context.db, payer);
  const address = await addressOf(context.db, payer);
  await asked(context, (stripe) =>
    stripe.customers.update(id, {
      email,
      name,
      ...(mobile && { phone: mobile }),
      ...(address && { address: asProviderAddress(address) }),
    }),
  );
  await writeAbn(context, id, abn);
}

const asProviderAddress = (address: NonNullable<Awaited<ReturnType<typeof addressOf>>>): Stripe.AddressParam => ({
  line1: address.line1,
  line2: address.line2 ?? '',
  city: address.city,
  state: address.state,
  postal_code: address.postcode,
  country: 'AU',
});

/** An ABN the provider does not like must not stand in the way of a purchase. */
async function writeAbn(context: Context, customer: string, abn: string | null): Promise<void> {
  try {
    const { data } = await asked(context, (stripe) => stripe.customers.listTaxIds(customer, { limit: 100 }));
    const held = data.filter(({ type }) => type === 'au_abn');
    for (const { id, value } of held)
      if (value !== abn) await asked(context, (stripe) => stripe.customers.deleteTaxId(customer, id));
    if (abn && !held.some(({ value }) => value === abn))
      await asked(context, (stripe) => stripe.customers.createTaxId(customer, { type: 'au_abn', value: abn }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    context.log.warn({ err: error, customer }, 'the provider refused an ABN');
  }
}
