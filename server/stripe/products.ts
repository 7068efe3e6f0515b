import type Stripe from 'stripe';
import { alreadyExists, type Asking, askOnce, askStripe, knownObjects, nullIf } from './ask.ts';

/** Makes an object once: simultaneous callers share the call, and after a failure the next caller tries again. */
function ensureOnce({ payments }: Asking, name: string, make: () => Promise<string>): Promise<string> {
  const objects = knownObjects(payments);
  const existing = objects.get(name);
  if (existing) return existing;
  const made = make();
  objects.set(name, made);
  made.catch(() => objects.delete(name));
  return made;
}

export const productId = (toolId: string) => `tool_${toolId}`;

/** A tool as a product; what it costs stands on each invoice. */
export const ensureProduct = (context: Asking, tool: { id: string; name: string }) =>
  ensureOnce(context, `product:${tool.id}`, async () => {
    const id = productId(tool.id);
    const params = { id, name: tool.name, metadata: { toolId: tool.id } };
    await askStripe(context, (stripe) => stripe.products.create(params)).catch(nullIf(alreadyExists));
    return id;
  });

/** Gives a tool's product the tool's present name, for invoices to come. */
export const nameProduct = async (context: Asking, tool: { id: string; name: string }): Promise<void> => {
  const id = await ensureProduct(context, tool);
  const { name } = await askStripe(context, (stripe) => stripe.products.retrieve(id));
  if (name !== tool.name) await askStripe(context, (stripe) => stripe.products.update(id, { name: tool.name }));
};

const gst = { display_name: 'GST', percentage: 10, inclusive: true, country: 'AU', tax_type: 'gst' } as const;

/** We can't choose a tax rate's id, so ours are found by their metadata, newest first. Archived ones apply to nothing new. */
async function gstRates(context: Asking): Promise<Stripe.TaxRate[]> {
  const rates = await askStripe(context, (stripe) => stripe.taxRates.list({ inclusive: true, limit: 100 }));
  return rates.data.filter((rate) => rate.metadata?.kind === 'au-gst-10' && rate.percentage === gst.percentage);
}

export const findGst = async (context: Asking): Promise<Stripe.TaxRate | null> =>
  (await gstRates(context)).find(({ active }) => active) ?? null;

/** Australian GST, 10% included in the price. */
export const ensureGst = (context: Asking) =>
  ensureOnce(context, 'gst', async () => {
    const rates = await gstRates(context);
    const found = rates.find(({ active }) => active);
    if (found) return found.id;
    const rate = await askOnce(
      context,
      `tax-rate:au-gst-10${rates[0] ? `:after:${rates[0].id}` : ''}`,
      (stripe, options) => stripe.taxRates.create({ ...gst, metadata: { kind: 'au-gst-10' } }, options),
      () => findGst(context),
    );
    return rate.id;
  });
