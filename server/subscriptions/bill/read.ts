import {
  billAfter,
  type BillInput,
  billOf,
  type BillRow,
  lineOf,
  paidTools,
  priceAt,
  quantityOf,
  totalled,
} from '#shared/rules/billing/bill.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import type { Bill, BillLine } from '#shared/rules/billing/bill-types.ts';
import { centsOf } from '#shared/rules/billing/money.ts';
import { unitCentsAt } from '#shared/rules/billing/own-price.ts';
import { isFreeAt } from '#shared/rules/billing/pricing.ts';
import type { Forecast } from '#shared/api/billing.ts';
import { type Closing, closingOf, firstBillWith, forecastOf } from '#shared/rules/billing/forecast.ts';
import { priceDecisions, tierSchedule } from '#server/catalogue/service.ts';
import { type Payer, requirePayerFacts } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { pick, readTogether } from '#server/platform/data/database.ts';
import { type ListedRow, slotsOf, toBillRow } from '../queries.ts';
import { type BillRecord, openBillsOf, waitingAdjustments } from './queries-bills.ts';

/** Everything that a payer's bill is made of, read at one moment. */
export async function readBill(context: Context, payer: Payer) {
  const [facts, schedule, slots, waiting, decisions] = await readTogether(
    context.db,
    () => requirePayerFacts(context.db, payer),
    () => tierSchedule(context),
    () => slotsOf(context.db, payer),
    () => waitingAdjustments(context.db, payer),
    () => priceDecisions(context.db),
  );
  const input: BillInput = {
    payer: facts,
    tiers: schedule.tiers,
    rows: slots
      .filter(({ status }) => status !== 'incomplete')
      .map((row) => toBillRow(row, row.toolId === lostMoneyTool ? [] : decisions.get(row.toolId))),
    adjustments: waiting,
    now: context.now(),
  };
  return { payer, facts, slots, waiting, input };
}
export type BillReading = Awaited<ReturnType<typeof readBill>>;

/**
 * The first bill that one press buys where free access ended: every tool that is in grace without an invoice. Null where there is
 * none; whoever has a bill already finds such tools on it.
 */
export function billOfEndedAccess(input: BillInput): Bill | null {
  const { payer, now } = input;
  if (payer.nextBillAt !== null) return null;
  const isOwed = ({ status }: BillRow) => status === 'grace_period';
  const rows = input.rows.map((row) => (isOwed(row) ? { ...row, status: 'active' as const, endDate: now } : row));
  const { at, until, lines } = billOf({ ...input, rows, adjustments: [] }, now);
  const owed = lines.filter(({ subscriptionId: id }) => input.rows.some((row) => row.id === id && isOwed(row)));
  return owed.length === 0 ? null : totalled({ at, until, lines: owed, parts: [] }, payer.creditCents);
}

type Owed = NonNullable<Forecast['owed']>;

/** What one payment pays: the bills that were not paid, or what costs again since free access ended. */
function owedOf(input: BillInput, open: readonly BillRecord[]): Owed | null {
  const unpaid = open.filter(({ status }) => status === 'unpaid');
  const [first] = unpaid;
  if (first) {
    const { reason = '', needsAction = false } = first.problem ?? {};
    return {
      dueCents: unpaid.reduce((sum, { problem, totalCents }) => sum + (problem?.dueCents ?? totalCents), 0),
      reason,
      needsAction,
      tried: true,
      until: first.graceEnd!,
      lines: unpaid.flatMap(({ lines }) => lines),
      parts: unpaid.flatMap(({ parts }) => parts),
    };
  }
  const bill = billOfEndedAccess(input);
  const ends = input.rows.flatMap(({ status, gracePeriodEnd }) =>
    status === 'grace_period' && gracePeriodEnd ? [gracePeriodEnd.getTime()] : [],
  );
  return (
    bill && {
      dueCents: bill.totalCents,
      reason: 'Your free access has ended.',
      needsAction: false,
      tried: false,
      until: new Date(Math.min(...ends)),
      lines: bill.lines,
      parts: bill.parts,
    }
  );
}

/** A payer's coming bill, what ends and what is owed, from our own rows: no page waits for Stripe. */
export async function readMoney(context: Context, payer: Payer) {
  const [{ input, facts }, open] = await readTogether(
    context.db,
    () => readBill(context, payer),
    () => openBillsOf(context.db, payer),
  );
  return { input, facts, open, forecast: forecastOf(input), owed: owedOf(input, open) };
}
export type PayersMoney = Awaited<ReturnType<typeof readMoney>>;

/** Without a card nobody can be charged any more: what still waits is written off where everything ends at once. */
export const isUnpayable = (input: BillInput) => !input.payer.cardOnFile && closingOf(input).totalCents > 0;

