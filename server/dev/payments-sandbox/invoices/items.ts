import type Stripe from 'stripe';
import { inlinePrice, taxRates } from '../catalogue.ts';
import { notWhole, required, SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { newObject } from '../store/new-object.ts';
import { decimal, idOf, idOrNull, mergeMetadata, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { putOnDraft, takeOffDraft } from './draft-lines.ts';

type Item = Objects['invoiceitem'];
type CreateParams = Stripe.InvoiceItemCreateParams;
type Priced = Pick<CreateParams, 'amount' | 'price_data' | 'unit_amount_decimal' | 'quantity'>;

/** A draft holds no more, nor do those that wait for a customer's next invoice. */
const MOST_ITEMS = 250;

/** Items can be changed until their invoice is final. */
async function draftOf(store: Store, invoice: Item['invoice'], param?: string): Promise<Objects['invoice'] | null> {
  const draft = invoice ? await store.get('invoice', idOf(invoice), param) : null;
  if (!draft || draft.status === 'draft') return draft;
  throw new SandboxError('This invoice is no longer editable', { code: 'invoice_not_editable' });
}

/** Cents for the whole item, and how they are made up: an amount, a price in full, or a unit amount. Only a price is never negative. */
async function pricingOf(store: Store, params: Priced): Promise<Pick<Item, 'amount' | 'pricing' | 'quantity'>> {
  const { amount, price_data: data, unit_amount_decimal: decimals, quantity = 1 } = params;
  const ways = [amount, data, decimals].filter((way) => way !== undefined).length;
  if (ways === 0) throw required('amount');
  if (ways > 1 || (amount !== undefined && params.quantity !== undefined))
    throw new SandboxError(
      'You may only specify one of these parameters: amount, price_data, unit_amount_decimal; quantity goes with the last two.',
      { param: 'amount' },
    );
  if (amount !== undefined && !Number.isInteger(amount)) throw notWhole('amount');
  if (!Number.isInteger(quantity) || quantity < 0) throw notWhole('quantity');
  const price = data && (await inlinePrice(store, data));
  const each = amount ?? price?.unit_amount ?? Number(decimals);
  if (!Number.isFinite(each)) throw notWhole('unit_amount_decimal', 'decimal');
  return {
    amount: Math.sign(each) * Math.round(Math.abs(each) * quantity),
    pricing: {
      // what has no price of its own gets one that nothing else has
      price_details: { price: price?.id ?? newId('price'), product: data?.product ?? newId('product') },
      type: 'price_details',
      unit_amount_decimal: decimal(each),
    },
    quantity,
  };
}

function checkedPeriod(period: Item['period']): Item['period'] {
  if (period.end >= period.start) return period;
  throw new SandboxError('The end of a period must not be before its start.', { param: 'period[end]' });
}

/** The subscription that an item names. What is over has no next invoice. */
async function parentOf(store: Store, id: string | undefined, customer: string): Promise<Item['parent']> {
  if (id === undefined) return null;
  const { status, customer: owner } = await store.get('subscription', id, 'subscription');
  if (idOf(owner) !== customer || status === 'canceled' || status === 'incomplete_expired')
    throw new SandboxError(`The customer has no running subscription ${id}.`, { param: 'subscription' });
  return { subscription_details: { subscription: id }, type: 'subscription_details' };
}

export const itemParams = [
  'amount',
  'description',
  'discountable',
  'metadata',
  'period',
  'price_data',
  'quantity',
  'tax_behavior',
  'tax_rates',
  'unit_amount_decimal',
] as const;

export async function createItem(store: Store, params: CreateParams): Promise<Item> {
  const draft = await draftOf(store, params.invoice ?? null, 'invoice');
  const id = params.customer ?? idOrNull(draft?.customer);
  if (!id) throw required('customer');
  const customer = await store.get('customer', id, 'customer');
  if (draft && draft.customer !== id)
    throw new SandboxError('The invoice is of another customer.', { param: 'invoice' });
  const beside = { equal: { customer: id, invoice: draft?.id ?? null } };
  if ((await store.select('invoiceitem', beside, { limit: MOST_ITEMS })).length === MOST_ITEMS)
    throw new SandboxError(`There can be up to ${MOST_ITEMS} items here.`, { param: 'invoice' });
  const currency = params.currency ?? params.price_data?.currency ?? draft?.currency ?? customer.currency;
  if (!currency) throw required('currency');
  const parent = await parentOf(store, params.subscription, id);
  const { amount, pricing, quantity } = await pricingOf(store, params);
  const item = newObject('invoiceitem', store.at, {
    amount,
    currency,
    customer: id,
    date: store.at,
    description: params.description,
    discountable: params.discountable ?? amount >= 0,
    discounts: [],
    invoice: draft?.id,
    metadata: mergeMetadata({}, params.metadata),
    parent,
    period: checkedPeriod(params.period ?? { start: store.at, end: store.at }),
    pricing,
    proration: false,
    quantity,
    quantity_decimal: decimal(quantity),
    tax_rates: await taxRates(store, params.tax_rates, 'tax_rates'),
  });
  await store.save(item, 'invoiceitem.created');
  if (draft) await putOnDraft(store, draft, item);
  return item;
}

/** Puts an item that waits on a draft of the same customer. */
export async function takeUp(store: Store, id: string, invoice: string) {
  const item = await store.get('invoiceitem', id, 'lines[0][invoice_item]');
  const draft = await draftOf(store, invoice);
  if (item.invoice !== null || draft?.customer !== item.customer)
    throw new SandboxError(`The invoice item ${id} can't be put on this invoice.`, { param: 'lines[0][invoice_item]' });
  await putOnDraft(store, draft, await store.save<Item>({ ...item, invoice }));
}

export const create = handle<CreateParams>(
  [...itemParams, 'customer', 'currency', 'invoice', 'subscription'],
  createItem,
);

export const update = handle<Stripe.InvoiceItemUpdateParams>(itemParams, async (store, params, id) => {
  const before = await store.get('invoiceitem', id);
  const draft = await draftOf(store, before.invoice);
  const { amount, price_data, quantity, unit_amount_decimal, description, discountable, period } = params;
  const priced = [amount, price_data, unit_amount_decimal].some((way) => way !== undefined);
  if (quantity !== undefined && !priced) throw unsupported('another quantity without a price', 'quantity');
  if (discountable && before.proration)
    throw new SandboxError('A proration can’t be discountable.', { param: 'discountable' });
  const item = await store.save<Item>({
    ...before,
    ...(priced && (await pricingOf(store, params))),
    description: description ?? before.description,
    discountable: discountable ?? before.discountable,
    metadata: mergeMetadata(before.metadata, params.metadata),
    period: checkedPeriod(period ?? before.period),
    ...(params.tax_rates !== undefined && { tax_rates: await taxRates(store, params.tax_rates, 'tax_rates') }),
  });
  if (draft) await putOnDraft(store, draft, item);
  return item;
});

export const del = handle<object>([], async (store, _params, id) => {
  const item = await store.get('invoiceitem', id);
  const draft = await draftOf(store, item.invoice);
  await store.remove(id);
  if (draft) await takeOffDraft(store, draft, id);
  await store.emit('invoiceitem.deleted', item);
  return { id, object: 'invoiceitem', deleted: true };
});
