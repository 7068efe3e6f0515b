import type Stripe from 'stripe';
import { SandboxError, unsupported } from '../http/error.ts';
import { newObject } from '../store/new-object.ts';
import { decimal, idOf, type Made, type Objects } from '../store/objects.ts';
import type { Store } from '../store/store.ts';
import { portion, sum } from './amounts.ts';

type Invoice = Objects['invoice'];
type NoteLine = Made['credit_note_line_item'];
type Asked = NonNullable<Stripe.CreditNoteCreateParams['lines']>[number];

/** The line of a note by amount alone, which has no tax, whatever the invoice has. */
const lineByAmount = (invoice: Invoice, cents: number): NoteLine =>
  newObject('credit_note_line_item', 0, {
    amount: cents,
    description: `Credit for invoice ${invoice.number ?? invoice.id}`,
    quantity: 1,
    type: 'custom_line_item',
    unit_amount: cents,
    unit_amount_decimal: decimal(cents),
  });

/** One line of the invoice, or a part of it, with its share of discounts and taxes; never more than earlier notes left of it. */
async function creditedLine(store: Store, invoice: Invoice, earlier: NoteLine[], asked: Asked): Promise<NoteLine> {
  const { type, invoice_line_item: id, amount, ...strange } = asked;
  if (type !== 'invoice_line_item' || Object.keys(strange).length > 0 || amount === undefined)
    throw unsupported('lines of a credit note but those of the invoice, by amount', 'lines');
  const line = invoice.lines.data.find((one) => one.id === id);
  if (!line)
    throw new SandboxError(`No such invoice line item: '${id ?? ''}'`, { code: 'resource_missing', param: 'lines' });
  const left = line.amount - sum(earlier.filter((one) => one.invoice_line_item === id).map((one) => one.amount));
  if (amount < 1 || amount > left)
    throw new SandboxError(`The line's amount must be positive and at most ${left}.`, { param: 'lines[0][amount]' });
  const share = (cents: number) => portion(cents, amount, line.amount);
  const discounts = (line.discount_amounts ?? []).map((off) => ({
    amount: share(off.amount),
    discount: idOf(off.discount),
  }));
  const taxes = (line.taxes ?? []).map((tax) => ({
    ...tax,
    amount: share(tax.amount),
    taxable_amount: share(tax.taxable_amount ?? 0),
  }));
  const rates = taxes.map(({ tax_rate_details: details }) => store.get('tax_rate', details?.tax_rate ?? ''));
  return newObject('credit_note_line_item', 0, {
    amount,
    description: line.description,
    discount_amount: sum(discounts.map((off) => off.amount)),
    discount_amounts: discounts,
    invoice_line_item: line.id,
    pretax_credit_amounts: discounts.map((discount) => ({ ...discount, type: 'discount' as const })),
    tax_rates: await Promise.all(rates),
    taxes,
    type: 'invoice_line_item',
  });
}

/** The lines of a note: the invoice's own where it names them, else one for the amount. */
export async function noteLines(
  store: Store,
  invoice: Invoice,
  notes: Objects['credit_note'][],
  { amount, lines }: Pick<Stripe.CreditNoteCreateParams, 'amount' | 'lines'>,
): Promise<NoteLine[]> {
  if ((amount === undefined) === (lines === undefined))
    throw new SandboxError('You must provide one of `amount` or `lines`.', { param: 'amount' });
  if (!lines) return [lineByAmount(invoice, amount ?? 0)];
  const earlier = notes.flatMap((note) => note.lines.data);
  return Promise.all(lines.map((line) => creditedLine(store, invoice, earlier, line)));
}
