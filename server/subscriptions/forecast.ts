import type { Forecast } from '#shared/api/billing.ts';
import { type BillInput, billOf, type BillRow, totalled } from '#shared/rules/billing/bill.ts';
import type { Bill } from '#shared/rules/billing/bill-types.ts';
import { type Closing, closingOf, forecastOf } from '#shared/rules/billing/forecast.ts';
import type { Payer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { readTogether } from '#server/platform/data/database.ts';
import { type BillRecord, openBillsOf } from './bill/queries-bills.ts';
import { readBill } from './bill/read.ts';

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
    charging: charged ? { at: charged.at, totalCents: charged.totalCents } : null,
    closing: closingNow(input, open),
    card: facts.card,
  };
}
