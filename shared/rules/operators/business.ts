/** Who pays; `free` is what costs nothing (the free tool, free access), whoever has it. */
export const plans = ['individual', 'partner', 'team', 'free'] as const;
export type Plan = (typeof plans)[number];
export const planNames: Record<Plan, string> = {
  individual: 'Individual',
  partner: 'Special pricing',
  team: 'Team',
  free: 'Free',
};

/** Why recurring revenue changed. `opening`: it was there when changes began to be kept. */
export const movements = ['opening', 'new', 'expanded', 'contracted', 'churned', 'reactivated'] as const;

/** Months on the page at once. */
export const businessMonthsShown = 12;

/** A month is `2026-11`. */
export const plusMonthsOf = (month: string, count: number) => {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
};

/** The months up to and including this one, the oldest first. */
export const monthsUntil = (last: string, count: number) =>
  Array.from({ length: count }, (_, index) => plusMonthsOf(last, index - count + 1));

export const monthsBetween = (from: string, to: string) =>
  (Number(to.slice(0, 4)) - Number(from.slice(0, 4))) * 12 + Number(to.slice(5, 7)) - Number(from.slice(5, 7));

/** The quarter of an activity statement: the financial year begins in July and is named after the year it ends in. */
export function basQuarterOf(month: string) {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5, 7))];
  const quarter = number >= 7 ? Math.ceil(number / 3) - 2 : Math.ceil(number / 3) + 2;
  const ends = number >= 7 ? year + 1 : year;
  const first = plusMonthsOf(month, -((number - 1) % 3));
  return { id: `${ends}-Q${quarter}`, quarter, financialYear: ends, first, last: plusMonthsOf(first, 2) };
}

/** The share that is left, as a whole percentage; null where there was nothing. */
export const retainedPercent = (left: number, begun: number) => (begun > 0 ? Math.round((left / begun) * 100) : null);

/** How many of a cohort are left at the end of each month, from the changes of each month. */
export function leftOf(changes: ReadonlyMap<string, number>, cohort: string, until: string): number[] {
  let left = 0;
  return Array.from({ length: monthsBetween(cohort, until) + 1 }, (_, age) => {
    left += changes.get(plusMonthsOf(cohort, age)) ?? 0;
    return left;
  });
}
