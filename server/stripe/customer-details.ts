import type Stripe from 'stripe';
import { onFile, type Payer, requirePayerFacts } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { askStripe, askStripeUnlessRefused, isMissing, isRefusal } from './ask.ts';

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
export async function writeDetails(context: Context, payer: Payer, id: string): Promise<void> {
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
export async function writeAbn(context: Context, customer: string, abn: string | null): Promise<void> {
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
