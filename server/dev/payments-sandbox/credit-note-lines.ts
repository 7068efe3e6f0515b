import type Stripe from 'stripe';
import { portion } from './amounts.ts';
import { decimal, idOf, newId, type Objects } from './objects.ts';
import { SandboxError, unsupported } from './sandbox-error.ts';
import type { Store } from './store.ts';

type Invoice = Objects['invoice'];
type Line = Stripe.CreditNoteLineItem;
type Tax = NonNullable<Line['taxes']>[number];
type Wanted = Stripe.CreditNoteCreateParams.Line;
/** `cents` is what the line gives back in the end: after discounts, with tax. */
export type CreditLine = { line: Line; cents: number };

const plain = {
  object: 'credit_note_line_item' as const,
  discount_amount: 0,
  discount_amounts: [],
  livemode: false,
  metadata: {},
  pretax_credit_amounts: [],
  quantity: 1,
  tax_rates: [],
};
const sum = (amounts: { amount: number }[]) => amounts.reduce((total, { amount }) => total + amount, 0);
const ratesOf = (store: Store, taxes: Tax[]): Promise<Stripe.TaxRate[]> =>
  Promise.all(taxes.map((tax) => store.get('tax_rate', tax.tax_rate_details?.tax_rate ?? '')));
const shareOf = (tax: Tax, part: number, whole: number): Tax => ({
  ...tax,
  amount: portion(tax.amount, part, whole),
  taxable_amount: tax.taxable_amount === null ? null : portion(tax.taxable_amount, part, whole),
});

/** A share of the whole invoice, without saying which line; shares add up to the invoice's own taxes. */
export async function shareLine(store: Store, invoice: Invoice, cents: number, before: number): Promise<CreditLine> {
  const taxes = (invoice.total_taxes ?? []).map((tax) => {
    const [until, already] = [shareOf(tax, before + cents, invoice.total), shareOf(tax, before, invoice.total)];
    const taxable = (until.taxable_amount ?? 0) - (already.taxable_amount ?? 0);
    return { ...tax, amount: until.amount - already.amount, taxable_amount: taxable };
  });
  const onTop = sum(taxes.filter((tax) => tax.tax_behavior === 'exclusive'));
  const line: Line = {
    ...plain,
    id: newId('credit_note_line_item'),
    amount: cents - onTop,
    description: `Credit for invoice ${invoice.number ?? invoice.id}`,
    tax_rates: await ratesOf(store, taxes),
    taxes,
    type: 'custom_line_item',
    unit_amount: cents - onTop,
    unit_amount_decimal: decimal(cents - onTop),
  };
  return { line, cents };
}

/** A line of the invoice, in part or whole: its own discounts and taxes go with it. */
export async function creditLine(store: Store, invoice: Invoice, wanted: Wanted): Promise<CreditLine> {
  if (wanted.type !== 'invoice_line_item') throw unsupported('credit notes with custom lines', 'lines[0][type]');
  const of = invoice.lines.data.find(({ id }) => id === wanted.invoice_line_item);
  if (!of)
    throw new SandboxError(`No such invoice line item: '${wanted.invoice_line_item ?? ''}'`, {
      status: 404,
      code: 'resource_missing',
      param: 'lines[0][invoice_line_item]',
    });
  const quantity = wanted.quantity ?? of.quantity ?? 1;
  const amount = wanted.amount ?? portion(of.amount, quantity, of.quantity ?? 1);
  if (amount < 1 || amount > of.amount)
    throw new SandboxError('The amount of a line must be positive and at most what was invoiced.', {
      param: 'lines[0][amount]',
    });
  const discounts = (of.discount_amounts ?? []).map((discount) => ({
    discount: idOf(discount.discount),
    amount: portion(discount.amount, amount, of.amount),
  }));
  const taxes = (of.taxes ?? []).map((tax) => shareOf(tax, amount, of.amount));
  const line: Line = {
    ...plain,
    id: newId('credit_note_line_item'),
    amount,
    description: of.description,
    discount_amount: sum(discounts),
    discount_amounts: discounts,
    invoice_line_item: of.id,
    pretax_credit_amounts: discounts.map((discount) => ({ ...discount, type: 'discount' as const })),
    quantity,
    tax_rates: await ratesOf(store, taxes),
    taxes,
    type: 'invoice_line_item',
    unit_amount: portion(amount, 1, quantity),
    unit_amount_decimal: decimal(portion(amount, 1, quantity)),
  };
  return { line, cents: amount - sum(discounts) + sum(taxes.filter((tax) => tax.tax_behavior === 'exclusive')) };
}
