export type Reduction = { discount: string; percentOff: number };
type Rate = { id: string; percentage: number };
export type LineAmounts = {
  amount: number;
  discounts: { discount: string; amount: number }[];
  taxes: { rate: string; amount: number; taxable: number }[];
};

/** Percentages may have two decimals, so they are counted in hundredths of a percent. */
const hundredths = (percentage: number) => Math.round(percentage * 100);
const halfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/** Part of an amount of cents, half a cent rounded up. A credit is rounded as the charge it mirrors, so that both cancel out. */
export const portion = (cents: number, part: number, whole: number): number =>
  cents < 0 ? -halfUp(-cents * part, whole) : halfUp(cents * part, whole);

export const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

type Line = { amount: number; rates: Rate[]; discountable?: boolean };

/**
 * Cents of every line of an invoice. Each discount is taken from what the one before it left. Tax is inside the price:
 * GST of 10% is the total over eleven.
 */
export const lineAmounts = (lines: Line[], reductions: Reduction[]): LineAmounts[] =>
  lines.map(({ amount, rates, discountable = true }) => {
    let left = amount;
    const discounts = (discountable ? reductions : []).map(({ discount, percentOff }) => {
      const off = halfUp(left * hundredths(percentOff), 10_000);
      left -= off;
      return { discount, amount: off };
    });
    const taxes = rates.map(({ id, percentage }) => {
      const tax = portion(left, hundredths(percentage), 10_000 + hundredths(percentage));
      return { rate: id, amount: tax, taxable: left - tax };
    });
    return { amount, discounts, taxes };
  });

/** Adds up amounts that carry the same name, and what they are taxed on, in the order of first appearance. */
export function addUp<T extends { amount: number; taxable_amount?: number | null }>(
  entries: T[],
  name: (entry: T) => string,
): T[] {
  const sums = new Map<string, T>();
  for (const entry of entries) {
    const known = sums.get(name(entry));
    const amount = (known?.amount ?? 0) + entry.amount;
    const taxed = typeof entry.taxable_amount === 'number';
    const taxable_amount = (known?.taxable_amount ?? 0) + (entry.taxable_amount ?? 0);
    sums.set(name(entry), { ...(known ?? entry), amount, ...(taxed && { taxable_amount }) });
  }
  return [...sums.values()];
}
