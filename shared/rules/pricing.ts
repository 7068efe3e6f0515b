import type { MembershipType } from './accounts.ts';
import { percentOf } from './money.ts';
import { lostMoneyTool } from './tools.ts';

export const partnerPercent = 50;
export const teamPercent = 15;
export const teamDiscountMembers = { min: 5, max: 19 } as const;
export const teamDiscountMinTools = 2;

export type Tier = { toolCount: number; discountPercent: number };

/** Who pays, as far as the price depends on it. A team is a payer of its own; `members` counts everyone in it. */
export type PayerFacts = {
  kind: 'user' | 'team';
  membershipType: MembershipType;
  freeAccess: boolean;
  members: number;
};

/** A win-back offer in force on this one subscription. */
export type WinBack = { percent: number; months: number };

export type PriceLine = { label: string; cents: number };

export type Price = {
  /** Unit price × quantity, before discounts. */
  baseCents: number;
  /** The price first, then each discount as a negative amount; they add up to `totalCents`. */
  lines: PriceLine[];
  totalCents: number;
  /** What the discounts take off together, rounded to the whole percent that is shown. */
  discountPercent: number;
  /** Percentage discounts put on the provider's subscription, in this order; empty when the price needs no provider. */
  discounts: Discount[];
};

/** Every kind of discount, as a bill names it. */
export const discountKinds = ['free', 'partner', 'bulk', 'team', 'win_back'] as const;

export type Discount =
  | { kind: 'free' }
  | { kind: 'partner'; percent: number }
  | { kind: 'bulk'; percent: number }
  | { kind: 'team'; percent: number }
  | { kind: 'win_back'; percent: number; months: number };

export type PriceInput = {
  toolId: string;
  toolName: string;
  unitCents: number;
  payer: PayerFacts;
  /** Live paid tools of this payer, this one included: trial, active, cancelled with access left, grace (decisions §4). */
  paidTools: number;
  tiers: readonly Tier[];
  winBack?: WinBack | null;
};

/** The highest tier with toolCount ≤ count, or null. */
export function tierFor(tiers: readonly Tier[], count: number): Tier | null {
  return tiers.filter((tier) => tier.toolCount <= count).toSorted((a, b) => b.toolCount - a.toolCount)[0] ?? null;
}

/** The lowest tier with toolCount > count, or null. */
export function nextTierAfter(tiers: readonly Tier[], count: number): Tier | null {
  return tiers.filter((tier) => tier.toolCount > count).toSorted((a, b) => a.toolCount - b.toolCount)[0] ?? null;
}

/** The larger of bulk tier, team discount and win-back; never stacked. A tie goes to the one that lasts longest. */
function percentageDiscount({ payer, paidTools, tiers, winBack }: PriceInput): Discount | null {
  const candidates: Exclude<Discount, { kind: 'free' }>[] = [];
  const tier = tierFor(tiers, paidTools);
  if (tier) candidates.push({ kind: 'bulk', percent: tier.discountPercent });
  const teamSized = payer.members >= teamDiscountMembers.min && payer.members <= teamDiscountMembers.max;
  if (payer.kind === 'team' && teamSized && paidTools >= teamDiscountMinTools)
    candidates.push({ kind: 'team', percent: teamPercent });
  if (winBack) candidates.push({ kind: 'win_back', ...winBack });
  return candidates.reduce<(typeof candidates)[number] | null>(
    (best, c) => (c.percent > (best?.percent ?? 0) ? c : best),
    null,
  );
}

const label = (discount: Discount): string => {
  switch (discount.kind) {
    case 'free':
      return '100% Free Access Granted';
    case 'partner':
      return `Partner discount (${discount.percent}%)`;
    case 'bulk':
      return `Bulk discount (${discount.percent}%)`;
    case 'team':
      return `Team discount (${discount.percent}%)`;
    case 'win_back':
      return `Welcome back discount (${discount.percent}%, ${discount.months} ${discount.months === 1 ? 'month' : 'months'})`;
  }
};

/**
 * The price of one tool for one payer per month, in cents (decisions §4). The quote shown, the charge made and the
 * invoice line all come from here: half off for partners, then the larger percentage discount on what is left, each
 * discount rounded half up on unit price × quantity.
 */
export function priceOf(input: PriceInput): Price {
  const { payer, toolId } = input;
  const quantity = payer.kind === 'team' ? payer.members : 1;
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
  } else if (baseCents > 0) {
    if (payer.membershipType === 'shaw_partners')
      take({ kind: 'partner', percent: partnerPercent }, percentOf(totalCents, partnerPercent));
    const other = percentageDiscount(input);
    if (other && other.kind !== 'free') take(other, percentOf(totalCents, other.percent));
  }
  const discountPercent = baseCents === 0 ? 0 : Math.round(((baseCents - totalCents) * 100) / baseCents);
  return { baseCents, lines, totalCents, discountPercent, discounts };
}
