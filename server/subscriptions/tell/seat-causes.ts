import { partFrom } from '#shared/rules/billing/bill.ts';
import type { Adjustment, BillLine, BillPart } from '#shared/rules/billing/bill-types.ts';
import { formatDays } from '#shared/rules/dates.ts';
import { formatCents, sumCents } from '#shared/rules/billing/money.ts';
import { listed, upper } from './words.ts';

/** Why a bill differs, in a sentence; `of`: what an administrator may have decided, or that an offer has run out. */
export type Cause = { text: string; of?: { priceOf: string } | 'volume' | 'offer' };

export const monthly = (cents: number) => `${cents < 0 ? '' : '+'}${formatCents(cents)} a month`;
export const causeOf = (text: string, of?: Cause['of']): Cause => ({ text: `${upper(text)}.`, ...(of && { of }) });

export type Pair = { was: BillLine; now: BillLine };

export const isOfSeat = ({ cause, person }: BillPart) => (cause === 'joined' || cause === 'left') && person !== null;

export const isCharged = ({ cents }: BillPart) => cents !== 0;

/** What is known of a team's people beside its bill; null or empty where it isn't. */
export type Seats = {
  /** The team's new members since its payer was told. */
  joined: readonly string[] | null;
  /** The subscriptions that its owner has chosen people for. */
  chosen: readonly string[];
  /** The adjustments that wait for the bill, whole: a credit can be more than the bill takes. */
  waiting: readonly (Adjustment & { createdAt: Date; splitOf: string | null })[] | null;
};
export const unknownSeats: Seats = { joined: null, chosen: [], waiting: null };

/**
 * Of the parts that are new on a bill: those whose reason is news, and what an earlier bill could not take of a credit. Days that came and
 * went again are neither.
 */
export function freshParts(parts: readonly BillPart[], { waiting }: Seats, toldAt: Date) {
  if (!waiting) return { fresh: parts, restCents: 0 };
  const seats = waiting
    .filter((one) => one.splitOf === null && one.createdAt > toldAt)
    .map(partFrom)
    .filter(isOfSeat);
  const ofOne = (part: BillPart) =>
    seats.filter((one) => one.subscriptionId === part.subscriptionId && one.person === part.person);
  const undone = (part: BillPart) => ofOne(part).length > 1 && sumCents(ofOne(part)) === 0;
  const rests = new Set(waiting.flatMap(({ id, splitOf }) => (splitOf === null ? [] : id)));
  return {
    fresh: [...parts.filter((part) => !isOfSeat(part)), ...seats.filter((part) => !undone(part))],
    restCents: sumCents(parts.filter((part) => isOfSeat(part) && part.id !== null && rests.has(part.id))),
  };
}

/** What these parts come to, from the first day to the last one; null where nothing is charged. */
function daysText(parts: readonly BillPart[]): string | null {
  const charged = parts.filter(isCharged);
  const days = charged.flatMap(({ from, to }) => [from, to]).toSorted();
  const [from, to] = [days[0], days.at(-1)];
  return from && to ? `${formatCents(sumCents(charged))} for ${formatDays(from, to)}` : null;
}

const isMoved = ({ was, now }: Pair) => was.quantity !== now.quantity;

/** Who came and who went, with what that costs: in the team, and of each tool that its owner has chosen people for. */
export function seatCauses(pairs: readonly Pair[], parts: readonly BillPart[], people: Seats): Cause[] {
  const moved = pairs.filter(isMoved);
  const ofSeats = parts.filter(isOfSeat);
  const isNewInTeam = ({ person }: BillPart) => people.joined?.includes(person!) ?? true;
  const chosen = new Set([
    ...people.chosen,
    ...ofSeats.flatMap((part) => (part.cause === 'joined' && !isNewInTeam(part) ? part.subscriptionId! : [])),
  ]);
  // Without parts, as in a trial, more come than have joined: others use it now.
  const named = (kind: BillPart['cause']) =>
    new Set(ofSeats.filter(({ cause }) => cause === kind).map(({ person }) => person));
  const came = new Set([...named('joined'), ...(people.joined ?? [])]).size - named('left').size;
  if (people.joined)
    for (const { was, now } of moved) if (now.quantity - was.quantity > came) chosen.add(now.subscriptionId);
  const tools = [...moved.map(({ now }) => now), ...ofSeats];
  const names = new Map(
    tools.flatMap((one) => (chosen.has(one.subscriptionId!) ? [[one.subscriptionId!, one.toolName]] : [])),
  );
  const isOthers = ({ subscriptionId }: { subscriptionId: string | null }) => !chosen.has(subscriptionId!);
  const otherParts = ofSeats.filter(isOthers);
  const others = moved.filter(({ now }) => isOthers(now));
  const inTeam = { joined: 'joined', left: 'left', now: (members: string) => `${members} now` };
  return [
    ...movesOf(others, otherParts, people.joined ?? [], inTeam),
    ...[...names].flatMap(([id, name]) =>
      movesOf(
        moved.filter(({ now }) => now.subscriptionId === id),
        ofSeats.filter(({ subscriptionId }) => subscriptionId === id),
        [],
        {
          joined: `can open ${name}`,
          left: `can no longer open ${name}`,
          now: (members) => `${name} for ${members} now`,
        },
      ),
    ),
  ];
}

type Moves = { joined: string; left: string; now: (members: string) => string };

/**
 * Who came and who went, with what that costs for the rest of the month, and each month. On a month's last day, and where the month
 * costs nothing, somebody comes without a part.
 */
function movesOf(seats: readonly Pair[], parts: readonly BillPart[], joined: readonly string[], words: Moves): Cause[] {
  const month =
    seats.length > 0 ? monthly(seats.reduce((total, { was, now }) => total + now.cents - was.cents, 0)) : null;
  const moved = (['joined', 'left'] as const)
    .map((kind) => {
      const own = parts.filter((part) => part.cause === kind && (month !== null || isCharged(part)));
      const without = kind === 'joined' && month !== null ? joined : [];
      return { kind, own, people: [...new Set([...own.map(({ person }) => person!), ...without])] };
    })
    .filter(({ people }) => people.length > 0);
  const isOne = month !== null && moved.length === 1;
  const texts = moved.map(({ kind, own, people }) => {
    const costs = [isOne ? month : null, daysText(own)].filter((text) => text !== null).join(' and ');
    return causeOf(`${listed(people)} ${words[kind]}${costs && `, ${costs}`}`);
  });
  const members = seats[0]?.now.quantity;
  if (members === undefined || isOne) return texts;
  return [...texts, causeOf(`${words.now(`${members} ${members === 1 ? 'member' : 'members'}`)}, ${month}`)];
}
