import type { OpenedInvoice } from '#shared/api/operators/acts.ts';
import { formatCents, sumCents } from '#shared/rules/billing/money.ts';
import { formatSydneyDate, plus, second, sydneyDate } from '#shared/rules/dates.ts';
import { documents, isRefund } from '#server/invoices/service.ts';
import { payerOf } from '#server/payers/service.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import { requireInvoice } from './invoices.ts';

type Stored = NonNullable<Awaited<ReturnType<typeof forAdministrators.findBillByInvoice>>>;

/** `GET /api/admin/invoices/:id`: why somebody was charged this. */
export async function openInvoice(context: Context, id: string): Promise<OpenedInvoice> {
  const { db } = context;
  const invoice = await requireInvoice(context, id);
  const payer = payerOf(invoice);
  const [bill, notes, toldBefore] = await Promise.all([
    forAdministrators.findBillByInvoice(db, invoice.stripeInvoiceId),
    documents.notesOf(db, id),
    // Stripe's times are whole seconds; what a press told stands in the second of its invoice.
    forAdministrators.toldUntil(db, payer, plus(invoice.issuedAt, second)),
  ]);
  const before = bill && (await forAdministrators.monthBefore(db, payer, bill.at));
  return {
    number: invoice.number,
    totalCents: invoice.totalCents,
    bill: bill && {
      lines: bill.lines,
      parts: bill.parts,
      totalCents: bill.totalCents,
      difference: differenceOf(bill, before),
    },
    toldBefore,
    notes: notes.map((note) => ({ ...note, isRefund: isRefund(invoice, note) })),
  };
}

/** How a bill differs from the month before, the amount first. A purchase in between is not compared. */
function differenceOf(bill: Stored, before: Stored | null): string[] {
  const { kind, lines, parts, totalCents, at } = bill;
  if (kind === 'tool')
    return ['This tool was bought between two bills. It is charged for the days until the next bill.'];
  if (!before) return ['This is the first bill.'];
  const more = totalCents - before.totalCents;
  const than = `the bill of ${formatSydneyDate(before.at)} (${formatCents(before.totalCents)})`;
  const causes = forAdministrators.monthCauses(before.lines, { lines, day: sydneyDate(at) }, parts);
  const gone = sumCents(before.parts);
  return [
    more === 0
      ? `It is the same sum as ${than}.`
      : `It is ${formatCents(Math.abs(more))} ${more > 0 ? 'more' : 'less'} than ${than}.`,
    ...causes.map(({ text }) => text),
    ...(gone === 0 ? [] : [`That bill had ${formatCents(gone)} for parts of a month.`]),
    ...creditText('this bill', bill),
    ...creditText('that bill', before),
  ];
}

/** What an earlier credit took off a bill, or what was owed from before. */
function creditText(which: string, { creditCents }: Stored): string[] {
  if (creditCents === 0) return [];
  const cents = formatCents(Math.abs(creditCents));
  return [creditCents > 0 ? `Credit took ${cents} off ${which}.` : `${cents} owed from before stood on ${which}.`];
}
