import type Stripe from 'stripe';
import { billOf, type BillRow } from '#shared/rules/billing/bill.ts';
import { type BillLine, type BillPart, gstIn } from '#shared/rules/billing/bill-types.ts';
import { plusDays, sydneyDate } from '#shared/rules/dates.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import { daysOf } from '#shared/rules/billing/part-month.ts';
import { audit } from '#server/audit/service.ts';
import { findTool, toolName } from '#server/catalogue/service.ts';
import { copyInvoice, copyStripeInvoice } from '#server/invoices/service.ts';
import {
  columnsOf,
  findPayerFacts,
  lockPayer,
  onFile,
  type Payer,
  subjectOf,
  teamPayer,
  userPayer,
} from '#server/payers/service.ts';
import { askStripe, idOf } from '#server/stripe/ask.ts';
import {
  endsWithPeriod,
  findStripeSubscription,
  isOver,
  itemsOf,
  periodOf,
  requireStripeSubscription,
} from '#server/stripe/bill-subscription.ts';
import { findInvoice, lineKey } from '#server/stripe/invoices.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { addRow, changeRow, queueMirror } from '../effects.ts';
import { adoptOld, unclaimed } from '../join/adopt-old.ts';
import { type Proration, waitingProrations } from '../join/at-stripe.ts';
import { isOld } from '../join/old-row.ts';
import { payerColumns, type SlotRow, slotsOf, type SubscriptionRow } from '../queries.ts';
import { billEndedAtStripe } from './advance.ts';
import { freeKey, readTerms } from './mirror.ts';
import { findAdjustment, findBillByInvoice, insertAdjustment, insertBill } from './queries-bills.ts';
import { type BillReading, readBill } from './read.ts';
import { settleBill } from './settle.ts';

const bills: readonly Stripe.Subscription.Status[] = ['trialing', 'active', 'past_due', 'unpaid'];

export const isBilling = ({ status }: Stripe.Subscription): boolean => bills.includes(status);

const at = (seconds: number) => new Date(seconds * 1000);

type Lost = { subscription: Stripe.Subscription; payer: Payer; invoices: Stripe.Invoice[]; waiting: Proration[] };

/**
 * Rebuilds a payer's bill that Stripe has and this database lost, as after restoring an older dump: the bill itself, a row for each tool
 * on it at its own price, what waits for its next invoice, and its invoices. Where it belongs to nobody here, stands beside another bill,
 * or charges what nothing here explains, it is a fault for the administrators, since money is taken. False where nothing was lost.
 */
export async function adoptBill(context: Context, { id, metadata }: Stripe.Subscription): Promise<boolean> {
  const { rowId, userId, teamId } = metadata;
  if (!userId && !teamId) throw unclaimed(`${id} names no payer`);
  const payer = userId ? userPayer(userId) : teamPayer(teamId!);
  const subscription = await requireStripeSubscription(context, id);
  if (rowId) return adoptOld(context, payer, subscription);
  await endOlder(context, payer, id);
  const lost = await readLost(context, payer, subscription);
  const adopted = await transaction(context.db, (tx) => write(within(context, tx), lost));
  if (adopted?.billId) await settleBill(context, adopted.billId);
  return adopted !== null;
}

/** The bill that the database knows may have ended at Stripe since the dump. */
async function endOlder(context: Context, payer: Payer, id: string): Promise<void> {
  const known = (await findPayerFacts(context.db, payer))?.stripeSubscriptionId;
  const older = known && known !== id ? await findStripeSubscription(context, known) : null;
  if (older && isOver(older)) await billEndedAtStripe(context, payer, older);
}

async function readLost(context: Context, payer: Payer, subscription: Stripe.Subscription): Promise<Lost> {
  const { id, customer } = subscription;
  const { data } = await askStripe(context, (stripe) => stripe.invoices.list({ subscription: id, limit: 100 }));
  const invoices: Stripe.Invoice[] = [];
  for (const invoice of data) invoices.push((await findInvoice(context, invoice.id)) ?? invoice);
  const waiting = (await waitingProrations(context, idOf(customer) ?? '')).filter((one) => one.subscription === id);
  return { subscription, payer, invoices, waiting };
}

