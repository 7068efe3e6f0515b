import type { Reduction } from './discounts.ts';

type Rate = { id: string; percentage: number; inclusive: boolean };
export type LineAmounts = {
  amount: number;
  discounts: { discount: string; amount: number }[];
  taxes: { rate: string; amount: number; inclusive: boolean; taxable: number }[];
};

/** Percentages may have two decimals, so they are counted in hundredths of a percent. */
const hundredths = (percentage: number) => Math.round(percentage * 100);
const halfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/** Each discount is taken from what the one before it left, and rounded half up to the cent. */
function percentOf(amount: number, percentage: number): number {
  return halfUp(amount * hundredths(percentage), 10_000);
}
/** A credit is rounded as the charge it mirrors, so that both cancel out. */
export const portion = (cents: number, part: number, whole: number): number =>
  cents < 0 ? -halfUp(-cents * part, whole) : halfUp(cents * part, whole);

/** GST of 10% that is inside the price is the total over eleven, rounded half up. */
function taxOf(taxable: number, { percentage, inclusive }: Rate): number {
  const rate = hundredths(percentage);
  return portion(taxable, rate, inclusive ? 10_000 + rate : 10_000);
}

type Line = { amount: number; rates: Rate[]; discountable?: boolean };

/** Cents of every line of an invoice. A fixed amount off is used up line by line. */
export function lineAmounts(lines: Line[], reductions: Reduction[]): LineAmounts[] {
  const fixedLeft = new Map(reductions.map(({ discount, amountOff }) => [discount, amountOff ?? 0]));
  return lines.map(({ amount, rates, discountable = true }) => {
    let left = amount;
    const discounts = (discountable ? reductions : []).map(({ discount, percentOff }) => {
      const fixed = Math.min(left, fixedLeft.get(discount) ?? 0);
      const off = percentOff === null ? fixed : Math.min(left, percentOf(left, percentOff));
      if (percentOff === null) fixedLeft.set(discount, (fixedLeft.get(discount) ?? 0) - off);
      left -= off;
      return { discount, amount: off };
    });
    const taxes = rates.map((rate) => {
      const tax = taxOf(left, rate);
      return { rate: rate.id, amount: tax, inclusive: rate.inclusive, taxable: rate.inclusive ? left - tax : left };
    });
    return { amount, discounts, taxes };
  });
}

/** Adds up amounts that carry the same name, in the order of first appearance. */
export function addUp<T extends { amount: number }>(entries: T[], name: (entry: T) => string): T[] {
  const sums = new Map<string, T>();
  for (const entry of entries) {
    const known = sums.get(name(entry));
    sums.set(name(entry), known ? { ...known, amount: known.amount + entry.amount } : entry);
  }
  return [...sums.values()];
}
