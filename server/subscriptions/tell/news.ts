import { type BillRow, monthCentsOf } from '#shared/rules/billing/bill.ts';
import type { Bill, BillLine, BillPart } from '#shared/rules/billing/bill-types.ts';
import { billTable } from '#shared/rules/billing/bill-table.ts';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { formatCents, sumCents } from '#shared/rules/billing/money.ts';
import { noticeDays } from '#shared/rules/billing/own-price.ts';
import type { DiscountKind } from '#shared/rules/billing/pricing.ts';
import type { SlotRow } from '../queries.ts';
import type { ToldRow } from '../bill/queries-bills.ts';
import {
  type Cause,
  causeOf,
  freshParts,
  isCharged,
  isOfSeat,
  monthly,
  type Pair,
  seatCauses,
  unknownSeats,
} from './seat-causes.ts';
import { numberText, on } from './words.ts';

/** The bill as its payer last heard of it. */
export type Told = Pick<ToldRow, 'toldAt' | 'billAt' | 'totalCents' | 'lines' | 'parts' | 'later'>;

/** The bill as it is coming, and the first later one whose month costs another amount. */
export type Coming = { bill: Bill | null; later: Bill | null };

export type News = {
  /** What is told: the coming bill; a later one; that a change won't come; that nothing will be charged. */
  about: 'bill' | 'later' | 'stays' | 'none';
  causes: Cause[];
  /** Why a later bill differs from the coming one, where that is new as well. */
  laterCauses: Cause[];
  /** The coming bill, or any, costs more than was told. */
  dearerNow: boolean;
  dearer: boolean;
};

const dayOf = (at: Date | string) => sydneyDate(new Date(at));

/** What was told of the bill of that day: as it was told, or as it follows from what was told of the one before. */
function expected(told: Told, bill: Bill) {
  const { lines, parts, totalCents, later } = told;
  const monthCents = sumCents(lines);
  if (told.billAt === null) return { lines: [], parts: [], cents: 0, monthCents: 0, later: null };
  if (dayOf(told.billAt) >= bill.day) return { lines, parts, cents: totalCents ?? 0, monthCents, later };
  if (later === null || dayOf(later.at) > bill.day) return { lines, parts: [], cents: monthCents, monthCents, later };
  // The later bill was kept without its lines, by older releases also without its parts.
  const { parts: laterParts = [], monthCents: laterCents } = later;
  const laterSum = laterCents + sumCents(laterParts);
  return { lines: bill.lines, parts: laterParts, cents: laterSum, monthCents: laterCents, later: null };
}

/** How the bill that is coming differs from what its payer was told; null where it doesn't. */
export function newsOf(told: Told, { bill, later }: Coming, now: Date, people = unknownSeats): News | null {
  if (!bill) {
    const wasCharged = told.billAt !== null && told.billAt > now && told.totalCents !== 0;
    return wasCharged ? { about: 'none', causes: [], laterCauses: [], dearerNow: false, dearer: false } : null;
  }
  const before = expected(told, bill);
  const isRolled = told.billAt !== null && dayOf(told.billAt) < bill.day;
  const cents = isRolled ? sumCents(bill.lines) + sumCents(bill.parts) : bill.totalCents;
  const { fresh, restCents } = freshParts(missing(bill.parts, before.parts), people, told.toldAt);
  const causes = [
    ...(told.billAt !== null && dayOf(told.billAt) > bill.day
      ? [causeOf(`it is due on ${on(bill.day)}, not on ${on(told.billAt)}`)]
      : []),
    ...monthCauses(before.lines, bill, fresh, people),
    ...(restCents === 0 ? [] : [causeOf(`credit left from the bill before: ${formatCents(restCents)}`)]),
    ...missing(before.parts, bill.parts)
      .filter((part) => isCharged(part) && !people.waiting?.some(({ id }) => id === part.id))
      .map((part) => causeOf(`no longer: ${partText(part)}`)),
  ];
  const credit = before.cents - cents;
  if (causes.length === 0 && credit !== 0 && !isRolled)
    causes.push(
      causeOf(credit > 0 ? `credit takes ${formatCents(credit)} off` : `${formatCents(-credit)} less credit`),
    );
  const isNew = causes.length > 0 || cents !== before.cents;
  const change = later && { at: later.day, cents: monthCentsOf(later) - monthCentsOf(bill) };
  const knew = before.later && { at: dayOf(before.later.at), cents: before.later.monthCents - before.monthCents };
  const laterIsNew = change?.at !== knew?.at || change?.cents !== knew?.cents;
  if (!isNew && !laterIsNew) return null;
  const dearerNow = cents > before.cents;
  const laterCauses = later && laterIsNew ? monthCauses(bill.lines, later) : [];
  return {
    about: isNew ? 'bill' : later ? 'later' : 'stays',
    causes: isNew ? causes : laterCauses,
    laterCauses,
    dearerNow,
    dearer: dearerNow || (laterIsNew && (change?.cents ?? 0) > (knew?.cents ?? 0)),
  };
}

const keyOf = ({ toolId, person, from, to, cents }: BillPart) => JSON.stringify([toolId, person, from, to, cents]);

/** The parts that the others lack; two alike are two. */
function missing(parts: readonly BillPart[], others: readonly BillPart[]): BillPart[] {
  const left = others.map(keyOf);
  return parts.filter((part) => {
    const found = left.indexOf(keyOf(part));
    if (found >= 0) left.splice(found, 1);
    return found < 0;
  });
}

function partText(part: BillPart): string {
  const [row] = billTable({ lines: [], parts: [part] });
  return `${row!.label}${row!.note ? ` (${row!.note})` : ''}: ${formatCents(part.cents)}`;
}

