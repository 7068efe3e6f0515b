import type Stripe from 'stripe';
import type { BillLine, BillPart } from '#shared/rules/billing/bill-types.ts';
import { formatDays, formatSydneyDate } from '#shared/rules/dates.ts';
import type { bills, InvoiceLine } from '#shared/schema/billing.ts';
import { columnsOf, onFile, type Payer, payerOf } from '#server/payers/service.ts';
import { lineKey } from '#server/stripe/invoices.ts';
import type { Db } from '#server/platform/data/database.ts';
import { linesOfStripe } from './old-lines.ts';
import { isCopied, upsertInvoice } from './queries.ts';

type BillRecord = typeof bills.$inferSelect;

const at = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null);
const sum = (amounts: readonly { amount: number }[] | null | undefined) =>
  (amounts ?? []).reduce((total, { amount }) => total + amount, 0);

type Copied = { lines: InvoiceLine[]; description: string; subscriptionId?: string };

/** Stores or updates our copy; no copy is made of drafts, which are not invoices yet, nor of what asks for nothing. */
async function store(db: Db, payer: Payer, invoice: Stripe.Invoice, copied: Copied): Promise<void> {
  if (!invoice.id || invoice.status === 'draft' || invoice.status === null || invoice.total === 0) return;
  await upsertInvoice(db, {
    ...columnsOf(payer),
    ...copied,
    stripeInvoiceId: invoice.id,
    number: invoice.number,
    status: invoice.status,
    totalCents: invoice.total,
    gstCents: sum(invoice.total_taxes),
    amountPaidCents: invoice.amount_paid,
    dueCents: invoice.status === 'open' ? invoice.amount_remaining : 0,
    ...(!(await isCopied(db, invoice.id)) && { buyer: await onFile.buyerOf(db, payer) }),
    issuedAt: at(invoice.status_transitions.finalized_at) ?? new Date(invoice.created * 1000),
    paidAt: at(invoice.status_transitions.paid_at),
  });
}

/** Copies the invoice of a bill: what it is for is the bill's, money and GST are Stripe's. A purchase under way bills nobody yet. */
export async function copyInvoice(db: Db, invoice: Stripe.Invoice, bill: BillRecord): Promise<void> {
  if (bill.status === 'attempt') return;
  await store(db, payerOf(bill), invoice, { lines: linesOfBill(invoice, bill), description: descriptionOf(bill) });
}

/** Whose invoice it is that no bill has: sold by an older release, or made in Stripe's dashboard. */
export type InvoiceOwner = {
  userId: string | null;
  teamId: string | null;
  subscriptionId: string | null;
  /** Null where the invoice is for no tool; it then keeps Stripe's descriptions. */
  toolName: string | null;
};

/** Copies an invoice that no bill has, from Stripe's own lines. */
export async function copyStripeInvoice(db: Db, invoice: Stripe.Invoice, owner: InvoiceOwner): Promise<void> {
  const { toolName, subscriptionId } = owner;
  const lines = linesOfStripe(invoice, toolName);
  const name = toolName ?? lines[0]?.description ?? 'Invoice';
  const description = invoice.billing_reason === 'subscription_update' ? `${name}, change of members` : name;
  await store(db, payerOf(owner), invoice, { lines, description, ...(subscriptionId !== null && { subscriptionId }) });
}

/** `Fact Find AI, 1 to 9 Feb 2027`, `3 tools, 10 May to 9 Jun 2027`. */
function descriptionOf({ lines, parts, at: when }: BillRecord): string {
  const items = lines.length > 0 ? lines : parts;
  const [from, to] = [
    items.map((one) => one.from).toSorted()[0],
    items
      .map((one) => one.to)
      .toSorted()
      .at(-1),
  ];
  if (!from || !to) return `Bill of ${formatSydneyDate(when)}`;
  const tools = [...new Set(items.map(({ toolName }) => toolName))];
  return `${tools.length === 1 ? tools[0]! : `${tools.length} tools`}, ${formatDays(from, to)}`;
}

