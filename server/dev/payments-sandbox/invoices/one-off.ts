import type Stripe from 'stripe';
import { taxRates } from '../catalogue.ts';
import { required, SandboxError, unsupported } from '../http/error.ts';
import { handle } from '../http/handler.ts';
import { mergeMetadata, newId } from '../store/objects.ts';
import { HOUR } from '../subscriptions/periods.ts';
import { refuseStrange } from '../subscriptions/items.ts';
import { newInvoice } from './build.ts';
import { createItem, itemParams, takeUp } from './items.ts';

/** An invoice beside any subscription: an empty draft, which leaves alone what waits for the customer's bill. */
export const create = handle<Stripe.InvoiceCreateParams>(
  [
    'customer',
    'auto_advance',
    'collection_method',
    'currency',
    'default_tax_rates',
    'description',
    'metadata',
    'payment_settings',
    'pending_invoice_items_behavior',
  ],
  async (store, params) => {
    const { customer: id, description = null } = params;
    if (!id) throw required('customer');
    if (params.pending_invoice_items_behavior === 'include')
      throw unsupported('pending_invoice_items_behavior=include', 'pending_invoice_items_behavior');
    if (params.collection_method === 'send_invoice')
      throw unsupported('collection_method=send_invoice', 'collection_method');
    const customer = await store.get('customer', id, 'customer');
    const invoice = await newInvoice(store, newId('invoice'), id, {
      billing_reason: 'manual',
      currency: params.currency ?? customer.currency ?? 'aud',
      default_tax_rates: await taxRates(store, params.default_tax_rates, 'default_tax_rates'),
      description,
      finalizesAt: params.auto_advance ? store.at + HOUR : null,
      lines: [],
      metadata: mergeMetadata({}, params.metadata),
      parent: null,
      period_end: store.at,
      period_start: store.at,
    });
    return store.save(invoice, 'invoice.created');
  },
);

/** Each line is an invoice item: a new one, or one that waits. */
export const addLines = handle<Stripe.InvoiceAddLinesParams>(['lines'], async (store, { lines }, invoice) => {
  for (const line of lines) {
    refuseStrange(line, line.invoice_item === undefined ? [...itemParams] : ['invoice_item'], 'lines[0]');
    if (line.invoice_item === undefined)
      await createItem(store, { ...(line as Stripe.InvoiceItemCreateParams), invoice });
    else await takeUp(store, line.invoice_item, invoice);
  }
  return store.get('invoice', invoice);
});

/** Only a draft that no subscription has made. Its items go with it. */
export const del = handle<object>([], async (store, _params, id) => {
  const invoice = await store.get('invoice', id);
  if (invoice.status !== 'draft' || invoice.parent)
    throw new SandboxError('You can only delete draft invoices that are not for a subscription.', {
      code: 'invoice_not_editable',
    });
  for (const item of await store.select('invoiceitem', { equal: { invoice: id } })) await store.remove(item.id);
  await store.remove(id);
  await store.emit('invoice.deleted', invoice);
  return { id, object: 'invoice', deleted: true };
});
