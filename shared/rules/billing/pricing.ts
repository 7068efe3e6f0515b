import type { MembershipType } from '../people/accounts.ts';
import { hour, monthsText, plusMonths } from '../dates.ts';
import { percentOf } from './money.ts';
import { lostMoneyTool } from '../tools/tools.ts';

export const partnerPercent = 50;
export const teamPercent = 15;
export const teamDiscountMembers = { min: 5, max: 19 } as const;
export const teamDiscountMinTools = 2;

export type Tier = { toolCount: number; discountPercent: number };

/** What the price depends on. `members` counts everyone in a team, its owner too; 1 for an adviser. */
export type PayerFacts = {
  kind: 'user' | 'team';
  membershipType: MembershipType;
  freeAccess: boolean;
  members: number;
};

/** A win-back offer in force on this one subscription, or a discount code, which counts as one. */
export type WinBack = { percent: number; months: number; code?: string };

export type PriceLine = { label: string; cents: number };

export type Price = {
  /** Unit price × quantity, before discounts. */
  baseCents: number;
  /** The price first, then each discount as a negative amount; they add up to `totalCents`. */
  lines: PriceLine[];
  totalCents: number;
  /** What the discounts take off together, rounded to the whole percent that is shown. */
  discountPercent: number;
  /** Those that apply, in this order. */
  discounts: Discount[];
};

export const discountKinds = [
  'free',
  'free_month',
  'suspended',
  'partner',
  'bulk',
  'team',
  'win_back',
  'code',
] as const;
export type DiscountKind = (typeof discountKinds)[number];

export type Discount =
  | { kind: 'free' }
  | { kind: 'free_month' }
  | { kind: 'suspended' }
  | { kind: 'partner'; percent: number }
  | { kind: 'bulk'; percent: number }
  | { kind: 'team'; percent: number }
  | { kind: 'win_back'; percent: number; months: number }
  | { kind: 'code'; percent: number; months: number; code: string };

type PercentDiscount = Exclude<Discount, { kind: 'free' | 'free_month' | 'suspended' }>;

export type PriceInput = {
  toolId: string;
  toolName: string;
  unitCents: number;
  payer: PayerFacts;
  /** The seats of the tool; without it, one for everybody in the team. */
  quantity?: number;
  /** Paid tools of this payer that still give access, this one included. */
  paidTools: number;
  tiers: readonly Tier[];
  winBack?: WinBack | null;
  /** An administrator made this month free. */
  freeMonth?: boolean;
  /** The adviser is suspended, and nothing is charged. */
  suspended?: boolean;
};

/** The highest tier with toolCount ≤ count, or null. */
export function tierFor(tiers: readonly Tier[], count: number): Tier | null {
  return tiers.filter((tier) => tier.toolCount <= count).toSorted((a, b) => b.toolCount - a.toolCount)[0] ?? null;
}

/** The lowest tier with toolCount > count, or null. */
export function nextTierAfter(tiers: readonly Tier[], count: number): Tier | null {
  return tiers.filter((tier) => tier.toolCount > count).toSorted((a, b) => a.toolCount - b.toolCount)[0] ?? null;
}

/** What a discount takes off, in percent. */
export const percentOff = (discount: Discount): number => ('percent' in discount ? discount.percent : 100);

const offerDiscount = ({ percent, months, code }: WinBack): PercentDiscount =>
  code === undefined ? { kind: 'win_back', percent, months } : { kind: 'code', percent, months, code };

/** The larger of bulk tier, team discount, and win-back offer or discount code; never stacked. A tie goes to the one that lasts longest. */
function percentageDiscount({ payer, paidTools, tiers, winBack }: PriceInput): PercentDiscount | null {
  const candidates: PercentDiscount[] = [];
  const tier = tierFor(tiers, paidTools);
  if (tier) candidates.push({ kind: 'bulk', percent: tier.discountPercent });
  const teamSized = payer.members >= teamDiscountMembers.min && payer.members <= teamDiscountMembers.max;
  if (payer.kind === 'team' && teamSized && paidTools >= teamDiscountMinTools)
    candidates.push({ kind: 'team', percent: teamPercent });
  if (winBack) candidates.push(offerDiscount(winBack));
  return candidates.reduce<(typeof candidates)[number] | null>(
    (best, c) => (c.percent > (best?.percent ?? 0) ? c : best),
    null,
  );
}

const label = (discount: Discount): string => {
  switch (discount.kind) {
    case 'free':
      return '100% Free Access Granted';
    case 'free_month':
      return 'Free month';
    case 'suspended':
      return 'Nothing is charged while the account is suspended';
    case 'partner':
      return `Partner discount (${discount.percent}%)`;
    case 'bulk':
      return `Bulk discount (${discount.percent}%)`;
    case 'team':
      return `Team discount (${discount.percent}%)`;
    case 'win_back':
      return `Welcome back discount (${discount.percent}%, ${monthsText(discount.months)})`;
    case 'code':
      return `Discount code ${discount.code} (${discount.percent}%, ${monthsText(discount.months)})`;
  }
};

