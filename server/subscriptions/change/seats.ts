import type { Adjustment } from '#shared/rules/billing/bill-types.ts';
import { lostMoneyTool } from '#shared/rules/tools/tools.ts';
import { sydneyDate, plusMonths } from '#shared/rules/dates.ts';
import { daysAdded, daysOf, daysTaken, paidDays, seatPart } from '#shared/rules/billing/part-month.ts';
import { hasAccess } from '#shared/rules/billing/subscriptions.ts';
import { type Payer, practices, teamPayer } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { advance } from '../bill/advance.ts';
import { insertAdjustment, isMonthGiven, seatChanges } from '../bill/queries-bills.ts';
import { type BillReading, readBill } from '../bill/read.ts';
import { changeRow, queueMirror } from '../effects.ts';
import { isOld } from '../join/old-row.ts';
import type { SlotRow } from '../queries.ts';
import { tellHeir } from '../tell/members.ts';

/** A member; one who closes their account leaves no name. */
export type Member = { id: string; name: string | null };

/** Called in the transaction that takes somebody into a team, before it does: their days until the next bill are on that bill. */
export async function memberJoined(inside: Context, teamId: string, person: Member): Promise<void> {
  const reading = await advance(inside, teamPayer(teamId));
  await keepSeats(inside, reading.payer, person, await seatParts(inside, reading, person, 'joined'));
  await queueMirror(inside, reading.payer);
}

/** Called in the transaction in which somebody leaves a team, before they do: the days that they don't have come off the next bill. */
export async function memberLeft(inside: Context, teamId: string, person: Member, newOwnerId?: string): Promise<void> {
  const reading = await advance(inside, teamPayer(teamId));
  const { moves, chosen } = await leaving(inside, reading, person, newOwnerId);
  for (const move of moves) await keepSeats(inside, reading.payer, move.person, move.parts);
  for (const { row, chosenUsers, heir } of chosen) {
    if (!(await changeRow(inside, row, { chosenUsers }))) throw new AppError('conflict');
    if (heir) await tellHeir(inside, reading.payer, heir.id, row);
  }
  await queueMirror(inside, reading.payer);
}

type Change = 'joined' | 'left';
/** What somebody's coming or going costs, or gives back, of the running month. */
type Move = { person: Member; parts: SeatPart[] };

/**
 * What somebody's leaving does to a team's seats, and to who is chosen for its tools. A tool that nobody else was chosen for passes to the
 * owner, or to who has been in the team for longest.
 */
export async function leaving(context: Context, reading: BillReading, person: Member, newOwnerId?: string) {
  const moves: Move[] = [{ person, parts: await seatParts(context, reading, person, 'left') }];
  const chosen: { row: SlotRow; chosenUsers: string[]; heir: Member | null }[] = [];
  for (const row of reading.slots) {
    if (!row.chosenUsers?.includes(person.id)) continue;
    const rest = row.chosenUsers.filter((id) => id !== person.id);
    const heir = rest.length > 0 ? null : await heirOf(context, reading.payer, person, newOwnerId);
    chosen.push({ row, chosenUsers: heir ? [heir.id] : rest, heir });
    if (heir) moves.push({ person: heir, parts: await seatPartsOf(context, reading, row, heir, 'joined') });
  }
  return { moves, chosen };
}

async function heirOf(
  { db }: Context,
  payer: Payer,
  { id: leaver }: Member,
  newOwnerId?: string,
): Promise<Member | null> {
  const members = payer.kind === 'team' ? await practices.seatedIn(db, payer.teamId) : [];
  const others = members.filter(({ id }) => id !== leaver);
  const owner = others.find(({ id, role }) => id === newOwnerId || role === 'owner');
  return owner ?? others[0] ?? null;
}

/** Who starts and who stops using the tool. */
type Chosen = { toolName: string; starting: Member[]; stopping: Member[] };

/**
 * Lets these people of a team use its tool, or everybody, in the caller's transaction, which has locked the team: days of the running
 * month that come or go are on the next bill.
 */
export async function chooseUsers(
  inside: Context,
  teamId: string,
  toolId: string,
  chosenUsers: string[] | null,
): Promise<Chosen> {
  const reading = await advance(inside, teamPayer(teamId));
  const { row, ...chosen } = await chosenIn(inside, reading, toolId, chosenUsers);
  if (isOld(row)) throw new AppError('conflict');
  for (const { person, parts } of await partsOfChoice(inside, reading, { ...row, chosenUsers }, chosen))
    await keepSeats(inside, reading.payer, person, parts);
  if (!(await changeRow(inside, row, { chosenUsers }))) throw new AppError('conflict');
  await queueMirror(inside, reading.payer);
  return chosen;
}

