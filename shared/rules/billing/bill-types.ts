import type { DiscountKind } from './pricing.ts';

/** Why part of a month is charged or credited. */
export const adjustmentCauses = [
  'trial_end',
  'joined',
  'left',
  'below_minimum',
  'join_one_bill',
  'correction',
] as const;
export type AdjustmentCause = (typeof adjustmentCauses)[number];

/** A dated amount for part of a month, in cents; a credit is negative. `from` and `to` are its first and last day in Sydney. */
export type Adjustment = {
  id: string;
  cause: AdjustmentCause;
  subscriptionId: string | null;
  toolId: string;
  toolName: string;
  person: string | null;
  from: string;
  to: string;
  days: number;
  cents: number;
};

export type BillDiscount = { kind: DiscountKind; label: string; percent: number; cents: number; endsAt: string | null };

/** One tool for one month; the base less the discounts is `cents`. */
export type BillLine = {
  subscriptionId: string;
  toolId: string;
  toolName: string;
  quantity: number;
  unitCents: number;
  baseCents: number;
  discounts: BillDiscount[];
  cents: number;
  gstCents: number;
  from: string;
  to: string;
};

/** Part of a month on a bill. `id` is null for one that is still to come, and of a purchase. */
export type BillPart = Omit<Adjustment, 'id' | 'cause'> & {
  id: string | null;
  cause: AdjustmentCause | 'purchase';
  gstCents: number;
};

/** What a payer is charged at one instant. Its day is the Sydney date of the instant. */
export type Bill = {
  at: Date;
  /** The end of the month that its lines pay. */
  until: Date;
  day: string;
  lines: BillLine[];
  parts: BillPart[];
  /** Credits that it can't take, since no bill is below zero; they stay for the next one. */
  leftCents: number;
  /** What the customer's balance has left after it; it pays the bills that follow. */
  balanceLeftCents: number;
  /** What the customer's balance takes off; negative where it adds. */
  creditCents: number;
  /** What the card is charged. */
  totalCents: number;
  /** Too little to charge (1 to 49 cents); the next bill has it. */
  carriedCents: number;
  gstCents: number;
};

export const gstIn = (cents: number) => Math.sign(cents) * Math.round(Math.abs(cents) / 11);