/**
 * The price of one tool for one payer per month, in cents; quote, charge and invoice line all come from here. Partners
 * pay half; then the largest percentage discount is taken off what is left. Each discount is rounded half up.
 */
export function priceOf(input: PriceInput): Price {
  const { payer, toolId } = input;
  const { quantity = payer.kind === 'team' ? payer.members : 1 } = input;
  const baseCents = toolId === lostMoneyTool ? 0 : input.unitCents * quantity;
  const lines: PriceLine[] = [
    { label: quantity === 1 ? input.toolName : `${input.toolName} × ${quantity} members`, cents: baseCents },
  ];
  const discounts: Discount[] = [];
  let totalCents = baseCents;
  const take = (discount: Discount, cents: number) => {
    discounts.push(discount);
    lines.push({ label: label(discount), cents: 0 - cents });
    totalCents -= cents;
  };
  if (baseCents > 0 && payer.kind === 'user' && payer.freeAccess) {
    take({ kind: 'free' }, baseCents);
  } else if (baseCents > 0 && (input.suspended || input.freeMonth)) {
    take({ kind: input.suspended ? 'suspended' : 'free_month' }, baseCents);
  } else if (baseCents > 0) {
    if (payer.membershipType === 'shaw_partners')
      take({ kind: 'partner', percent: partnerPercent }, percentOf(totalCents, partnerPercent));
    const other = percentageDiscount(input);
    if (other) take(other, percentOf(totalCents, other.percent));
  }
  const discountPercent = baseCents === 0 ? 0 : Math.round(((baseCents - totalCents) * 100) / baseCents);
  return { baseCents, lines, totalCents, discountPercent, discounts };
}

/** From which invoice on the offer no longer holds, if its first invoice is at that moment. */
export const offerEnd = (first: Date, { months }: WinBack) => plusMonths(first, months);

/** A win-back offer or discount code that a subscription was bought with: bills before `endsAt` (ISO) are reduced by it. */
export type OfferTaken = WinBack & { offerId?: string; endsAt: string | null };

/** The offer, if a bill of that moment still gets it. */
export const offerAt = (offer: OfferTaken | null, at: Date): OfferTaken | null =>
  offer?.endsAt && new Date(offer.endsAt) <= at ? null : offer;

/** A volume discount for invoices from `from` until just before `until`; without dates, always. */
export type DatedTier = Tier & { from?: Date | null; until?: Date | null };

/** The volume discounts of an invoice of that moment. */
export const tiersAt = (tiers: readonly DatedTier[], at: Date): Tier[] =>
  tiers
    .filter(({ from, until }) => (!from || from <= at) && (!until || until > at))
    .map(({ toolCount, discountPercent }) => ({ toolCount, discountPercent }));

/** When they next change, as known at that moment; null where they stay the same. */
export const tiersChangeAt = (tiers: readonly DatedTier[], now: Date): Date | null => {
  const coming = tiers.flatMap(({ from, until }) => [from, until].filter((date) => date && date > now) as Date[]);
  return coming.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
};

/** Free months that an administrator gave: invoices from `from` until just before `until` (ISO dates) cost nothing. */
export type FreeMonths = { months: number; from: string; until: string };

/** How many months may be given at once. */
export const freeMonthsRange = { min: 1, max: 12, usual: 1 } as const;

/** From the invoice of that date on. */
export const freeMonthsFrom = (firstInvoiceAt: Date, months: number, billingDay?: number | null): FreeMonths => ({
  months,
  from: firstInvoiceAt.toISOString(),
  until: plusMonths(firstInvoiceAt, months, billingDay).toISOString(),
});

/** Stripe's dates may differ from ours by this much. */
const slack = 12 * hour;

/** Whether an invoice of that date is free. */
export const isFreeAt = (free: FreeMonths | null, invoiceAt: Date | null): boolean =>
  free !== null &&
  invoiceAt !== null &&
  invoiceAt.getTime() >= new Date(free.from).getTime() - slack &&
  invoiceAt.getTime() < new Date(free.until).getTime() - slack;

/** The first of the monthly invoices from that date on that is not free. */
export function afterFreeMonths(free: FreeMonths | null, invoiceAt: Date, billingDay?: number | null): Date {
  for (let months = 0; ; months += 1) {
    const at = plusMonths(invoiceAt, months, billingDay);
    if (!isFreeAt(free, at)) return at;
  }
}

/**
 * `months` more free months, after those still to come; null where that would be more than may be to come at once. `next` is the
 * date of the next invoice.
 */
export function withFreeMonths(
  free: FreeMonths | null,
  next: Date,
  months: number,
  billingDay?: number | null,
): (FreeMonths & { begins: Date }) | null {
  const begins = afterFreeMonths(free, next, billingDay);
  const until = plusMonths(begins, months, billingDay);
  if (until > plusMonths(next, freeMonthsRange.max, billingDay)) return null;
  const running = isFreeAt(free, next) ? free : null;
  return {
    months: months + (running?.months ?? 0),
    from: running?.from ?? begins.toISOString(),
    until: until.toISOString(),
    begins,
  };
}
