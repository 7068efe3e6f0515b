import type { Adjustment } from '#shared/rules/billing/bill-types.ts';
import { sydneyDate, plusMonths } from '#shared/rules/dates.ts';
import { daysAdded, daysOf, daysTaken, paidDays, seatPart } from '#shared/rules/billing/part-month.ts';
import { hasAccess } from '#shared/rules/billing/subscriptions.ts';
import { type Payer, practices, teamPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { advance } from '../bill/advance.ts';
import { insertAdjustment, seatChanges } from '../bill/queries-bills.ts';
import { type BillReading, readBill } from '../bill/read.ts';
import { queueMirror } from '../effects.ts';
import type { SlotRow } from '../queries.ts';

/** A member; one who closes their account leaves no name. */
export type Member = { id: string; name: string | null };

/** Called in the transaction that takes somebody into a team, before it does: their days until the next bill are on that bill. */
export const memberJoined = (inside: Context, teamId: string, person: Member): Promise<void> =>
  changeSeats(inside, teamId, person, 'joined');

/** Called in the transaction in which somebody leaves a team, before they do: the days that they don't have come off the next bill. */
export const memberLeft = (inside: Context, teamId: string, person: Member): Promise<void> =>
  changeSeats(inside, teamId, person, 'left');

type Change = 'joined' | 'left';

async function changeSeats(inside: Context, teamId: string, person: Member, cause: Change): Promise<void> {
  const reading = await advance(inside, teamPayer(teamId));
  await keepSeats(inside, reading.payer, person, await seatParts(inside, reading, person, cause));
  await queueMirror(inside, reading.payer);
}

/** Who joined while a tool was shut pays for the days left of its month once it is open again. */
export async function seatsOfAbsence(inside: Context, payer: Payer, rowId: string, since: Date): Promise<void> {
  if (payer.kind === 'user') return;
  const reading = await readBill(inside, payer);
  const only = { ...reading, slots: reading.slots.filter(({ id }) => id === rowId) };
  for (const person of await practices.joinedSince(inside.db, payer.teamId, since))
    await keepSeats(inside, payer, person, await seatParts(inside, only, person, 'joined'));
}

type Period = { start: Date; end: Date };

/** The running month of a tool, or part of it, as a bill or purchase has it, paid or in grace. Null where it cost nothing, or is shut. */
function periodOf(row: SlotRow, { nextBillAt }: BillReading['facts'], now: Date): Period | null {
  const end = row.status === 'grace_period' ? nextBillAt : row.endDate;
  const isBilled = row.periodStart !== null && end !== null && row.status !== 'trial' && row.monthlyCents > 0;
  return isBilled && hasAccess(row, now) ? { start: row.periodStart!, end } : null;
}

type SeatPart = Adjustment & { subscriptionId: string; periodEnd: Date };

/**
 * What one person's coming or going costs of each tool's month: their parts of it add up to exactly the days that they have. Without a
 * person, it is somebody new.
 */
export async function seatParts(
  { db, now }: Context,
  { facts, slots }: BillReading,
  person: Member | null,
  cause: Change,
): Promise<SeatPart[]> {
  const parts: SeatPart[] = [];
  for (const row of slots) {
    const period = periodOf(row, facts, now());
    if (!period) continue;
    const before = person ? await seatChanges(db, row.id, person.id, period.end) : [];
    const [today, end] = [sydneyDate(now()), sydneyDate(period.end)];
    const days = cause === 'joined' ? daysAdded(today, end, before) : daysTaken(today, end);
    if (!days) continue;
    const paid = paidDays(period, before, cause === 'left');
    const seat = {
      monthCents: row.monthlyCents,
      seats: row.quantity,
      periodDays: daysOf(plusMonths(period.end, -1, facts.billingDay), period.end),
    };
    parts.push({
      id: row.id,
      subscriptionId: row.id,
      toolId: row.toolId,
      toolName: row.toolName,
      cause,
      person: person?.name ?? null,
      ...days,
      periodEnd: period.end,
      cents: seatPart(seat, paid + days.days) - seatPart(seat, paid),
    });
  }
  return parts;
}

async function keepSeats(inside: Context, payer: Payer, { id: personId }: Member, parts: SeatPart[]): Promise<void> {
  for (const { id: _row, ...part } of parts)
    await insertAdjustment(inside.db, payer, { ...part, personId, createdAt: inside.now() });
}