/** Null where another process has just written it. */
async function write(inside: Context, lost: Lost): Promise<{ billId: string | null } | null> {
  const { subscription, payer, waiting } = lost;
  const { id, customer, billing_cycle_anchor: anchor } = subscription;
  await lockPayer(inside.db, payer);
  const facts = await findPayerFacts(inside.db, payer);
  if (!facts) throw unclaimed(`${id} belongs to nobody in this database`);
  if (facts.stripeSubscriptionId === id) return null;
  if (facts.stripeSubscriptionId !== null) throw unclaimed(`${id} is billed beside ${facts.stripeSubscriptionId}`);
  const slots = await slotsOf(inside.db, payer);
  const rows = await writeRows(inside, lost, facts, slots);
  const state = { stripeSubscriptionId: id, billingAnchor: at(anchor), nextBillAt: periodOf(subscription).end };
  await onFile.storeBill(inside.db, payer, state);
  await refuseOtherPrices(inside, lost, slots);
  const customerId = idOf(customer);
  if (customerId && facts.stripeCustomerId === null) await onFile.claimCustomer(inside.db, payer, customerId, null);
  for (const one of waiting) await writeWaiting(inside, payer, one, rows, state.nextBillAt);
  const billId = await writeInvoices(inside, lost, rows);
  await queueMirror(inside, payer);
  return { billId };
}

/** A row for each tool on the bill; one that the dump has goes on. */
async function writeRows(
  inside: Context,
  { subscription, payer }: Lost,
  { members: quantity }: BillReading['facts'],
  slots: readonly SlotRow[],
): Promise<SubscriptionRow[]> {
  const { start, end } = periodOf(subscription);
  const hasBegun = subscription.status !== 'trialing';
  const rows: SubscriptionRow[] = [];
  for (const { toolId, cents: monthlyCents, terms } of itemsOf(subscription)) {
    const tool = toolId && (await findTool(inside.db, toolId));
    if (!tool) throw unclaimed(`${subscription.id} has a tool that is none of ours`);
    const slot = slots.find((row) => row.toolId === toolId);
    // Before its first month, what the dump has is as it was.
    if (slot && (isOld(slot) || !hasBegun)) {
      rows.push(slot);
      continue;
    }
    const values = {
      ...readTerms(terms),
      status: 'active' as const,
      isActive: true,
      endDate: end,
      stripeSubscriptionId: subscription.id,
      autoRenew: !endsWithPeriod(subscription),
      gracePeriodEnd: null,
      paymentProblem: null,
      ...(hasBegun && { periodStart: start, monthlyCents, quantity }),
    };
    const asSoldNow = { unitCents: centsOf(tool.basePrice), priceNumber: tool.priceNumber };
    const row = slot
      ? await changeRow(inside, slot, values)
      : await addRow(inside, {
          ...payerColumns(payer),
          toolId,
          createdAt: at(subscription.created),
          ...asSoldNow,
          ...values,
        });
    if (!row) throw new AppError('conflict');
    await audit(inside, 'subscription.adopted', { ...subjectOf(payer), after: { toolId } });
    rows.push(row);
  }
  return rows;
}

/** A tool of which neither Stripe nor the dump knows the price has today's; Stripe has to charge the same for it. */
async function refuseOtherPrices(inside: Context, lost: Lost, slots: readonly SlotRow[]): Promise<void> {
  const { subscription, payer, waiting } = lost;
  const { input } = await readBill(inside, payer);
  const isAdopted = (row: BillRow) => itemsOf(subscription).some(({ toolId }) => toolId === row.toolId);
  // Where it ends with its period, Stripe has the last amounts.
  const rows = input.rows.map((row) => (isAdopted(row) ? { ...row, autoRenew: true } : row));
  const { lines } = billOf({ ...input, rows }, periodOf(subscription).end);
  for (const { toolId, cents, terms } of itemsOf(subscription)) {
    if (readTerms(terms) || slots.some((row) => row.toolId === toolId)) continue;
    const free = waiting.filter(({ metadata }) => metadata['key'] === freeKey && metadata['toolId'] === toolId);
    const charged = free.reduce((sum, one) => sum + one.cents, cents);
    const own = lines.find((line) => line.toolId === toolId)?.cents ?? 0;
    if (own !== charged)
      throw unclaimed(`${subscription.id} charges ${charged} cents a month for ${toolId}, not ${own}`);
  }
}