/** What ending everything at once charges or pays back. It stops a bill that is not paid yet, and what waits is then of days that nobody paid for. */
export function closingNow(input: BillInput, open: readonly BillRecord[]): Closing {
  const isNothing = open.some(({ kind }) => kind !== 'closing') || isUnpayable(input);
  return isNothing ? { totalCents: 0, refundCents: 0 } : closingOf(input);
}

/** All that is to be charged to a payer: the forecast, what is owed, what is being charged, and what closing would charge. */
export async function billingForecast(context: Context, payer: Payer): Promise<Forecast> {
  const { input, facts, open, forecast, owed } = await readMoney(context, payer);
  const charged = open.find(({ status, totalCents }) => status !== 'unpaid' && totalCents > 0);
  return {
    ...forecast,
    owed,
    charging: charged ? pick(charged, 'at', 'totalCents', 'lines', 'parts') : null,
    closing: closingNow(input, open),
    card: facts.card,
    members: facts.members,
  };
}

/** The forecast without the card on file, for whoever takes a team over. */
export async function forecastWithoutCard(context: Context, payer: Payer): Promise<Forecast> {
  const { input } = await readBill(context, payer);
  const bare = forecastOf({ ...input, payer: { ...input.payer, cardOnFile: false } });
  return { ...(await billingForecast(context, payer)), ...bare, card: null };
}

/** What a subscription costs: its line on the first bill that has it, else what a month of it costs now. */
export function moneyOf(listed: ListedRow, { input, forecast, owed }: PayersMoney) {
  const row = input.rows.find(({ id }) => id === listed.id);
  const next = row && forecast.bill ? nextLine(row, forecast.bill, input) : null;
  const { line, at } = next ?? { line: monthNow(listed, row, input), at: null };
  return {
    quantity: line.quantity,
    baseCents: line.baseCents,
    discounts: line.discounts.map(({ kind, label, percent, cents }) => ({ kind, label, percent, cents })),
    monthlyCents: line.cents,
    nextBillAt: at,
    paidMonthCents: listed.isActive && listed.periodStart !== null ? listed.monthlyCents : null,
    afterOfferCents: row?.offer?.endsAt ? priceAt(row, input, new Date(row.offer.endsAt)).totalCents : null,
    nextPrice: row && next ? nextPriceOf(row, listed, next.at, input) : null,
    freeUntil: at && isFreeAt(listed.freeMonths, at) ? new Date(listed.freeMonths!.until) : null,
    paymentProblem: owed && {
      amountCents: owed.dueCents,
      reason: owed.reason,
      needsAction: owed.needsAction,
      tried: owed.tried,
    },
  };
}

export type Money = ReturnType<typeof moneyOf>;

/** The row's line on the first bill that has it: the coming one, or for a trial that ends after it a later one. */
function nextLine(row: BillRow, coming: Bill, input: BillInput): { line: BillLine; at: Date } | null {
  const lineOn = ({ lines }: Bill) => lines.find(({ subscriptionId }) => subscriptionId === row.id);
  const bill = lineOn(coming) ? coming : firstBillWith(row, input)?.bill;
  return bill ? { line: lineOn(bill)!, at: bill.at } : null;
}

/** What a month of it costs now, beside what there is; of what has ended, if it were bought again. */
function monthNow(listed: ListedRow, row: BillRow | undefined, input: BillInput): BillLine {
  const { now, payer } = input;
  const tools = row ? undefined : paidTools(input, null) + 1;
  const price = { unitCents: centsOf(listed.basePrice), number: 0 };
  const billed = row ?? { ...listed, price, decisions: [], offer: null, chosenUsers: null };
  return lineOf(billed, priceAt(billed, input, now, tools), now, now, quantityOf(payer, billed));
}

/** How many bills ahead a price that was announced is looked for: a rise is announced within a year. */
const billsAhead = 13;

/** The first unit price that differs from today's, and the first bill that asks for it. */
function nextPriceOf(
  { price, decisions }: BillRow,
  { periodStart, createdAt }: ListedRow,
  first: Date,
  { payer }: BillInput,
): Subscription['nextPrice'] {
  const beforeCents = unitCentsAt(price, decisions, periodStart ?? createdAt);
  const billingDay = payer.billingDay ?? first.getUTCDate();
  let from = first;
  for (let bill = 0; bill < billsAhead; bill += 1) {
    const unitCents = unitCentsAt(price, decisions, from);
    if (unitCents !== beforeCents) return { unitCents, beforeCents, from };
    from = billAfter(from, { billingDay });
  }
  return null;
}
