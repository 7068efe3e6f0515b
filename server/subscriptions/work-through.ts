import { type Payer, payerKey, payerOf } from '#server/payers/service.ts';

/** Each payer of these rows once, with the first row. */
export function payersOf<Row extends { userId: string | null; teamId: string | null }>(rows: readonly Row[]) {
  const found = new Map<string, { id: string; payer: Payer; row: Row }>();
  for (const row of rows) {
    const payer = payerOf(row);
    const id = payerKey(payer);
    if (!found.has(id)) found.set(id, { id, payer, row });
  }
  return [...found.values()];
}

/** So many runs, a minute apart, read every subscription once: twenty hours, so that a day has room for failed runs. */
const runsForAll = 20 * 60;
/** What a run may read at least: a small installation is read whole. */
const fewest = 50;

/** How many of `all` subscriptions one run reads again: all of them within a day, and never in a burst. */
export const shareOf = (all: number) => Math.max(fewest, Math.ceil(all / runsForAll));
