import { isRefund, noteText } from './notes.ts';
import type { Document } from './queries-documents.ts';

type Sum = { cents: number; gstCents: number };
const nothing: Sum = { cents: 0, gstCents: 0 };
const plus = (one: Sum, other: Sum): Sum => ({
  cents: one.cents + other.cents,
  gstCents: one.gstCents + other.gstCents,
});

/** What a payer paid in a financial year, in cents with GST, by the days of issue, as the year's list and CSV have it. */
export type Statement = {
  financialYear: number;
  /** The day in Sydney on which it was made. */
  madeOn: string;
  paid: Sum;
  refunded: Sum;
  /** Issued in the year, and not paid when this was made. */
  unpaidCents: number;
  /** What the paid invoices are for, and what was taken off them before they were paid; they add up to `paid`. */
  tools: (Sum & { name: string })[];
  /** Every paid invoice and every note, the oldest first; a note's amounts are below zero. */
  documents: (Sum & { issuedAt: Date; number: string; description: string })[];
};

const other = 'Other';
const takenOff = 'Taken off before it was paid';

type Line = Document['invoice']['lines'][number];
const sumOf = (line: Line): Sum => {
  const discounts = (line.discounts ?? []).reduce((total, { cents }) => total + cents, line.discountCents ?? 0);
  return { cents: line.cents - discounts, gstCents: line.gstCents ?? 0 };
};

/** An invoice's amounts by tool; what its lines don't say, as in old copies, is its only tool's or another's. */
function byTool({ lines, totalCents, gstCents }: Document['invoice'], nameOf: (toolId: string) => string) {
  const sums = new Map<string, Sum>();
  const add = (name: string, sum: Sum) => sums.set(name, plus(sums.get(name) ?? nothing, sum));
  for (const line of lines) add(line.toolId === undefined ? other : nameOf(line.toolId), sumOf(line));
  const said = [...sums.values()].reduce(plus, nothing);
  const rest = { cents: totalCents - said.cents, gstCents: gstCents - said.gstCents };
  if (rest.cents !== 0 || rest.gstCents !== 0) add(sums.size === 1 ? [...sums.keys()][0]! : other, rest);
  return sums;
}

export function statementOf(
  documents: readonly Document[],
  {
    financialYear,
    madeOn,
    nameOf,
  }: Pick<Statement, 'financialYear' | 'madeOn'> & { nameOf: (toolId: string) => string },
): Statement {
  const tools = new Map<string, Sum>();
  const statement: Statement = {
    financialYear,
    madeOn,
    paid: nothing,
    refunded: nothing,
    unpaidCents: 0,
    tools: [],
    documents: [],
  };
  for (const { invoice, note } of documents) {
    if (invoice.status !== 'paid') {
      if (!note && invoice.status === 'open') statement.unpaidCents += invoice.dueCents;
      continue;
    }
    const { totalCents, gstCents, issuedAt, number } = note ?? invoice;
    const sum = note ? { cents: -totalCents, gstCents: -gstCents } : { cents: totalCents, gstCents };
    const description = note ? noteText(invoice, note) : invoice.description;
    statement.documents.push({ issuedAt, number: number ?? invoice.stripeInvoiceId, description, ...sum });
    if (note && isRefund(invoice, note)) {
      statement.refunded = plus(statement.refunded, { cents: totalCents, gstCents });
      continue;
    }
    statement.paid = plus(statement.paid, sum);
    for (const [name, one] of note ? [[takenOff, sum] as const] : byTool(invoice, nameOf))
      tools.set(name, plus(tools.get(name) ?? nothing, one));
  }
  statement.tools = [...tools]
    .map(([name, sum]) => ({ name, ...sum }))
    .toSorted((a, b) => Number(a.name === other) - Number(b.name === other) || a.name.localeCompare(b.name, 'en-AU'));
  return statement;
}
