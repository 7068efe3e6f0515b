import * as z from 'zod';
import type { BillRow } from '#shared/rules/billing/bill.ts';
import type { FreeMonths, OfferTaken } from '#shared/rules/billing/pricing.ts';

/** The columns that decide what a subscription costs by itself: its own price, its offer or code, and its free months. */
const terms = z.object({
  unitCents: z.int(),
  priceNumber: z.int(),
  risesFrom: z.coerce.date().nullable(),
  winBack: z.custom<OfferTaken>().nullable(),
  freeMonths: z.custom<FreeMonths>().nullable(),
});

/** By tool, what Stripe keeps of it with the item, so that a restored database finds it again. */
export const termsOf = (rows: readonly BillRow[]): Map<string, string> =>
  new Map(
    rows.map(({ toolId, price: { unitCents, number: priceNumber, risesFrom = null }, offer: winBack, freeMonths }) => [
      toolId,
      JSON.stringify({ unitCents, priceNumber, risesFrom, winBack, freeMonths }),
    ]),
  );

/** Null where an item has none, or none that can be read. */
export function readTerms(text: string | undefined): z.output<typeof terms> | null {
  try {
    return terms.safeParse(JSON.parse(text ?? 'null')).data ?? null;
  } catch {
    return null;
  }
}
