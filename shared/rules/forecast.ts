import {
  afterFreeMonths,
  type DatedTier,
  type Discount,
  type FreeMonths,
  isFreeAt,
  type PayerFacts,
  percentOff,
  priceOf,
  tiersAt,
  type WinBack,
  winBackAt,
} from './pricing.ts';
import { calendarDays, plusMonths } from './dates.ts';
import { afterCredit, percentOf } from './money.ts';
import { goesOnAfter, hasAccess, type SubscriptionFacts } from './subscriptions.ts';
import { type OwnPrice, unitCentsAt } from './own-price.ts';
import { lostMoneyTool } from './tools.ts';
import { mostWinBackMonths } from './win-back.ts';

/** What Stripe puts on the next invoice because members came or went, in cents after discounts. A credit is negative. */
export type Proration = { label: string; cents: number };

/**
 * A renewal invoice that Stripe has written and will charge within the hour, as it is at Stripe; `billsOf` puts the tool's name on
 * its price line. `at` is an ISO date.
 */
export type DraftInvoice = { at: string; lines: ForecastLine[]; gstCents: number };

/** A subscription as the forecast needs it. */
export type ForecastRow = SubscriptionFacts & {
  id: string;
  toolId: string;
  toolName: string;
  /** Stripe charges for it. */
  billed: boolean;
  /** The day of the month that Stripe counts its months from, 1 to 31; null where that is not known. */
  billingDay: number | null;
  /** Its own unit price, and what that changes to. */
  price: OwnPrice;
  winBack: (WinBack & { endsAt: string | null }) | null;
  freeMonths: FreeMonths | null;
  prorations: readonly Proration[];
  draft: DraftInvoice | null;
};

export type ForecastPayer = PayerFacts & {
  cardOnFile: boolean;
  /** Credit from earlier invoices; Stripe takes it off the next ones. */
  creditCents: number;
  /** Nothing is charged until an administrator lets the adviser in again. */
  chargesPaused?: boolean;
  /** The time zone that the payer's days are counted in. */
  zone: string;
};

export type ForecastLine =
  | { kind: 'price'; label: string; quantity: number; unitCents: number; cents: number }
  | { kind: 'discount'; discount: Discount['kind']; label: string; percent: number; cents: number; endsAt: Date | null }
  | { kind: 'proration' | 'credit'; label: string; cents: number };

/** One invoice to come. The lines add up to the total, unless a credit is larger. */
export type ForecastCharge = {
  at: Date;
  subscriptionId: string;
  toolId: string;
  toolName: string;
  reason: 'renewal' | 'trial_end';
  lines: ForecastLine[];
  /** What the card is charged. Never below 0: any credit beyond it, for members who left, is taken off later invoices. */
  totalCents: number;
  gstCents: number;
  /** The first later charge of a different amount, as known now: within a year, or as long as an offer can last. */
  after: { at: Date; totalCents: number } | null;
};

export type Ending = {
  at: Date;
  subscriptionId: string;
  toolId: string;
  toolName: string;
  reason: 'cancelled' | 'auto_renew_off' | 'trial_without_card';
  /** What a month would cost if it went on. */
  monthlyCents: number;
};

/** Everything that will happen to a payer's money and tools, as known now. */
export type Forecast = {
  /** Earliest first. */
  charges: ForecastCharge[];
  endings: Ending[];
  /** The earliest charge, together with all others on the same day where the payer lives. */
  next: { at: Date; totalCents: number } | null;
};

export type ForecastInput = {
  payer: ForecastPayer;
  tiers: readonly DatedTier[];
  rows: readonly ForecastRow[];
  now: Date;
};

/** What a tool will cost a month from that invoice on, instead of what it would cost today. */
export type PriceChange = { toolName: string; at: Date; fromCents: number; toCents: number };

/**
 * How many paid tools of the payer go on after the day of that charge, which decides its volume discount. Without a date, how
 * many there are now.
 */
export const paidToolsAfter = (
  rows: readonly (SubscriptionFacts & { toolId: string })[],
  payer: Pick<ForecastPayer, 'cardOnFile' | 'freeAccess'>,
  at: Date | null,
  now: Date,
): number =>
  rows.filter((row) => {
    const facts = { ...row, cardOnFile: payer.cardOnFile, freeAccess: payer.freeAccess };
    return row.toolId !== lostMoneyTool && hasAccess(facts, now) && (at === null || goesOnAfter(facts, at));
  }).length;

