import type { Reply } from '#shared/api/endpoint.ts';
import type { subscriptionsApi } from '#shared/api/subscriptions.ts';
import { type BillInput, type BillRow, monthCentsOf } from '#shared/rules/billing/bill.ts';
import { cancellationTerms } from '#shared/rules/billing/cancellation.ts';
import { forecastOf, priceChanges } from '#shared/rules/billing/forecast.ts';
import { subscriptionCan } from '#shared/rules/billing/subscriptions.ts';
import { type Payer, payerFor } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import { type BillReading, readBill } from './bill/read.ts';
import { seatParts } from './change/seats.ts';
import type { SlotRow } from './queries.ts';

/** What the payer may be about to do: cancel a tool, have somebody join or leave the team, or hand it over. */
type Decision = {
  cancel?: string | undefined;
  immediately?: boolean | undefined;
  joins?: boolean | undefined;
  leaves?: string | undefined;
  withoutCard?: boolean | undefined;
};

/** `GET /api/pricing/changes`: what a decision would do to the payer's other prices and next bill, before it is taken. */
export async function priceChangesFor(
  context: Context,
  actor: ActorRow,
  { teamId, ...decision }: Decision & { teamId?: string | undefined },
): Promise<Reply<typeof subscriptionsApi.changes>> {
  const reading = await readBill(context, await payerFor(context, actor, teamId));
  if (!reading) return { changes: [], moreCents: 0, seatCents: 0, endings: [], bill: null };
  const { input } = reading;
  const seats = await seatsOf(context, reading, decision);
  const decided = decidedInput(reading, decision, seats);
  const { bill, endings } = forecastOf(decided);
  const before = forecastOf(input).bill;
  const changes = priceChanges(input, decided);
  return {
    changes,
    moreCents:
      bill && before
        ? monthCentsOf(bill) - monthCentsOf(before)
        : changes.reduce((sum, { fromCents, toCents }) => sum + toCents - fromCents, 0),
    seatCents: seats.reduce((sum, { cents }) => sum + cents, 0),
    endings,
    bill: bill && {
      at: bill.at,
      totalCents: bill.totalCents,
      leftCents: bill.leftCents,
      isLast: bill.lines.length === 0,
    },
  };
}

/** What joining or leaving today costs, or gives back, of the running month. */
async function seatsOf(context: Context, reading: BillReading, { joins, leaves }: Decision) {
  if (joins) return seatParts(context, reading, null, 'joined');
  return leaves ? seatParts(context, reading, { id: leaves, name: null }, 'left') : [];
}

function decidedInput(
  { facts, slots, input }: BillReading,
  { cancel, immediately = false, joins = false, leaves, withoutCard = false }: Decision,
  seats: BillInput['adjustments'],
): BillInput {
  const row = slots.find(({ toolId }) => toolId === cancel);
  const mayCancel = row !== undefined && subscriptionCan.cancel({ ...row, cardOnFile: facts.cardOnFile }, input.now);
  const cancelled = mayCancel ? changed(input, row.id, cancelledRow(row, immediately, input.now)) : input;
  const members = Math.max(1, facts.members + Number(joins) - Number(leaves !== undefined));
  const payer = { ...input.payer, members, cardOnFile: facts.cardOnFile && !withoutCard };
  return { ...cancelled, payer, adjustments: [...input.adjustments, ...seats] };
}

const changed = (input: BillInput, id: string, change: Partial<BillRow>): BillInput => ({
  ...input,
  rows: input.rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
});

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
