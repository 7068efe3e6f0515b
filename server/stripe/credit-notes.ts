import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { askOnce, askStripe, isRefusal } from './ask.ts';
import { findInvoice } from './invoices.ts';

type NoteLine = { type: 'invoice_line_item'; invoice_line_item: string; amount: number };

/** The notes of an invoice, voided ones too. */
export const notesOf = async (context: Context, invoice: string): Promise<Stripe.CreditNote[]> =>
  (await askStripe(context, (stripe) => stripe.creditNotes.list({ invoice, limit: 100 }))).data;

const isMadeBy =
  (key: string) =>
  ({ metadata }: Stripe.CreditNote) =>
    metadata?.['key'] === key;

/** Lines that come to these cents or as near below as they can, largest first; none beyond what earlier notes left of it. */
function linesFor(
  lines: readonly Stripe.InvoiceLineItem[],
  notes: readonly Stripe.CreditNote[],
  cents: number,
): NoteLine[] {
  const credited = notes.filter(({ status }) => status === 'issued').flatMap((note) => note.lines.data);
  let left = cents;
  return lines
    .map(({ id, amount }) => ({
      id,
      most: credited.filter((one) => one.invoice_line_item === id).reduce((most, one) => most - one.amount, amount),
    }))
    .filter(({ most }) => most > 0)
    .toSorted((a, b) => b.most - a.most)
    .flatMap(({ id, most }): NoteLine[] => {
      const amount = Math.min(most, left);
      left -= amount;
      return amount > 0 ? [{ type: 'invoice_line_item', invoice_line_item: id, amount }] : [];
    });
}

const sum = (lines: readonly NoteLine[]) => lines.reduce((total, { amount }) => total + amount, 0);

type Credit = { cents: number; key: string; memo: string };

/**
 * Takes an amount off an open invoice, by those of its lines that `isFor` picks, so that the tax is Stripe's figure. What earlier credit
 * has paid of it goes back to the customer's balance. Under one key it happens once. False where Stripe refused.
 */
export async function creditOpenInvoice(
  context: Context,
  invoice: Stripe.Invoice,
  { cents, key, memo }: Credit,
  isFor: (line: Stripe.InvoiceLineItem) => boolean,
): Promise<boolean> {
  const notes = await notesOf(context, invoice.id);
  if (notes.some(isMadeBy(key))) return true;
  const lines = linesFor(invoice.lines.data.filter(isFor), notes, cents);
  if (sum(lines) !== cents) throw new Error(`The invoice ${invoice.id} has no lines of ${cents} cents for ${key}`);
  const back = Math.max(0, cents - invoice.amount_remaining);
  const note = await makeNote(context, invoice.id, { lines, key, memo, ...(back > 0 && { credit_amount: back }) });
  return note !== null;
}

/**
 * Sends so much of what a card paid of an invoice back, or with `part` up to so much, and answers what went back. The note is by lines, so
 * that the GST in it is Stripe's figure; where they don't come to the sum, or Stripe refuses, it is by amount: an older release's lines
 * have discounts. Under one key it happens once; Stripe forgets keys after a day, but not the note.
 */
export async function refund(
  context: Context,
  invoiceId: string,
  { cents, key, memo }: Credit,
  { part = false } = {},
): Promise<number> {
  const notes = await notesOf(context, invoiceId);
  const made = notes.find(isMadeBy(key));
  if (made) return made.total;
  const invoice = await findInvoice(context, invoiceId);
  // What is paid back without a note of its own, or disputed, makes Stripe refuse.
  const paid = invoice ? invoice.amount_paid - invoice.post_payment_credit_notes_amount : 0;
  const back = part ? Math.min(cents, paid) : cents;
  if (!invoice || back <= 0) return 0;
  const lines = notes.some((note) => note.lines.has_more) ? [] : linesFor(invoice.lines.data, notes, back);
  const about = { key, memo, refund_amount: back };
  const note =
    (sum(lines) === back ? await makeNote(context, invoiceId, { lines, ...about }) : null) ??
    (await makeNote(context, invoiceId, { amount: back, ...about }));
  return note?.total ?? 0;
}

type NoteParams = Pick<Stripe.CreditNoteCreateParams, 'lines' | 'amount' | 'credit_amount' | 'refund_amount' | 'memo'>;

/** We mail about it ourselves. Null where Stripe refused. */
async function makeNote(
  context: Context,
  invoice: string,
  { key, ...params }: NoteParams & { key: string },
): Promise<Stripe.CreditNote | null> {
  const note = { invoice, metadata: { key }, email_type: 'none' as const, ...params };
  try {
    return await askOnce(
      context,
      `note:${invoice}:${key}${params.lines ? '' : ':amount'}`,
      (stripe, options) => stripe.creditNotes.create(note, options),
      async () => (await notesOf(context, invoice)).find(isMadeBy(key)) ?? null,
    );
  } catch (error) {
    if (!isRefusal(error)) throw error;
    context.log.warn({ err: error, invoice }, 'Stripe refused a credit note');
    return null;
  }
}
