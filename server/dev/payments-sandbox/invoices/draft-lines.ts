import type Stripe from 'stripe';
import { embeddedList } from '../http/lists.ts';
import { idOf, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { reductions } from '../subscriptions/discounts.ts';
import { lineAmounts } from './amounts.ts';
import { totalsOf } from './build.ts';
import { lineOf, pendingEntry } from './lines.ts';

type Invoice = Objects['invoice'];
type Line = Stripe.InvoiceLineItem;

/** The invoice item that a line was made from, if it was. */
const invoiceItemOf = ({ parent }: Line): string | null =>
  parent?.invoice_item_details?.invoice_item ?? parent?.subscription_item_details?.invoice_item ?? null;

async function saveLines(store: Store, draft: Invoice, data: Line[]) {
  const { balance } = await store.get('customer', idOf(draft.customer ?? ''));
  const lines = embeddedList(data, draft.lines.url);
  return store.save<Invoice>({ ...draft, lines, ...totalsOf(data, balance) }, 'invoice.updated');
}

/** Makes an item the last line of a draft, or brings the line that it has up to date. */
export async function putOnDraft(store: Store, draft: Invoice, item: Objects['invoiceitem']): Promise<Invoice> {
  const entry = pendingEntry(item, draft.default_tax_rates);
  const discounts = await Promise.all(draft.discounts.map((discount) => store.get('discount', idOf(discount))));
  const [amounts] = lineAmounts([entry], await reductions(store, discounts));
  const line = lineOf(draft, entry, amounts!);
  const { data } = draft.lines;
  const known = data.some((one) => invoiceItemOf(one) === item.id);
  const updated = data.map((one) => (invoiceItemOf(one) === item.id ? { ...line, id: one.id } : one));
  return saveLines(store, draft, known ? updated : [...data, line]);
}

export const takeOffDraft = (store: Store, draft: Invoice, item: string): Promise<Invoice> =>
  saveLines(
    store,
    draft,
    draft.lines.data.filter((line) => invoiceItemOf(line) !== item),
  );
