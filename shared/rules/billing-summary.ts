import { businessZone, calendarDays } from './dates.ts';
import type { Discount } from './pricing.ts';
import { nextChargeDate, type RenewingSubscription } from './renewal.ts';

/** A subscription as its payer sees it; the contract's has more. */
export type BilledSubscription = RenewingSubscription & {
  canManage: boolean;
  teamId: string | null;
  baseCents: number;
  discounts: readonly { kind: Discount['kind']; cents: number }[];
  paymentProblem: { amountCents: number } | null;
};

export type BillingSummary = {
  subtotalCents: number;
  /** What each kind of discount takes off, where it does. */
  discounts: { kind: Discount['kind']; cents: number }[];
  totalCents: number;
  savingsPercent: number;
  /** What failed charges have left unpaid. */
  overdueCents: number;
  next: { at: Date; cents: number } | null;
};

/** Trials, renewing and overdue subscriptions: what a month costs. Cancelled ones and those that run out cost no more. */
const costs = (sub: BilledSubscription) =>
  sub.status === 'grace_period' || (sub.autoRenew && (sub.status === 'trial' || sub.status === 'active'));

const sum = (list: readonly number[]) => list.reduce((total, cents) => total + cents, 0);

/** The Billing Summary of one payer (B §2, §9): sums of the very lines that the invoices will have. */
export function billingSummary(
  subscriptions: readonly BilledSubscription[],
  teamId: string | null = null,
): BillingSummary | null {
  const billed = subscriptions.filter((sub) => sub.canManage && sub.teamId === teamId && costs(sub));
  if (billed.length === 0) return null;
  const subtotalCents = sum(billed.map((sub) => sub.baseCents));
  const totalCents = sum(billed.map((sub) => sub.monthlyCents));
  const lines = billed.flatMap((sub) => sub.discounts);
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  const discounts = kinds
    .map((kind) => ({ kind, cents: sum(lines.filter((line) => line.kind === kind).map(({ cents }) => cents)) }))
    .filter(({ cents }) => cents > 0);
  const savingsPercent = subtotalCents === 0 ? 0 : Math.round(((subtotalCents - totalCents) * 100) / subtotalCents);
  const overdueCents = sum(billed.map(({ paymentProblem }) => paymentProblem?.amountCents ?? 0));
  return { subtotalCents, discounts, totalCents, savingsPercent, overdueCents, next: nextPayment(billed) };
}

/** The earliest real charge, with everything that falls on the same day. */
function nextPayment(billed: readonly BilledSubscription[]): BillingSummary['next'] {
  const charges = billed.flatMap((sub) => {
    const at = nextChargeDate(sub);
    return at ? [{ at, cents: sub.monthlyCents }] : [];
  });
  const first = charges.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0];
  if (!first) return null;
  const sameDay = charges.filter(({ at }) => calendarDays(first.at, at, businessZone) === 0);
  return { at: first.at, cents: sum(sameDay.map(({ cents }) => cents)) };
}
