import type Stripe from 'stripe';
import { taxRates } from '../account.ts';
import { notWhole, required, SandboxError } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { newObject } from '../store/new-object.ts';
import { decimal, idOf, mergeMetadata, newId, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { saveLines } from './build.ts';
import { lineOf, pendingEntry } from './lines.ts';

type Item = Objects['invoiceitem'];

/** A draft holds no more, nor do those that wait for a customer's next invoice. */
const MOST_ITEMS = 250;

/** Items can be changed until their invoice is final. */
async function draftOf(store: Store, invoice: Item['invoice'], param?: string): Promise<Objects['invoice'] | null> {
  const draft = invoice ? await store.get('invoice', idOf(invoice), param) : null;
  if (!draft || draft.status === 'draft') return draft;
  throw new SandboxError('This invoice is no longer editable', { code: 'invoice_not_editable' });
}

/** The subscription that an item names. What is over has no next invoice. */
async function parentOf(store: Store, id: string | undefined, customer: string): Promise<Item['parent']> {
  if (id === undefined) return null;
  const { status, customer: owner } = await store.get('subscription', id, 'subscription');
  if (idOf(owner) !== customer || status === 'canceled' || status === 'incomplete_expired')
    throw new SandboxError(`The customer has no running subscription ${id}.`, { param: 'subscription' });
  return { subscription_details: { subscription: id }, type: 'subscription_details' };
}

/** An amount that waits for an invoice, or is put on a draft as its last line. */
export const create = handle<Stripe.InvoiceItemCreateParams>(
  [
    'amount',
    'currency',
    'customer',
    'description',
    'discountable',
    'invoice',
    'metadata',
    'period',
    'subscription',
    'tax_behavior',
    'tax_rates',
  ],
  async (store, params) => {
    const { customer, amount, description, period = { start: store.at, end: store.at } } = params;
    if (!customer) throw required('customer');
    if (amount === undefined) throw required('amount');
    if (!Number.isInteger(amount)) throw notWhole('amount');
    if (period.end < period.start)
      throw new SandboxError('The end of a period must not be before its start.', { param: 'period[end]' });
    await store.get('customer', customer, 'customer');
    const draft = await draftOf(store, params.invoice ?? null, 'invoice');
    const beside = { equal: { customer, invoice: draft?.id ?? null } };
    if ((await store.select('invoiceitem', beside, { limit: MOST_ITEMS })).length === MOST_ITEMS)
      throw new SandboxError(`There can be up to ${MOST_ITEMS} items here.`, { param: 'invoice' });
    const item = newObject('invoiceitem', store.at, {
      amount,
      currency: params.currency ?? 'aud',
      customer,
      date: store.at,
      description,
      discountable: params.discountable ?? amount >= 0,
      invoice: draft?.id,
      metadata: mergeMetadata({}, params.metadata),
      parent: await parentOf(store, params.subscription, customer),
      period,
      // an amount has a price that nothing else has
      pricing: {
        price_details: { price: newId('price'), product: newId('product') },
        type: 'price_details',
        unit_amount_decimal: decimal(amount),
      },
      quantity: 1,
      quantity_decimal: decimal(1),
      tax_rates: await taxRates(store, params.tax_rates, 'tax_rates'),
    });
    await store.save(item, 'invoiceitem.created');
    if (draft) await saveLines(store, draft, [...draft.lines.data, lineOf(draft, pendingEntry(item))]);
    return item;
  },
);

export const del = handle<object>([], async (store, _params, id) => {
  const item = await store.get('invoiceitem', id);
  const draft = await draftOf(store, item.invoice);
  await store.remove(id);
  const stays = ({ parent }: Stripe.InvoiceLineItem) => parent?.invoice_item_details?.invoice_item !== id;
  if (draft) await saveLines(store, draft, draft.lines.data.filter(stays));
  await store.emit('invoiceitem.deleted', item);
  return { id, object: 'invoiceitem', deleted: true };
});
