import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import type { Context } from '#server/platform/context.ts';
import { alreadyExists, type Payments } from '#server/platform/payments.ts';
import { asked, isRefusal } from './provider.ts';

/** What this process knows the provider to have, so that a purchase does not ask again. */
const known = new WeakMap<Payments, Map<string, Promise<string>>>();

/** Makes a thing once; simultaneous callers share the call, and a failure is forgotten. */
function ensured({ payments }: Context, name: string, make: () => Promise<string>): Promise<string> {
  const things = known.get(payments) ?? new Map<string, Promise<string>>();
  known.set(payments, things);
  const there = things.get(name);
  if (there) return there;
  const made = make();
  things.set(name, made);
  made.catch(() => things.delete(name));
  return made;
}

const unlessThere = (error: unknown) => {
  if (!alreadyExists(error)) throw error;
};

const ensureProduct = (context: Context, tool: { id: string; name: string }) =>
  ensured(context, `product:${tool.id}`, async () => {
    const id = `tool_${tool.id}`;
    await asked(context, (stripe) =>
      stripe.products.create({ id, name: tool.name, metadata: { toolId: tool.id } }).then(() => undefined, unlessThere),
    );
    return id;
  });

/** A monthly price, GST inside. Prices can't be changed: each amount has its own, found by its lookup key. */
export const ensurePrice = (context: Context, tool: { id: string; name: string }, unitCents: number) =>
  ensured(context, `price:${tool.id}:${unitCents}`, async () => {
    const key = `${tool.id}:monthly:aud:${unitCents}`;
    const find = async () =>
      (await asked(context, (stripe) => stripe.prices.list({ lookup_keys: [key], active: true }))).data[0]?.id;
    const found = await find();
    if (found) return found;
    const product = await ensureProduct(context, tool);
    try {
      const price = await asked(context, (stripe) =>
        stripe.prices.create(
          {
            product,
            currency: 'aud',
            unit_amount: unitCents,
            recurring: { interval: 'month' },
            tax_behavior: 'inclusive',
            lookup_key: key,
          },
          { idempotencyKey: `price:${key}` },
        ),
      );
      return price.id;
    } catch (error) {
      const taken = isRefusal(error) ? await find() : undefined;
      if (taken) return taken;
      throw error;
    }
  });

/** Deterministic ids; only name and metadata of a coupon can change, so another percentage is another coupon. */
export const ensureCoupon = (context: Context, coupon: PurchaseAttempt['coupons'][number]) =>
  ensured(context, `coupon:${coupon.id}`, async () => {
    const { id, name, percent, months } = coupon;
    const duration =
      months === null
        ? ({ duration: 'forever' } as const)
        : months === 1
          ? ({ duration: 'once' } as const)
          : ({ duration: 'repeating', duration_in_months: months } as const);
    await asked(context, (stripe) =>
      stripe.coupons.create({ id, name, percent_off: percent, ...duration }).then(() => undefined, unlessThere),
    );
    return id;
  });

/** Australian GST, 10% inside the price. Tax rates have no ids of our choosing: found by their metadata. */
export const ensureGst = (context: Context) =>
  ensured(context, 'gst', async () => {
    const rates = await asked(context, (stripe) => stripe.taxRates.list({ active: true, inclusive: true, limit: 100 }));
    const found = rates.data.find((rate) => rate.metadata?.kind === 'au-gst-10');
    if (found) return found.id;
    const rate = await asked(context, (stripe) =>
      stripe.taxRates.create(
        {
          display_name: 'GST',
          percentage: 10,
          inclusive: true,
          country: 'AU',
          tax_type: 'gst',
          metadata: { kind: 'au-gst-10' },
        },
        { idempotencyKey: 'tax-rate:au-gst-10' },
      ),
    );
    return rate.id;
  });
