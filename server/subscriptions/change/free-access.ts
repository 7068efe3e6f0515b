import { billAfter, type BillInput, type BillRow, priceAt } from '#shared/rules/billing/bill.ts';
import { priceChanges } from '#shared/rules/billing/forecast.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import { noticeDays } from '#shared/rules/billing/own-price.ts';
import type { FreeMonths } from '#shared/rules/billing/pricing.ts';
import { graceMs } from '#shared/rules/billing/subscriptions.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { userPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { advance } from '../bill/advance.ts';
import { type BillReading, readBill } from '../bill/read.ts';
import { changeRow, queueMirror } from '../effects.ts';
import type { SlotRow, SubscriptionRow } from '../queries.ts';
import { tellFreeEnded } from '../tell/events.ts';

/** Costs nothing, and is on no bill. */
const isFree = ({ status, endDate, toolId }: BillRow | SlotRow) =>
  status === 'active' && endDate === null && toolId !== lostMoneyTool;

/**
 * What becomes dearer by our decision is told thirty days before: the bills until then charge nothing for the tool. Null where there is
 * no such bill.
 */
function freeDuringNotice({ freeMonths }: Pick<BillRow, 'freeMonths'>, { payer, now }: BillInput): FreeMonths | null {
  const told = plus(now, noticeDays * day);
  let until = payer.nextBillAt!;
  let months = 0;
  for (; until < told; months += 1) until = billAfter(until, payer);
  if (months === 0 || (freeMonths && new Date(freeMonths.until) >= until)) return freeMonths;
  return { months, from: payer.nextBillAt!.toISOString(), until: until.toISOString() };
}

/** What a tool that cost nothing becomes once free access is taken away: a line of the bill that there is, else in grace. */
function costingRow(row: BillRow, input: BillInput): BillRow {
  const { payer, now } = input;
  const isBilled = row.status === 'active' && row.endDate !== null && row.autoRenew;
  if (payer.nextBillAt === null)
    return isFree(row) ? { ...row, status: 'grace_period', gracePeriodEnd: plus(now, graceMs) } : row;
  const freeMonths = freeDuringNotice(row, input);
  if (isFree(row)) return { ...row, endDate: payer.nextBillAt, freeMonths };
  return isBilled ? { ...row, freeMonths } : row;
}

/** What a month of it costs, as if it were paid for, also while a suspension pauses charges. */
const monthOf = (row: BillRow, input: BillInput) =>
  priceAt(row, { ...input, payer: { ...input.payer, chargesPaused: false } }, input.now).totalCents;

/**
 * Has subscriptions follow free access, in the transaction that gives it or takes it away. With it, a bill's lines cost nothing. Without it
 * they cost their price again after thirty days; what is on no bill is in grace for seven. Answers whether the adviser is told of that.
 */
export async function freeAccessChanged(inside: Context, userId: string): Promise<boolean> {
  const payer = userPayer(userId);
  const reading = await advance(inside, payer);
  const { facts, slots } = reading;
  await queueMirror(inside, payer);
  if (!facts.freeAccess) return takeAway(inside, reading);
  for (const row of slots) {
    // In grace since free access ended: there is no invoice.
    if (row.status !== 'grace_period' || row.endDate !== null) continue;
    const free = { status: 'active' as const, monthlyCents: 0, gracePeriodEnd: null, paymentProblem: null };
    await changeRow(inside, row, free);
  }
  return slots.some(({ status, endDate, autoRenew }) => status === 'active' && endDate !== null && autoRenew);
}

async function takeAway(inside: Context, { facts, slots, input }: BillReading): Promise<boolean> {
  let inGrace: SubscriptionRow | null = null;
  let told = false;
  for (const billRow of input.rows) {
    const row = slots.find(({ id }) => id === billRow.id)!;
    const then = costingRow(billRow, input);
    const monthCents = monthOf(billRow, input);
    if (then === billRow || (isFree(row) && monthCents === 0)) continue;
    const { status, endDate, freeMonths, gracePeriodEnd } = then;
    const isOwed = status === 'grace_period';
    const after = await changeRow(inside, row, {
      status,
      endDate,
      freeMonths,
      gracePeriodEnd,
      ...(isFree(row) && (isOwed ? owedFrom(monthCents) : joinedFrom(row, facts.stripeSubscriptionId, inside.now()))),
    });
    if (!after) continue;
    told = true;
    if (isOwed) inGrace = after;
  }
  if (inGrace) await tellFreeEnded(inside, inGrace);
  return told;
}

const owedFrom = (cents: number) => ({
  monthlyCents: cents,
  paymentProblem: { invoiceId: '', amountCents: cents, reason: 'Your free access has ended.', needsAction: false },
});

/** It has the tool's price from then on, and is paid until the bill. */
const joinedFrom = (row: SlotRow, stripeSubscriptionId: string | null, periodStart: Date) => ({
  unitCents: centsOf(row.basePrice),
  priceNumber: row.toolPriceNumber,
  periodStart,
  stripeSubscriptionId,
});

/** A trial becomes a subscription at its end. */
const goingOn = (row: BillRow): BillRow =>
  row.status === 'trial' ? { ...row, status: 'active', endDate: row.trialEndDate } : row;

/** What giving or taking away free access would do to an adviser's own tools, before it is done. */
export async function freeAccessChanges(context: Context, userId: string, freeAccess: boolean) {
  const { input } = await readBill(context, userPayer(userId));
  const { nextBillAt } = input.payer;
  // A free tool as a line of nothing of the bill that there is, to be compared with what it will cost.
  const asNow = { ...input, rows: input.rows.map((row) => (isFree(row) ? { ...row, endDate: nextBillAt } : row)) };
  const then = { ...input, payer: { ...input.payer, freeAccess } };
  const decided = { ...then, rows: then.rows.map((row) => (freeAccess ? goingOn(row) : costingRow(row, then))) };
  const unpaid = freeAccess || nextBillAt !== null ? [] : input.rows.filter(isFree);
  return {
    /** From which bill on tools of theirs cost another amount. */
    changes: priceChanges(asNow, decided),
    /** Tools that nothing pays for yet: they would go into grace until the adviser starts to pay that much a month. */
    toStart: unpaid
      .map((row) => ({ toolName: row.toolName, monthlyCents: monthOf(row, decided) }))
      .filter(({ monthlyCents }) => monthlyCents > 0),
  };
}