/** When Stripe writes the next invoice of the row; null where it writes none. */
export function nextInvoiceAt(row: SubscriptionFacts & { billed: boolean }, cardOnFile: boolean): Date | null {
  if (!row.billed || !row.autoRenew) return null;
  if (row.status === 'active') return row.endDate;
  return row.status === 'trial' && cardOnFile ? row.trialEndDate : null;
}

const gstIn = (cents: number) => Math.sign(cents) * Math.round(Math.abs(cents) / 11);

/** The lines of the row's invoice at that moment, without prorations. */
function linesAt(row: ForecastRow, at: Date, { payer, tiers, rows, now }: ForecastInput): ForecastLine[] {
  const unitCents = unitCentsAt(row.price, at);
  const price = priceOf({
    toolId: row.toolId,
    toolName: row.toolName,
    unitCents,
    payer,
    paidTools: paidToolsAfter(rows, payer, at, now),
    tiers: tiersAt(tiers, at),
    winBack: winBackAt(row.winBack, at),
    freeMonth: isFreeAt(row.freeMonths, at),
  });
  const quantity = payer.kind === 'team' ? payer.members : 1;
  const lines: ForecastLine[] = [{ kind: 'price', label: row.toolName, quantity, unitCents, cents: price.baseCents }];
  let left = price.baseCents;
  for (const [index, discount] of price.discounts.entries()) {
    const percent = percentOff(discount);
    const off = percentOf(left, percent);
    left -= off;
    const isOffer = discount.kind === 'win_back' || discount.kind === 'code';
    const endsAt = isOffer && row.winBack?.endsAt ? new Date(row.winBack.endsAt) : null;
    const label = price.lines[index + 1]!.label;
    lines.push({ kind: 'discount', discount: discount.kind, label, percent, cents: 0 - off, endsAt });
  }
  return lines;
}

const sum = (lines: readonly { cents: number }[]) => lines.reduce((total, { cents }) => total + cents, 0);

/** An invoice to come, before credit. */
type Bill = { row: ForecastRow; at: Date; reason: ForecastCharge['reason']; lines: ForecastLine[]; gstCents: number };

/** The row's invoices to come: the one being charged now and the next one; if that is free, also the first that isn't. */
function billsOf(row: ForecastRow, input: ForecastInput): Bill[] {
  const bills: Bill[] = [];
  if (row.draft && row.status === 'active') {
    const lines = row.draft.lines.map((line) => (line.kind === 'price' ? { ...line, label: row.toolName } : line));
    bills.push({ row, at: new Date(row.draft.at), reason: 'renewal', lines, gstCents: row.draft.gstCents });
  }
  const at = nextInvoiceAt(row, input.payer.cardOnFile);
  if (at) {
    const monthly = linesAt(row, at, input);
    const prorations = row.prorations.map((one) => ({ kind: 'proration' as const, ...one }));
    // Stripe rounds the GST of each line.
    const gstCents = gstIn(sum(monthly)) + sum(prorations.map(({ cents }) => ({ cents: gstIn(cents) })));
    const reason = row.status === 'trial' ? 'trial_end' : 'renewal';
    bills.push({ row, at, reason, lines: [...monthly, ...prorations], gstCents });
    const paidAt = isFreeAt(row.freeMonths, at) && afterFreeMonths(row.freeMonths, at, row.billingDay);
    if (paidAt) {
      const lines = linesAt(row, paidAt, input);
      bills.push({ row, at: paidAt, reason: 'renewal', lines, gstCents: gstIn(sum(lines)) });
    }
  }
  return bills;
}

