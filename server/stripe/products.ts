import type Stripe from 'stripe';
import type { Context as WholeContext } from '#server/platform/context.ts';
import { memoOf } from '#server/platform/memo.ts';
import { alreadyExists, askOnce, askStripe } from './ask.ts';

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

const unlessThere = (error: unknown) => {
  if (!alreadyExists(error)) throw error;
};

export const productId = (toolId: string) => `tool_${toolId}`;

/** A tool as a product; what it costs stands on each invoice. */
export const ensureProduct = (context: Context, tool: { id: string; name: string }) =>
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
    const rate = await askOnce(
      context,
      'tax-rate:au-gst-10',
      (stripe, options) => stripe.taxRates.create({ ...gst, metadata: { kind: 'au-gst-10' } }, options),
      () => findGst(context),
    );
    return rate.id;
  });
