import {
  afterBill,
  billedFrom,
  type BillInput,
  billOf,
  type BillRow,
  ifPaid,
  isOnBill,
  monthCentsOf,
  paidTools,
  partFrom,
  partUntil,
  priceAt,
  totalled,
  withRow,
} from './bill.ts';
import type { Bill, BillLine } from './bill-types.ts';
import { plusMonths } from '../dates.ts';
import { mostCodeMonths } from './discount-codes.ts';
import { type Tier, tiersAt } from './pricing.ts';

const earliest = (dates: readonly Date[]) =>
  dates.length > 0 ? new Date(Math.min(...dates.map((date) => date.getTime()))) : null;

/**
 * The payer as they will be when money is next asked of them. Where the billing instant has nothing to charge, it goes by: what is
 * paid beyond it keeps the billing day; else the bill ends, and a trial that a card keeps begins another.
 */
function atNextBill(input: BillInput): BillInput {
  const { payer, adjustments } = input;
  const { nextBillAt: due } = payer;
  const rows = ifPaid(input);
  if (due === null || adjustments.length > 0 || rows.some((row) => isOnBill(row, payer, due))) return input;
  const paidBeyond = earliest(rows.flatMap((row) => (row.status === 'active' ? (billedFrom(row, payer) ?? []) : [])));
  const billingDay = paidBeyond && payer.billingDay;
  return { ...input, payer: { ...payer, nextBillAt: paidBeyond, billingDay } };
}

/** When the coming bill is due: the billing instant, or the first end of a trial that a card keeps. Null where none is coming. */
export function nextBillAt(input: BillInput): Date | null {
  const { payer, rows } = atNextBill(input);
  return payer.nextBillAt ?? earliest(rows.flatMap((row) => billedFrom(row, payer) ?? []));
}

/** The first bill that has the row a whole month, and the payer as they are by then; null where none is coming. */
export function firstBillWith(row: BillRow, input: BillInput): { bill: Bill; input: BillInput } | null {
  if (!billedFrom(row, input.payer)) return null;
  for (let then = atNextBill(withRow(input, row.id, row)); ;) {
    const bill = billOf(then, nextBillAt(then)!);
    if (bill.lines.some(({ subscriptionId }) => subscriptionId === row.id)) return { bill, input: then };
    then = atNextBill(afterBill(then, bill));
  }
}

/** When that bill is, and the day that its months are counted from; null where it is not to come. */
export function firstBillOf(row: BillRow, input: BillInput): { at: Date; billingDay: number } | null {
  const from = billedFrom(row, input.payer);
  const first = from && from > input.now ? firstBillWith(row, input) : null;
  return first && { at: first.bill.at, billingDay: first.input.payer.billingDay ?? first.bill.at.getUTCDate() };
}

export type Ending = {
  at: Date;
  subscriptionId: string;
  toolId: string;
  toolName: string;
  reason: 'cancelled' | 'auto_renew_off' | 'trial_without_card';
  /** What a month would cost if it went on. */
  monthlyCents: number;
};

/** The coming bill, the first later one whose month costs another amount, with its parts, and what ends by itself. */
export type Forecast = {
  bill: Bill | null;
  later: (Bill & { monthCents: number }) | null;
  endings: Ending[];
  /** How many paid tools the volume discount counts: today, and for the coming bill. */
  paidTools: { now: number; next: number };
  /** The volume discounts of the coming bill, which may have been announced; without one, today's. */
  nextTiers: Tier[];
};

const byDate = (a: { at: Date }, b: { at: Date }) => a.at.getTime() - b.at.getTime();

/** Everything that will happen to a payer's money and tools, as known now. */
export function forecastOf(input: BillInput): Forecast {
  const at = nextBillAt(input);
  const bill = at && billOf(atNextBill(input), at);
  const endings = input.rows.flatMap((row) => endingOf(row, input) ?? []).toSorted(byDate);
  const counted = { now: paidTools(input, null), next: paidTools(input, at) };
  const nextTiers = tiersAt(input.tiers, at ?? input.now);
  return { bill, later: bill && laterThan(bill, input), endings, paidTools: counted, nextTiers };
}

/** What ending everything at once charges, or pays back. */
export type Closing = { totalCents: number; refundCents: number };

