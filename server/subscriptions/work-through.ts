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

/** Payers whom one run, of which there is one a minute, compares with Stripe: 144,000 within a day, and never in a burst. */
export const readEachMinute = 100;
