import type { Discount } from './pricing.ts';
import type { RenewingSubscription } from './renewal.ts';

/** The fields of a subscription that the summary needs. */
export type BilledSubscription = RenewingSubscription & {
  canManage: boolean;
  teamId: string | null;
  baseCents: number;
  discounts: readonly { kind: Discount['kind']; cents: number }[];
  paymentProblem: { amountCents: number; tried: boolean } | null;
};

export type BillingSummary = {
  subtotalCents: number;
  /** What each kind of discount takes off, if anything. */
  discounts: { kind: Discount['kind']; cents: number }[];
  totalCents: number;
  /** None of it will be charged unless a card is given: these are trials. */
  onlyIfKept: boolean;
  savingsPercent: number;
  /** What failed charges have left unpaid. */
  overdueCents: number;
};

const isOverdue = ({ status, paymentProblem }: BilledSubscription) =>
  status === 'grace_period' && paymentProblem?.tried !== false;

/** Trials, renewals and overdue subscriptions count; cancelled ones and those that run out do not. */
const costs = (sub: BilledSubscription) =>
  isOverdue(sub) || (sub.autoRenew && (sub.status === 'trial' || sub.status === 'active'));

const sum = (list: readonly number[]) => list.reduce((total, cents) => total + cents, 0);

/** The Billing Summary of one payer: sums of the lines their next invoices will have. Null: nothing is billed. */
export function billingSummary(
  subscriptions: readonly BilledSubscription[],
  teamId: string | null = null,
): BillingSummary | null {
  const billed = subscriptions.filter((sub) => sub.canManage && sub.teamId === teamId && costs(sub));
  if (billed.length === 0) return null;
  const onlyIfKept = billed.every(
    ({ status, cardOnFile, monthlyCents }) => monthlyCents === 0 || (status === 'trial' && !cardOnFile),
  );
  const subtotalCents = sum(billed.map((sub) => sub.baseCents));
  const totalCents = sum(billed.map((sub) => sub.monthlyCents));
  const lines = billed.flatMap((sub) => sub.discounts);
  const kinds = [...new Set(lines.map(({ kind }) => kind))];
  const discounts = kinds
    .map((kind) => ({ kind, cents: sum(lines.filter((line) => line.kind === kind).map(({ cents }) => cents)) }))
    .filter(({ cents }) => cents > 0);
  const savingsPercent = subtotalCents === 0 ? 0 : Math.round(((subtotalCents - totalCents) * 100) / subtotalCents);
  const overdueCents = sum(billed.map(({ paymentProblem }) => paymentProblem?.amountCents ?? 0));
  return {
    subtotalCents,
    discounts,
    totalCents,
    onlyIfKept: onlyIfKept && totalCents > 0,
    savingsPercent,
    overdueCents,
  };
}