/** What is charged for the bills, earliest first, each less what is left of the credit by then. */
function chargesOf(bills: readonly Bill[], input: ForecastInput): ForecastCharge[] {
  let credit = input.payer.creditCents;
  return bills.map(({ row, at, reason, lines, gstCents }) => {
    const due = sum(lines);
    const { cents: totalCents, creditCents } = afterCredit(due, credit);
    credit = creditCents;
    const used = Math.max(0, due) - totalCents;
    const ahead = row.winBack ? mostWinBackMonths : 12;
    const later = Array.from({ length: ahead }, (_, month) => plusMonths(at, month + 1, row.billingDay));
    const credited = { kind: 'credit' as const, label: 'Credit from earlier invoices', cents: -used };
    return {
      at,
      subscriptionId: row.id,
      toolId: row.toolId,
      toolName: row.toolName,
      reason,
      lines: used !== 0 ? [...lines, credited] : lines,
      totalCents,
      gstCents: due > 0 ? gstCents : 0,
      after:
        later
          .map((day) => ({ at: day, totalCents: sum(linesAt(row, day, input)) }))
          .find((charge) => charge.totalCents !== totalCents) ?? null,
    };
  });
}

/** What a month of the row costs on an invoice of that moment. */
export const monthlyCentsAt = (row: ForecastRow, at: Date, input: ForecastInput): number =>
  sum(linesAt(row, at, input));

/** The same, as of now. */
export const monthlyCentsOf = (row: ForecastRow, input: ForecastInput): number => monthlyCentsAt(row, input.now, input);

function endingOf(row: ForecastRow, input: ForecastInput): Ending | null {
  const { payer, now } = input;
  const { id, toolId, toolName, status } = row;
  const ending = (at: Date | null, reason: Ending['reason']): Ending | null => {
    if (!at || at <= now) return null;
    // If it is kept, it counts towards its own discount; and a card given for one trial keeps the others too.
    const rows = input.rows.map((one) => (one === row ? { ...row, status: 'active' as const, autoRenew: true } : one));
    const kept = { ...input, payer: { ...payer, cardOnFile: true }, rows };
    return { at, subscriptionId: id, toolId, toolName, reason, monthlyCents: sum(linesAt(row, at, kept)) };
  };
  if (status === 'cancelled') return ending(row.endDate, 'cancelled');
  if (status === 'active' && !row.autoRenew) return ending(row.endDate, 'auto_renew_off');
  if (status !== 'trial') return null;
  if (!row.autoRenew) return ending(row.trialEndDate, 'auto_renew_off');
  return payer.cardOnFile || payer.freeAccess ? null : ending(row.trialEndDate, 'trial_without_card');
}

const byDate = (a: { at: Date }, b: { at: Date }) => a.at.getTime() - b.at.getTime();

/** What a payer will be charged, and what ends, priced by our rules as they will apply at each of those moments. */
export function forecastOf(input: ForecastInput): Forecast {
  const bills = (input.payer.chargesPaused ? [] : input.rows)
    .flatMap((row) => billsOf(row, input))
    .filter(({ lines }) => sum(lines) > 0 || lines.some(({ kind }) => kind === 'proration'))
    .toSorted(byDate);
  const charges = chargesOf(bills, input);
  const endings = input.rows.flatMap((row) => endingOf(row, input) ?? []).toSorted(byDate);
  const first = charges[0];
  const sameDay = charges.filter(({ at }) => calendarDays(first!.at, at, input.payer.zone) === 0);
  const next = first ? { at: first.at, totalCents: sameDay.reduce((total, one) => total + one.totalCents, 0) } : null;
  return { charges, endings, next };
}

/** What a decision does to the prices of tools that go on either way, from each tool's first invoice that it reaches. */
export function priceChanges(asNow: ForecastInput, decided: ForecastInput): PriceChange[] {
  const changes = asNow.rows.flatMap((row): PriceChange[] => {
    const then = decided.rows.find(({ id }) => id === row.id);
    const next = nextInvoiceAt(row, true);
    if (!next || !then || !nextInvoiceAt(then, true)) return [];
    // A trial is announced at what it will cost once there is a card.
    const of = (input: ForecastInput) =>
      row.status === 'trial' ? { ...input, payer: { ...input.payer, cardOnFile: true } } : input;
    return [next, plusMonths(next, 1, row.billingDay)]
      .map((at) => ({
        toolName: row.toolName,
        at,
        fromCents: sum(linesAt(row, at, of(asNow))),
        toCents: sum(linesAt(then, at, of(decided))),
      }))
      .filter(({ fromCents, toCents }) => fromCents !== toCents)
      .slice(0, 1);
  });
  return changes.toSorted(byDate);
}