/** Why a bill's month differs from another, and what its new parts are for. */
export function monthCauses(
  before: readonly BillLine[],
  bill: Pick<Bill, 'lines' | 'day'>,
  parts: readonly BillPart[] = [],
  people = unknownSeats,
): Cause[] {
  const after = bill.lines;
  const same = (line: BillLine) => (one: BillLine) => one.subscriptionId === line.subscriptionId;
  const pairs = after.flatMap((now): Pair[] => {
    const was = before.find(same(now));
    return was && was.cents !== now.cents ? [{ was, now }] : [];
  });
  const added = after.filter((line) => !before.some(same(line)));
  const removed = before.filter((line) => !after.some(same(line)));
  const tools = added.length + removed.length > 0 ? after.length : null;
  const discounts = pairs.flatMap((pair) => discountCauses(pair, tools));
  return [
    ...pairs.filter(({ was, now }) => was.unitCents !== now.unitCents).map((pair) => priceCause(pair, bill.day)),
    ...seatCauses(pairs, parts, people),
    ...added.map(({ toolName, cents }) => causeOf(`${toolName}, ${monthly(cents)}`)),
    ...removed.map(({ toolName, cents }) => causeOf(`${toolName} ends, ${monthly(-cents)}`)),
    // What is the same for several tools is said once.
    ...new Map(discounts.map((cause) => [cause.text, cause])).values(),
    ...parts.filter((part) => isCharged(part) && !isOfSeat(part)).map((part) => causeOf(partText(part))),
  ];
}

/** What the tools that stay cost more or less, where another tool comes or goes as well. */
export function othersOf({ lines, totalCents }: Pick<Told, 'lines' | 'totalCents'>, bill: Bill): string {
  const cents = bill.lines.reduce((sum, line) => {
    const before = lines.find(({ subscriptionId }) => subscriptionId === line.subscriptionId);
    return before ? sum + line.cents - before.cents : sum;
  }, 0);
  if (cents === 0 || cents === bill.totalCents - (totalCents ?? 0)) return '';
  return ` Your other tools cost ${formatCents(Math.abs(cents))} a month ${cents > 0 ? 'more' : 'less'}.`;
}

function priceCause({ was, now: { toolId, toolName, unitCents, quantity } }: Pair, from: string): Cause {
  const each = quantity > 1 ? ' for each member' : '';
  const costs = `${formatCents(unitCents)} a month${each} from ${on(from)} (was ${formatCents(was.unitCents)})`;
  return causeOf(`${toolName} costs ${costs}`, { priceOf: toolId });
}

const whole: Partial<Record<DiscountKind, [begins: string, ends: string]>> = {
  free: ['you have been given free access', 'your free access has ended'],
  free_month: ['you have been given free months', 'the months that you were given are over'],
  suspended: ['nothing is charged while the account is suspended', 'your account is no longer suspended'],
  partner: ['the partner price applies', 'the partner price no longer applies'],
};
const offers: Partial<Record<DiscountKind, string>> = { win_back: 'welcome back discount', code: 'discount code' };

/** Which discounts begin and end. `tools`: how many there are, where that has changed. */
function discountCauses({ was, now }: Pair, tools: number | null): Cause[] {
  const has = (line: BillLine, kind: DiscountKind) => line.discounts.some((one) => one.kind === kind);
  const turned = (Object.keys(whole) as DiscountKind[]).filter((kind) => has(was, kind) !== has(now, kind));
  const causes = turned.map((kind) => causeOf(whole[kind]![has(now, kind) ? 0 : 1]));
  const [old, current] = [was, now].map(({ discounts }) => discounts.find(({ kind }) => !(kind in whole)));
  const isSame = old?.kind === current?.kind && old?.percent === current?.percent;
  if (isSame || turned.some((kind) => kind !== 'partner')) return causes;
  const off = `${current ? `${current.percent}% off` : 'no discount'}${old ? ` (was ${old.percent}%)` : ''}`;
  const [over, begun] = [old && offers[old.kind], current && offers[current.kind]];
  if (over)
    return [...causes, causeOf(`your ${over} for ${now.toolName} has run out${current ? `: ${off}` : ''}`, 'offer')];
  if (begun) return [...causes, causeOf(`your ${begun} for ${now.toolName}: ${off}`)];
  if (old?.kind === 'team' || current?.kind === 'team') return [...causes, causeOf(`team discount: ${off}`)];
  const count =
    tools === null ? 'bulk discount' : `you now have ${numberText(tools)} ${tools === 1 ? 'tool' : 'tools'}`;
  return [...causes, causeOf(`${count}: ${off}`, 'volume')];
}

/**
 * Whether a higher price was decided that this payer has not heard of, and that would hold sooner than 30 days from now. Heard is what
 * was told since the decision while the subscription went on, and what it has already been charged.
 */
export function isLate(row: BillRow & Pick<SlotRow, 'periodStart'>, told: Told, now: Date): boolean {
  const { id, status, autoRenew, price, decisions, periodStart } = row;
  if (!autoRenew || !['trial', 'active', 'grace_period'].includes(status)) return false;
  const wasThere = told.lines.some((line) => line.subscriptionId === id) || (status === 'trial' && told.later !== null);
  const withdrawn = decisions.flatMap((one) => (one.kind === 'withdrawal' ? [one.withdraws] : []));
  const inTime = plus(now, noticeDays * day);
  return decisions.some(
    (one) =>
      one.kind === 'change' &&
      one.number > price.number &&
      one.unitCents > Math.max(one.beforeCents, price.unitCents) &&
      !withdrawn.includes(one.number) &&
      one.startsAt < inTime &&
      (price.risesFrom ?? one.startsAt) < inTime &&
      (periodStart === null || one.startsAt > periodStart) &&
      !(wasThere && told.toldAt >= one.decidedAt),
  );
}
