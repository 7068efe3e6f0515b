import { type Adjustment, type Bill, type BillDiscount, type BillLine, type BillPart, gstIn } from './bill-types.ts';
import { businessZone, calendarDays, plusDays, plusMonths, sydneyDate } from '../dates.ts';
import { afterCredit, percentOf, sumCents } from './money.ts';
import { type OwnPrice, type PriceDecision, unitCentsAt } from './own-price.ts';
import { daysOf, partOf } from './part-month.ts';
import {
  type DatedTier,
  type FreeMonths,
  isFreeAt,
  offerAt,
  type OfferTaken,
  type PayerFacts,
  percentOff,
  type Price,
  priceOf,
  tiersAt,
} from './pricing.ts';
import { goesOnAfter, hasAccess, type SubscriptionFacts } from './subscriptions.ts';
import { lostMoneyTool } from '../tools/tools.ts';

/**
 * A payer has one bill. This file is the only place that computes it: forecast, quote, screens, mails, and what Stripe is told and
 * checked against come from `billOf`. It is pure; the time is a parameter.
 */

/** A subscription as the bill needs it. `endDate` of an active one is the date that it is paid until. */
export type BillRow = SubscriptionFacts & {
  id: string;
  toolId: string;
  toolName: string;
  price: OwnPrice;
  /** What was decided about the tool's price. */
  decisions: readonly PriceDecision[];
  offer: OfferTaken | null;
  freeMonths: FreeMonths | null;
  /** Who of a team uses the tool; without it, everybody. */
  chosenUsers?: readonly string[] | null;
};

export type BillPayer = PayerFacts & {
  cardOnFile: boolean;
  /** What Stripe's customer balance takes off the next invoices; negative where it adds to them. */
  creditCents: number;
  chargesPaused: boolean;
  /** The next billing instant; null where nothing is billed by the month yet. */
  nextBillAt: Date | null;
  /** The day of the month, in UTC, that billing instants are counted from. */
  billingDay: number | null;
};

export type BillInput = {
  payer: BillPayer;
  tiers: readonly DatedTier[];
  rows: readonly BillRow[];
  /** Those that wait for the next bill, oldest first. */
  adjustments: readonly Adjustment[];
  now: Date;
};

/** The input as it is once this row is changed so. */
export const withRow = (input: BillInput, id: string, change: Partial<BillRow>): BillInput => ({
  ...input,
  rows: input.rows.map((row) => (row.id === id ? { ...row, ...change } : row)),
});

/** What its lines come to: a month, without parts and credit. */
export const monthCentsOf = ({ lines }: Pick<Bill, 'lines'>) => sumCents(lines);

/** The last day in Sydney of a period that ends at that moment. */
export const lastDay = (start: Date, end: Date) => plusDays(sydneyDate(end), daysOf(start, end) > 0 ? -1 : 0);

/**
 * The rows as they will be if an unpaid bill is paid: what is in grace goes on. The bill tells what paying leads to; what becomes of
 * those who don't pay is said by the grace itself.
 */
export const ifPaid = ({ rows, payer }: BillInput): BillRow[] =>
  rows.map((row) =>
    row.status === 'grace_period' && row.endDate !== null && payer.nextBillAt !== null
      ? { ...row, status: 'active', endDate: payer.nextBillAt }
      : row,
  );

/**
 * How many paid tools go on after that day, which decides the volume discount; without a date, how many there are now. A trial
 * counts where a card will keep it.
 */
export const paidTools = (input: BillInput, at: Date | null): number =>
  ifPaid(input).filter((row) => {
    const facts = { ...row, cardOnFile: input.payer.cardOnFile, freeAccess: input.payer.freeAccess };
    return row.toolId !== lostMoneyTool && hasAccess(facts, input.now) && (at === null || goesOnAfter(facts, at));
  }).length;

/** What a month of the row costs at that moment, beside the tools that go on after it. */
export function priceAt(row: BillRow, input: BillInput, at: Date, tools = paidTools(input, at)): Price {
  return priceOf({
    toolId: row.toolId,
    toolName: row.toolName,
    unitCents: unitCentsAt(row.price, row.decisions, at),
    payer: input.payer,
    quantity: quantityOf(input.payer, row),
    paidTools: tools,
    tiers: tiersAt(input.tiers, at),
    winBack: offerAt(row.offer, at),
    freeMonth: isFreeAt(row.freeMonths, at),
    suspended: input.payer.chargesPaused,
  });
}

/** From which moment the row is billed by the month: the end of what is paid, or of a trial that a card keeps. Null: never. */
export function billedFrom(row: BillRow, payer: Pick<BillPayer, 'cardOnFile' | 'freeAccess'>): Date | null {
  if (!row.autoRenew || row.toolId === lostMoneyTool) return null;
  if (row.status === 'active') return row.endDate;
  return row.status === 'trial' && payer.cardOnFile && !payer.freeAccess ? row.trialEndDate : null;
}

/** Months are counted from the billing instant. */
export const billAfter = (at: Date, { billingDay }: Pick<BillPayer, 'billingDay'>) => plusMonths(at, 1, billingDay);

/**
 * Whether a bill of that instant has the row: what it was paid for is over, or a trial ends on that day in Sydney. Charging such a trial
 * a bill later would charge two months at once.
 */
export function isOnBill(row: BillRow, payer: Pick<BillPayer, 'cardOnFile' | 'freeAccess'>, at: Date): boolean {
  const from = billedFrom(row, payer);
  return from !== null && (from <= at || (row.status === 'trial' && calendarDays(at, from, businessZone) === 0));
}