/** An amount for part of a month; what it was for is known at Stripe in words only. */
function correctionOf(toolId: string, cents: number, [start, end]: [Date, Date], rows: readonly SubscriptionRow[]) {
  const days = { from: sydneyDate(start), to: sydneyDate(end), days: daysOf(start, end) + 1 };
  const subscriptionId = rows.find((row) => row.toolId === toolId)?.id ?? null;
  return { cause: 'correction' as const, subscriptionId, toolId, person: null, ...days, cents };
}

/** What waits for the next bill. */
async function writeWaiting(
  inside: Context,
  payer: Payer,
  { metadata: { key: id = '', toolId = '' }, from, to, cents }: Proration,
  rows: readonly SubscriptionRow[],
  periodEnd: Date,
): Promise<void> {
  const tool = await findTool(inside.db, toolId);
  if (!tool || !/^[0-9a-f-]{36}$/.test(id) || (await findAdjustment(inside.db, id))) return;
  const part = { id, toolName: tool.name, ...correctionOf(toolId, cents, [from, to], rows) };
  await insertAdjustment(inside.db, payer, { ...part, periodEnd, createdAt: inside.now() });
}

/** The bill of the running month, and copies of all invoices. Answers a bill that is still to be paid. */
async function writeInvoices(inside: Context, lost: Lost, rows: readonly SubscriptionRow[]): Promise<string | null> {
  const { subscription, payer, invoices } = lost;
  const { start, end } = periodOf(subscription);
  let open: string | null = null;
  for (const invoice of invoices) {
    if (await findBillByInvoice(inside.db, invoice.id)) continue;
    const isRunning = invoice.id === idOf(subscription.latest_invoice) && invoice.total !== 0;
    const isOpen = invoice.status === 'draft' || invoice.status === 'open';
    if (!isRunning || subscription.status === 'trialing' || (!isOpen && invoice.status !== 'paid')) {
      await copyStripeInvoice(inside.db, invoice, { ...columnsOf(payer), subscriptionId: null, toolName: null });
      continue;
    }
    const amounts = { totalCents: invoice.amount_due, creditCents: invoice.total - invoice.amount_due };
    const charged = { at: start, until: end, ...(await chargedBy(inside, invoice, rows)), ...amounts };
    const bill = await insertBill(inside.db, payer, charged, {
      kind: 'month',
      status: isOpen ? 'issued' : 'paid',
      stripeSubscriptionId: subscription.id,
      stripeInvoiceId: invoice.id,
      createdAt: inside.now(),
    });
    if (bill) await copyInvoice(inside.db, invoice, bill);
    if (bill && isOpen) open = bill.id;
  }
  return open;
}

/** Lines and parts of a bill, from its invoice: what Stripe was told of discounts is in the amounts. */
async function chargedBy({ db }: Context, invoice: Stripe.Invoice, rows: readonly SubscriptionRow[]) {
  const lines: BillLine[] = [];
  const parts: BillPart[] = [];
  for (const line of invoice.lines.data) {
    const { amount: cents, period, metadata } = line;
    const { toolId: ofProduct, key } = lineKey(line);
    const toolId = ofProduct ?? metadata['toolId'] ?? '';
    const row = rows.find((one) => one.toolId === toolId);
    const named = { toolName: await toolName(db, toolId), gstCents: gstIn(cents) };
    const part = correctionOf(toolId, cents, [at(period.start), at(period.end)], rows);
    if (!ofProduct || !row) parts.push({ ...part, ...named, id: key });
    else {
      const { id: subscriptionId, quantity } = row;
      const price = { quantity, unitCents: cents, baseCents: cents, discounts: [], cents };
      lines.push({ subscriptionId, toolId, ...named, ...price, from: part.from, to: plusDays(part.to, -1) });
    }
  }
  return { lines, parts, gstCents: [...lines, ...parts].reduce((sum, { gstCents }) => sum + gstCents, 0) };
}