/** Lines of Stripe's for what a tool costs a month; amounts that take a free month off belong to them. */
const monthKey = (toolId: string) => `line:${toolId}`;

/** What a line of Stripe's is for: a tool's month, or the amount with that key; a correction of either belongs to it. */
export function billKeyOf(line: Stripe.InvoiceLineItem): { key: string; toolId: string } {
  const { toolId: ofProduct, key } = lineKey(line);
  const toolId = ofProduct ?? line.metadata['toolId'] ?? '';
  return { key: key === null || key === 'free' ? monthKey(toolId) : key.replace(/^mend:/, ''), toolId };
}

/** The bill's lines and parts, each with Stripe's figures of the lines that charge it. */
function linesOfBill(invoice: Stripe.Invoice, { lines, parts }: BillRecord): InvoiceLine[] {
  const wanted = [
    ...lines.map((line) => ({
      key: monthKey(line.toolId),
      toolId: line.toolId,
      cents: line.cents,
      line: ofMonth(line),
    })),
    ...parts.map((part) => ({ key: part.id ?? '', toolId: part.toolId, cents: part.cents, line: ofPart(part) })),
  ];
  // What has no line of its own shares one with others of its tool: a purchase, or one of very many changes of members.
  const known = new Set(wanted.map(({ key }) => key));
  const groups = new Map<string, Stripe.InvoiceLineItem[]>();
  for (const line of invoice.lines.data) {
    const { key, toolId } = billKeyOf(line);
    const group = known.has(key) && key !== '' ? key : `tool:${toolId}`;
    groups.set(group, [...(groups.get(group) ?? []), line]);
  }
  const groupOf = ({ key, toolId }: { key: string; toolId: string }) => (groups.has(key) ? key : `tool:${toolId}`);
  const left = new Map<string, { cents: number; gst: number }>();
  for (const one of wanted) {
    const gst = (groups.get(groupOf(one)) ?? []).reduce((total, { taxes }) => total + sum(taxes), 0);
    left.set(groupOf(one), { gst, cents: one.cents + (left.get(groupOf(one))?.cents ?? 0) });
  }
  return wanted.map((one) => {
    const group = groupOf(one);
    const rest = left.get(group)!;
    // Their GST is shared out so that it adds up.
    const gstCents = rest.cents === 0 ? 0 : Math.round((rest.gst * one.cents) / rest.cents);
    left.set(group, { cents: rest.cents - one.cents, gst: rest.gst - gstCents });
    const stripeLineId = groups.get(group)?.toSorted((a, b) => b.amount - a.amount)[0]?.id;
    return { ...one.line, gstCents, ...(stripeLineId && { stripeLineId }) };
  });
}

const ofMonth = ({
  toolName,
  quantity,
  baseCents,
  discounts,
  toolId,
  subscriptionId,
  from,
  to,
}: BillLine): InvoiceLine => ({
  description: `${toolName}, ${formatDays(from, to)}`,
  quantity: Math.max(1, quantity),
  cents: baseCents,
  ...(discounts.length > 0 && { discounts: discounts.map(({ label, cents }) => ({ label, cents })) }),
  toolId,
  subscriptionId,
  from,
  to,
});

function ofPart({ toolName, person, days, cents, toolId, subscriptionId, from, to }: BillPart): InvoiceLine {
  const whose = person === null ? '' : ` for ${person}`;
  const count = `${Math.abs(days)} ${Math.abs(days) === 1 ? 'day' : 'days'}`;
  const description = `${toolName}${whose}, ${formatDays(from, to)} (${count}${cents < 0 ? ', credit' : ''})`;
  return {
    description,
    quantity: 1,
    cents,
    toolId,
    ...(subscriptionId !== null && { subscriptionId }),
    from,
    to,
    days,
  };
}