/** The last bill if everything ends now: what waits, and the days of what has joined the running month by now. */
export function closingOf(input: BillInput): Closing {
  const { payer, adjustments, now } = input;
  const { nextBillAt: next, billingDay } = payer;
  const begun = ifPaid(input).flatMap((row) => {
    const from = billedFrom(row, payer);
    return next && from && from <= now ? (partUntil(row, input, next, plusMonths(next, -1, billingDay)) ?? []) : [];
  });
  const parts = [...adjustments.map(partFrom), ...begun];
  const { totalCents, leftCents } = totalled({ at: now, until: now, lines: [], parts }, payer.creditCents);
  return { totalCents, refundCents: leftCents };
}

function laterThan(bill: Bill, input: BillInput): Forecast['later'] {
  const ofMonth = (later: Bill) => ({ ...later, monthCents: monthCentsOf(later) });
  const withoutCredit = { ...input, payer: { ...input.payer, creditCents: 0 }, adjustments: [] };
  if (bill.lines.length === 0) {
    const after = atNextBill(withoutCredit);
    const at = nextBillAt(after);
    return at && ofMonth(billOf(after, at));
  }
  const months = input.rows.some(({ offer, freeMonths }) => offer ?? freeMonths) ? mostCodeMonths : 12;
  let [from, last] = [atNextBill(withoutCredit), bill];
  for (let month = 1; month <= months; month += 1) {
    from = afterBill(from, last);
    last = billOf(from, from.payer.nextBillAt!);
    if (monthCentsOf(last) !== monthCentsOf(bill)) return ofMonth(last);
  }
  return null;
}

function endingOf(row: BillRow, input: BillInput): Ending | null {
  const { payer, now } = input;
  const { id, toolId, toolName, status } = row;
  const ending = (at: Date | null, reason: Ending['reason']): Ending | null => {
    if (!at || at <= now) return null;
    // If it is kept, it counts towards its own discount; and a card given for one trial keeps the others too.
    const rows = input.rows.map((one) => (one === row ? { ...row, status: 'active' as const, autoRenew: true } : one));
    const kept = { ...input, payer: { ...payer, cardOnFile: true }, rows };
    return { at, subscriptionId: id, toolId, toolName, reason, monthlyCents: priceAt(row, kept, at).totalCents };
  };
  if (status === 'cancelled') return ending(row.endDate, 'cancelled');
  if (status === 'active' && !row.autoRenew) return ending(row.endDate, 'auto_renew_off');
  if (status !== 'trial') return null;
  if (!row.autoRenew) return ending(row.trialEndDate, 'auto_renew_off');
  return payer.cardOnFile || payer.freeAccess ? null : ending(row.trialEndDate, 'trial_without_card');
}

/** What a month of one tool will cost from a bill on, instead of what it would cost otherwise. */
export type PriceChange = {
  toolName: string;
  at: Date;
  fromCents: number;
  toCents: number;
  /** The volume discount before and after, in percent, where that alone changes. */
  volume: { from: number; to: number } | null;
};

const volumePercent = ({ discounts }: BillLine) => discounts.find(({ kind }) => kind === 'bulk')?.percent ?? 0;
/** What else a line's price is made of. */
const besidesVolume = ({ baseCents, discounts }: BillLine) =>
  [baseCents, ...discounts.filter(({ kind }) => kind !== 'bulk').map(({ label }) => label)].join();

/** What a decision does to the prices of tools that go on either way, from the first bill that it reaches. */
export function priceChanges(asNow: BillInput, decided: BillInput): PriceChange[] {
  const first = nextBillAt({ ...asNow, payer: { ...asNow.payer, cardOnFile: true } });
  if (!first) return [];
  const billingDay = asNow.payer.billingDay ?? first.getUTCDate();
  const linesAt = (input: BillInput, at: Date) => {
    const due = at > first ? first : input.payer.nextBillAt;
    return billOf({ ...input, payer: { ...input.payer, cardOnFile: true, nextBillAt: due } }, at).lines;
  };
  // A trial of 45 days may outlast the second bill, but not the third.
  const changes = [0, 1, 2].flatMap((months) => {
    const at = plusMonths(first, months, billingDay);
    const then = linesAt(decided, at);
    return linesAt(asNow, at).flatMap((line) => {
      const { subscriptionId, toolName, cents } = line;
      const same = then.find((one) => one.subscriptionId === subscriptionId);
      if (!same || same.cents === cents) return [];
      const [from, to] = [volumePercent(line), volumePercent(same)];
      const volume = from !== to && besidesVolume(line) === besidesVolume(same) ? { from, to } : null;
      return [{ subscriptionId, toolName, at, fromCents: cents, toCents: same.cents, volume }];
    });
  });
  return changes
    .filter((one, index) => changes.findIndex(({ subscriptionId }) => subscriptionId === one.subscriptionId) === index)
    .map(({ subscriptionId: _id, ...change }) => change);
}
