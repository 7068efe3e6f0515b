export type Reduction = { discount: string; percentOff: number };
type Rate = { id: string; percentage: number };

/** Percentages may have two decimals, so they are counted in hundredths of a percent. */
const hundredths = (percentage: number) => Math.round(percentage * 100);
const halfUp = (numerator: number, denominator: number) =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/** Part of an amount of cents, half a cent rounded up. A credit is rounded as the charge it mirrors, so that both cancel out. */
export const portion = (cents: number, part: number, whole: number): number =>
  cents < 0 ? -halfUp(-cents * part, whole) : halfUp(cents * part, whole);

export const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

/**
 * What is in the cents of a line. Each discount is taken from what the one before it left. Tax is inside the price: GST of 10% is the
 * total over eleven.
 */
export function lineAmounts(amount: number, rates: readonly Rate[], reductions: readonly Reduction[]) {
  let left = amount;
  const discounts = reductions.map(({ discount, percentOff }) => {
    const off = halfUp(left * hundredths(percentOff), 10_000);
    left -= off;
    return { discount, amount: off };
  });
  const taxes = rates.map(({ id, percentage }) => {
    const tax = portion(left, hundredths(percentage), 10_000 + hundredths(percentage));
    return { rate: id, amount: tax, taxable: left - tax };
  });
  return { discounts, taxes };
}

/** Adds up amounts that carry the same name, and what they are taxed on, in the order of first appearance. */
export function addUp<T extends { amount: number; taxable_amount?: number | null }>(
  entries: T[],
  name: (entry: T) => string,
): T[] {
  const sums = new Map<string, T>();
  for (const entry of entries) {
    const known = sums.get(name(entry));
    const amount = (known?.amount ?? 0) + entry.amount;
    const taxable_amount = (known?.taxable_amount ?? 0) + (entry.taxable_amount ?? 0);
    sums.set(name(entry), { ...entry, amount, ...('taxable_amount' in entry && { taxable_amount }) });
  }
  return [...sums.values()];
}
