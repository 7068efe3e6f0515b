import type { BillLine } from './bill-types.ts';
import type { Ending } from './forecast.ts';
import type { DiscountKind } from './pricing.ts';

/** What the summary needs of a forecast. */
export type Summarised = {
  bill: { lines: readonly Pick<BillLine, 'baseCents' | 'cents' | 'discounts'>[] } | null;
  endings: readonly Pick<Ending, 'reason' | 'monthlyCents'>[];
};

export type BillingSummary = {
  subtotalCents: number;
  /** What each kind of discount takes off. */
  discounts: { kind: DiscountKind; cents: number }[];
  monthCents: number;
  savingsPercent: number;
  /** None of it will be charged unless a card is given: these are trials. */
  onlyIfKept: boolean;
};

const sum = (list: readonly number[]) => list.reduce((total, cents) => total + cents, 0);

/** A month of the coming bill; without one, of trials if they are kept. Null where neither costs anything. */
export function billingSummary({ bill, endings }: Summarised): BillingSummary | null {
  const lines = bill?.lines ?? [];
  const trials = endings.filter(({ reason }) => reason === 'trial_without_card');
  if (lines.length === 0) {
    const monthCents = sum(trials.map(({ monthlyCents }) => monthlyCents));
    if (bill || monthCents === 0) return null;
    return { subtotalCents: monthCents, discounts: [], monthCents, savingsPercent: 0, onlyIfKept: true };
  }
  const subtotalCents = sum(lines.map(({ baseCents }) => baseCents));
  const monthCents = sum(lines.map(({ cents }) => cents));
  const all = lines.flatMap(({ discounts }) => discounts);
  const discounts = [...new Set(all.map(({ kind }) => kind))]
    .map((kind) => ({ kind, cents: sum(all.filter((one) => one.kind === kind).map(({ cents }) => cents)) }))
    .filter(({ cents }) => cents > 0);
  const savingsPercent = subtotalCents === 0 ? 0 : Math.round(((subtotalCents - monthCents) * 100) / subtotalCents);
  return { subtotalCents, discounts, monthCents, savingsPercent, onlyIfKept: false };
}
