import type Stripe from 'stripe';

type Line = Pick<Stripe.InvoiceLineItem, 'id' | 'amount' | 'discount_amounts'>;
type Note = { lines: { data: Pick<Stripe.CreditNoteLineItem, 'amount' | 'invoice_line_item'>[]; has_more: boolean } };
type NoteLine = Stripe.CreditNoteCreateParams.Line;

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** What is left of a part of a line after its discounts, each rounded half up. */
const afterDiscounts = ({ amount, discount_amounts: discounts }: Line, part: number) =>
  part - sum((discounts ?? []).map((off) => Math.round((off.amount * part) / amount)));

/** Which part of a line, before its discounts, is these cents; null where no whole one is. */
function partOf(line: Line, cents: number, most: number): number | null {
  const near = Math.round((cents * line.amount) / afterDiscounts(line, line.amount));
  const fits = (part: number) => part <= most && afterDiscounts(line, part) === cents;
  return [near, near - 1, near + 1].find(fits) ?? null;
}

/**
 * The lines of a credit note that gives these cents back, largest first: for a line of the invoice Stripe computes the tax. None is
 * credited beyond what earlier notes left of it, and credits are not touched. Null where the lines can't be made to add up.
 */
export function creditedLines(lines: readonly Line[], notes: readonly Note[], cents: number): NoteLine[] | null {
  if (notes.some((note) => note.lines.has_more)) return null;
  const credited = notes.flatMap((note) => note.lines.data);
  const open = lines
    .map((line) => {
      const own = credited.filter(({ invoice_line_item: id }) => id === line.id);
      const most = line.amount - sum(own.map(({ amount }) => amount));
      return { line, most, cents: line.amount > 0 ? afterDiscounts(line, most) : 0 };
    })
    .filter((one) => one.cents > 0)
    .toSorted((a, b) => b.cents - a.cents);
  const chosen: NoteLine[] = [];
  let left = cents;
  for (const { line, most, cents: available } of open) {
    const taken = Math.min(left, available);
    if (taken === 0) break;
    const amount = partOf(line, taken, most);
    if (amount === null) return null;
    chosen.push({ type: 'invoice_line_item', invoice_line_item: line.id, amount });
    left -= taken;
  }
  return left === 0 ? chosen : null;
}