/** The tools that are paid for by seat, and open now. */
export const toolsBySeat = ({ slots, facts: { cardOnFile } }: BillReading, now: Date): SlotRow[] =>
  slots.filter((row) => row.toolId !== lostMoneyTool && hasAccess({ ...row, cardOnFile }, now));

/** The team's row of the tool, and who would start and stop using it. */
export async function chosenIn(
  { db, now }: Context,
  reading: BillReading,
  toolId: string,
  chosenUsers: readonly string[] | null,
): Promise<Chosen & { row: SlotRow }> {
  const { payer } = reading;
  const row = toolsBySeat(reading, now()).find((one) => one.toolId === toolId);
  if (payer.kind === 'user' || !row) throw new AppError('subscription_not_found');
  const members = await practices.seatedIn(db, payer.teamId);
  if (chosenUsers?.some((id) => !members.some((member) => member.id === id)))
    throw new AppError('team_member_not_found');
  const uses = (ids: readonly string[] | null, { id }: Member) => ids === null || ids.includes(id);
  return {
    row,
    toolName: row.toolName,
    starting: members.filter((one) => uses(chosenUsers, one) && !uses(row.chosenUsers, one)),
    stopping: members.filter((one) => !uses(chosenUsers, one) && uses(row.chosenUsers, one)),
  };
}

/** What that costs and gives back of the running month, person by person. `row` is the tool's, as chosen. */
export async function partsOfChoice(
  context: Context,
  reading: BillReading,
  row: SlotRow,
  { starting, stopping }: Pick<Chosen, 'starting' | 'stopping'>,
): Promise<Move[]> {
  const all: Move[] = [];
  for (const person of starting)
    all.push({ person, parts: await seatPartsOf(context, reading, row, person, 'joined') });
  for (const person of stopping) all.push({ person, parts: await seatPartsOf(context, reading, row, person, 'left') });
  return all;
}

/** Who joined while a tool was shut pays for the days left of its month once it is open again. */
export async function seatsOfAbsence(inside: Context, payer: Payer, rowId: string, since: Date): Promise<void> {
  if (payer.kind === 'user') return;
  const reading = await readBill(inside, payer);
  const only = { ...reading, slots: reading.slots.filter(({ id }) => id === rowId) };
  for (const person of await practices.seatedIn(inside.db, payer.teamId, since))
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
 * person, it is somebody new, who uses no tool that others were chosen for.
 */
export async function seatParts(
  context: Context,
  reading: BillReading,
  person: Member | null,
  cause: Change,
): Promise<SeatPart[]> {
  const parts: SeatPart[] = [];
  for (const row of reading.slots)
    if (row.chosenUsers === null || (person && row.chosenUsers.includes(person.id)))
      parts.push(...(await seatPartsOf(context, reading, row, person, cause)));
  return parts;
}

/** That of one tool; none where its month costs nothing. */
async function seatPartsOf(
  { db, now }: Context,
  { payer, facts }: BillReading,
  row: SlotRow,
  person: Member | null,
  cause: Change,
): Promise<SeatPart[]> {
  const period = periodOf(row, facts, now());
  if (!period || (await isMonthGiven(db, payer, period.start))) return [];
  const before = person ? await seatChanges(db, row.id, person.id, period.end) : [];
  const [today, end] = [sydneyDate(now()), sydneyDate(period.end)];
  const days = cause === 'joined' ? daysAdded(today, end, before) : daysTaken(today, end);
  if (!days) return [];
  const paid = paidDays(period, before, cause === 'left');
  const seat = {
    monthCents: row.monthlyCents,
    seats: row.quantity,
    periodDays: daysOf(plusMonths(period.end, -1, facts.billingDay), period.end),
  };
  const cents = seatPart(seat, paid + days.days) - seatPart(seat, paid);
  const { id, toolId, toolName } = row;
  const of = { id, subscriptionId: id, toolId, toolName, cause, person: person?.name ?? null };
  return [{ ...of, ...days, periodEnd: period.end, cents }];
}

async function keepSeats(inside: Context, payer: Payer, { id: personId }: Member, parts: SeatPart[]): Promise<void> {
  for (const { id: _row, ...part } of parts)
    await insertAdjustment(inside.db, payer, { ...part, personId, createdAt: inside.now() });
}
