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

/** Subscriptions that one run, a minute long, reads again: a quarter of a million within a day, and never in a burst. */
export const readEachMinute = 200;