export function lineOf(row: BillRow, price: Price, from: Date, until: Date, quantity: number): BillLine {
  let left = price.baseCents;
  const discounts = price.discounts.map((discount, index): BillDiscount => {
    const percent = percentOff(discount);
    const cents = percentOf(left, percent);
    left -= cents;
    const isOffer = discount.kind === 'win_back' || discount.kind === 'code';
    const label = price.lines[index + 1]!.label;
    return { kind: discount.kind, label, percent, cents, endsAt: isOffer ? (row.offer?.endsAt ?? null) : null };
  });
  return {
    subscriptionId: row.id,
    toolId: row.toolId,
    toolName: row.toolName,
    quantity,
    unitCents: quantity === 0 ? 0 : price.baseCents / quantity,
    baseCents: price.baseCents,
    discounts,
    cents: price.totalCents,
    gstCents: gstIn(price.totalCents),
    from: sydneyDate(from),
    to: lastDay(from, until),
  };
}

/** How many seats of the tool are paid: those who were chosen, else everybody in the team. */
export const quantityOf = ({ kind, members }: PayerFacts, { chosenUsers }: Pick<BillRow, 'chosenUsers'>): number =>
  kind === 'team' ? (chosenUsers?.length ?? members) : 1;

/**
 * The days from the end of a trial, or of a period that ended before the bill, to the bill, at the price that the tool has then.
 * `start` is when the bill's running month began. Null where no day lies between.
 */
export function partUntil(row: BillRow, input: BillInput, until: Date, start: Date): BillPart | null {
  const from = billedFrom(row, input.payer);
  const days = from ? daysOf(from, until) : 0;
  if (!from || days <= 0) return null;
  const cents = partOf(priceAt(row, input, from).totalCents, days, daysOf(start, until));
  const { id, toolId, toolName } = row;
  const cause = row.status === 'trial' ? ('trial_end' as const) : ('join_one_bill' as const);
  const dates = { from: sydneyDate(from), to: lastDay(from, until), days };
  return {
    id: null,
    cause,
    subscriptionId: id,
    toolId,
    toolName,
    person: null,
    ...dates,
    cents,
    gstCents: gstIn(cents),
  };
}

/** The parts that a bill of this sum can take: a credit as far as it goes, the rest is left. */
function taken(parts: readonly BillPart[], linesCents: number): { parts: BillPart[]; leftCents: number } {
  let room = linesCents + sumCents(parts.filter(({ cents }) => cents > 0));
  let leftCents = 0;
  const those = parts.flatMap((part): BillPart[] => {
    if (part.cents >= 0) return [part];
    const cents = Math.max(part.cents, -room);
    room += cents;
    leftCents += cents - part.cents;
    return cents === 0 ? [] : [{ ...part, cents, gstCents: gstIn(cents) }];
  });
  return { parts: those, leftCents };
}

/** A part of a month that was written down, without what else its row has. */
export const partFrom = (written: Adjustment): BillPart => {
  const { id, cause, subscriptionId, toolId, toolName, person, from, to, days, cents } = written;
  return { id, cause, subscriptionId, toolId, toolName, person, from, to, days, cents, gstCents: gstIn(cents) };
};

/** What the payer is charged at that instant, as known now. It has a part for each trial that ends earlier. */
export function billOf(input: BillInput, at: Date): Bill {
  const { payer } = input;
  const until = billAfter(at, payer);
  const before =
    payer.nextBillAt && at.getTime() === payer.nextBillAt.getTime() ? plusMonths(at, -1, payer.billingDay) : null;
  const rows = ifPaid(input);
  const billed = rows.filter((row) => isOnBill(row, payer, at));
  const lines = billed.map((row) => lineOf(row, priceAt(row, input, at), at, until, quantityOf(payer, row)));
  const coming = rows.flatMap((row) =>
    before && billed.includes(row) ? (partUntil(row, input, at, before) ?? []) : [],
  );
  const waiting = at.getTime() === (payer.nextBillAt ?? at).getTime() ? input.adjustments : [];
  const own = waiting.map(partFrom);
  return totalled({ at, until, lines, parts: [...own, ...coming] }, payer.creditCents);
}

/** Whether bills go on after that instant: one has lines, or a tool is paid beyond it. */
export const goOnAfter = (input: BillInput, bill: Bill): boolean =>
  bill.lines.length > 0 ||
  ifPaid(input).some((row) => row.status === 'active' && (billedFrom(row, input.payer) ?? bill.at) > bill.at);

/** The input once that bill is written: its tools are paid until its end. */
export const afterBill = (input: BillInput, { at, until, lines }: Bill): BillInput => ({
  ...input,
  payer: {
    ...input.payer,
    nextBillAt: until,
    billingDay: input.payer.billingDay ?? at.getUTCDate(),
    creditCents: 0,
  },
  rows: input.rows.map((row) =>
    lines.some(({ subscriptionId: id }) => id === row.id) ? { ...row, status: 'active', endDate: until } : row,
  ),
  adjustments: [],
});

/** Lines and parts as a bill, with what credits and the customer's balance make of their sum. */
export function totalled(
  { at, until, lines, parts: all }: Pick<Bill, 'at' | 'until' | 'lines' | 'parts'>,
  balance: number,
): Bill {
  const { parts, leftCents } = taken(all, sumCents(lines));
  const due = sumCents(lines) + sumCents(parts);
  const { cents: totalCents, creditCents: after } = afterCredit(due, balance);
  const carriedCents = totalCents === 0 && after < 0 ? -after : 0;
  return {
    at,
    until,
    day: sydneyDate(at),
    lines,
    parts,
    leftCents,
    balanceLeftCents: Math.max(0, after),
    creditCents: balance === 0 ? 0 : due - totalCents - carriedCents,
    totalCents,
    carriedCents,
    gstCents: [...lines, ...parts].reduce((total, { gstCents }) => total + gstCents, 0),
  };
}
