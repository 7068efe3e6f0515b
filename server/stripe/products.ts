import type Stripe from 'stripe';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context as WholeContext } from '#server/platform/context.ts';
import { memoOf } from '#server/platform/memo.ts';
import { alreadyExists, askStripe, isRefusal } from './ask.ts';

type Context = Pick<WholeContext, 'payments' | 'log'>;

/** What this process knows to exist at Stripe, so that a purchase does not ask again. */
const knownObjects = memoOf(() => new Map<string, Promise<string>>());

/** Makes an object once: simultaneous callers share the call, and after a failure the next caller tries again. */
function ensureOnce({ payments }: Context, name: string, make: () => Promise<string>): Promise<string> {
  const objects = knownObjects(payments);
  const existing = objects.get(name);
  if (existing) return existing;
  const made = make();
  objects.set(name, made);
  made.catch(() => objects.delete(name));
  return made;
}

/**
 * Whether Stripe refused a part of a subscription (price, coupon, tax rate): somebody archived or removed it after this
 * process saw it. Everything known is then forgotten, so the next attempt looks it up again.
 */
export function forgetIfGone({ payments }: Context, error: unknown): boolean {
  const gone = isRefusal(error) && /^(items|discounts|default_tax_rates)\b/.test(error.param ?? '');
  if (gone) knownObjects(payments).clear();
  return gone;
}

const unlessThere = (error: unknown) => {
  if (!alreadyExists(error)) throw error;
};

export const productId = (toolId: string) => `tool_${toolId}`;

const ensureProduct = (context: Context, tool: { id: string; name: string }) =>
  ensureOnce(context, `product:${tool.id}`, async () => {
    const id = productId(tool.id);
    await askStripe(context, (stripe) =>
      stripe.products.create({ id, name: tool.name, metadata: { toolId: tool.id } }).then(() => undefined, unlessThere),
    );
    return id;
  });

/** Gives a tool's product the tool's present name, for invoices to come. */
export const nameProduct = async (context: Context, tool: { id: string; name: string }): Promise<void> => {
  const id = await ensureProduct(context, tool);
  const { name } = await askStripe(context, (stripe) => stripe.products.retrieve(id));
  if (name !== tool.name) await askStripe(context, (stripe) => stripe.products.update(id, { name: tool.name }));
};

type Coupon = PurchaseAttempt['coupons'][number];

/** How a price differs from a monthly one of this amount with GST inside; null where it doesn't. */
export function priceFault(price: Stripe.Price, unitCents: number): string | null {
  const { unit_amount: cents, currency, recurring, tax_behavior: tax } = price;
  if (!price.active) return 'is archived';
  if (cents !== unitCents || currency !== 'aud') return `costs ${cents ?? '?'} ${currency} instead of ${unitCents} aud`;
  if (recurring?.interval !== 'month' || recurring.interval_count !== 1) return 'is not monthly';
  return tax === 'inclusive' ? null : `has tax_behavior ${tax ?? 'none'} instead of inclusive`;
}

/** How a coupon differs from ours of the same id; null where it doesn't. */
export function couponFault(coupon: Stripe.Coupon, { percent, months }: Coupon): string | null {
  const is = [coupon.percent_off, coupon.duration, coupon.duration_in_months ?? null];
  const wanted = [percent, ...durationOf(months)];
  return is.every((value, index) => value === wanted[index])
    ? null
    : `takes ${is.filter((part) => part !== null).join(' ')} instead of ${wanted.filter((part) => part !== null).join(' ')}`;
}

const durationOf = (months: number | null) =>
  months === null
    ? (['forever', null] as const)
    : months === 1
      ? (['once', null] as const)
      : (['repeating', months] as const);

export const priceKey = (toolId: string, unitCents: number) => `${toolId}:monthly:aud:${unitCents}`;

/** The price that holds a lookup key, archived or not: an archived one keeps its key. */
export const findPrice = async (context: Context, key: string): Promise<Stripe.Price | null> =>
  (await askStripe(context, (stripe) => stripe.prices.list({ lookup_keys: [key] }))).data[0] ?? null;

/**
 * A monthly price including GST. Prices can't be changed at Stripe, so each amount has its own, with a lookup key; one that
 * was archived, or is not as it should be, hands its key to a new one.
 */
export const ensurePrice = (context: Context, tool: { id: string; name: string }, unitCents: number) =>
  ensureOnce(context, `price:${tool.id}:${unitCents}`, async () => {
    const key = priceKey(tool.id, unitCents);
    const usable = async () => {
      const price = await findPrice(context, key);
      return { price, right: price !== null && priceFault(price, unitCents) === null };
    };
    const found = await usable();
    if (found.price && found.right) return found.price.id;
    const product = await ensureProduct(context, tool);
    try {
      const price = await askStripe(context, (stripe) =>
        stripe.prices.create(
          {
            product,
            currency: 'aud',
            unit_amount: unitCents,
            recurring: { interval: 'month' },
            tax_behavior: 'inclusive',
            lookup_key: key,
            ...(found.price && { transfer_lookup_key: true }),
          },
          { idempotencyKey: `price:${key}${found.price ? `:after:${found.price.id}` : ''}` },
        ),
      );
      return price.id;
    } catch (error) {
      const taken = isRefusal(error) ? await usable() : null;
      if (taken?.price && taken.right) return taken.price.id;
      throw error;
    }
  });

/** Coupons have our own ids. A coupon can't be changed, so another percentage is another coupon. */
export const ensureCoupon = (context: Context, coupon: Coupon) =>
  ensureOnce(context, `coupon:${coupon.id}`, async () => {
    const { id, name, percent, months } = coupon;
    const [duration, duration_in_months] = durationOf(months);
    const made = await askStripe(context, (stripe) =>
      stripe.coupons
        .create({ id, name, percent_off: percent, duration, ...(duration_in_months && { duration_in_months }) })
        .catch(async (error: unknown) => {
          if (!alreadyExists(error)) throw error;
          return stripe.coupons.retrieve(id);
        }),
    );
    const fault = couponFault(made, coupon);
    if (fault === null) return id;
    context.log.error({ coupon: id, fault }, "Stripe's coupon is not ours");
    throw new AppError('payments_misconfigured');
  });

const gst = { display_name: 'GST', percentage: 10, inclusive: true, country: 'AU', tax_type: 'gst' } as const;

/** We can't choose a tax rate's id, so it is found by its metadata. */
export const findGst = async (context: Context): Promise<Stripe.TaxRate | null> => {
  const rates = await askStripe(context, (stripe) =>
    stripe.taxRates.list({ active: true, inclusive: true, limit: 100 }),
  );
  return rates.data.find((rate) => rate.metadata?.kind === 'au-gst-10' && rate.percentage === gst.percentage) ?? null;
};

/** Australian GST, 10% included in the price. */
export const ensureGst = (context: Context) =>
  ensureOnce(context, 'gst', async () => {
    const found = await findGst(context);
    if (found) return found.id;
    const rate = await askStripe(context, (stripe) =>
      stripe.taxRates.create({ ...gst, metadata: { kind: 'au-gst-10' } }, { idempotencyKey: 'tax-rate:au-gst-10' }),
    );
    return rate.id;
  });
