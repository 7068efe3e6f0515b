import type { Forecast as ShownForecast } from '#shared/api/billing.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { subscriptionsApi } from '#shared/api/subscriptions.ts';
import { type BillInput, billOf, type BillRow, totalled } from '#shared/rules/bill.ts';
import type { Bill } from '#shared/rules/bill-types.ts';
import { type Closing, closingOf, type Forecast, forecastOf, priceChanges } from '#shared/rules/forecast.ts';
import { cancellationTerms } from '#shared/rules/cancellation.ts';
import { subscriptionCan } from '#shared/rules/subscriptions.ts';
import { type Payer, payerFor } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { readTogether } from '#server/platform/database.ts';
import { type BillRecord, openBillsOf } from './bill/queries-bills.ts';
import { readBill } from './bill/read.ts';
import type { SlotRow } from './queries.ts';

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

type Owed = NonNullable<ShownForecast['owed']>;

/** What one payment pays: the bills that were not paid, or what costs again since free access ended. */
export function owedOf(input: BillInput, open: readonly BillRecord[]): Owed | null {
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

const nothing: Forecast = { bill: null, later: null, endings: [], paidTools: { now: 0, next: 0 } };

const nothingLeft: Closing = { totalCents: 0, refundCents: 0 };

export type BillingForecast = Forecast & Pick<ShownForecast, 'owed' | 'charging' | 'closing'>;

/** The payer's coming bill, what ends, what is owed and what is being charged, from our own rows: no page waits for Stripe. */
export async function billingForecast(context: Context, payer: Payer): Promise<BillingForecast> {
  const [reading, open] = await readTogether(
    context.db,
    () => readBill(context, payer),
    () => openBillsOf(context.db, payer),
  );
  if (!reading) return { ...nothing, owed: null, charging: null, closing: nothingLeft };
  const charged = open.find(({ status, totalCents }) => status !== 'unpaid' && totalCents > 0);
  return {
    ...forecastOf(reading.input),
    owed: owedOf(reading.input, open),
    charging: charged ? { at: charged.at, totalCents: charged.totalCents } : null,
    // Closing stops a bill that is not paid yet, and what waits is then of days that nobody paid for.
    closing: open.some(({ kind }) => kind !== 'closing') ? nothingLeft : closingOf(reading.input),
  };
}

const changed = (input: BillInput, id: string, change: Partial<BillRow>): BillInput => ({
  ...input,
  rows: input.rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
});

/** What the payer may be about to do: cancel that tool, or pay for so many members. */
type Decision = { cancel?: string | undefined; immediately?: boolean | undefined; members?: number | undefined };

/** `GET /api/pricing/changes`: what a decision would do to the payer's other prices and next bill, before it is taken. */
export async function priceChangesFor(
  context: Context,
  actor: ActorRow,
  { teamId, cancel, immediately = false, members }: Decision & { teamId?: string | undefined },
): Promise<Reply<typeof subscriptionsApi.changes>> {
  const reading = await readBill(context, await payerFor(context, actor, teamId));
  if (!reading) return { changes: [], bill: null };
  const { facts, slots, input } = reading;
  const row = slots.find(({ toolId }) => toolId === cancel);
  const mayCancel = row !== undefined && subscriptionCan.cancel({ ...row, cardOnFile: facts.cardOnFile }, input.now);
  const cancelled = mayCancel ? changed(input, row.id, cancelledRow(row, immediately, input.now)) : input;
  const decided = { ...cancelled, payer: { ...input.payer, members: members ?? facts.members } };
  const { bill } = forecastOf(decided);
  return {
    changes: priceChanges(input, decided),
    bill: bill && {
      at: bill.at,
      totalCents: bill.totalCents,
      leftCents: bill.leftCents,
      isLast: bill.lines.length === 0,
    },
  };
}

const cancelledRow = (row: SlotRow, immediately: boolean, now: Date) => ({
  ...cancellationTerms(row, immediately, now),
  status: 'cancelled' as const,
  autoRenew: false,
});

/** What the payer's bill would be with this row changed, and what that does to other prices; null where the payer is gone. */
export async function forecastWith(context: Context, payer: Payer, rowId: string, change: Partial<BillRow>) {
  const reading = await readBill(context, payer);
  if (!reading) return null;
  const decided = changed(reading.input, rowId, change);
  return { forecast: forecastOf(decided), changes: priceChanges(reading.input, decided) };
}
