import { hour, plusMonths } from './dates.ts';

/** Months that an administrator gave: invoices from the one date (ISO) until before the other cost nothing. */
export type FreeMonths = { months: number; from: string; until: string };

/** How many months may be given at once. */
export const freeMonthsRange = { min: 1, max: 12, usual: 1 } as const;

/** From the invoice of that date on. */
export const freeMonthsFrom = (firstInvoiceAt: Date, months: number, billingDay?: number | null): FreeMonths => ({
  months,
  from: firstInvoiceAt.toISOString(),
  until: plusMonths(firstInvoiceAt, months, billingDay).toISOString(),
});

/** Stripe's dates may differ from ours by as much. */
const slack = 12 * hour;

/** Whether an invoice of that date is one of them. */
export const isFreeAt = (free: FreeMonths | null, invoiceAt: Date | null): boolean =>
  free !== null &&
  invoiceAt !== null &&
  invoiceAt.getTime() >= new Date(free.from).getTime() - slack &&
  invoiceAt.getTime() < new Date(free.until).getTime() - slack;

/** The first of the monthly invoices from that date on that is not free. */
export function afterFreeMonths(free: FreeMonths | null, invoiceAt: Date, billingDay?: number | null): Date {
  for (let months = 0; ; months += 1) {
    const at = plusMonths(invoiceAt, months, billingDay);
    if (!isFreeAt(free, at)) return at;
  }
}

/**
 * So many free months more, behind those that are still to come; null where more than the most would be to come. `next` is the
 * next invoice.
 */
export function withFreeMonths(
  free: FreeMonths | null,
  next: Date,
  months: number,
  billingDay?: number | null,
): (FreeMonths & { begins: Date }) | null {
  const begins = afterFreeMonths(free, next, billingDay);
  const until = plusMonths(begins, months, billingDay);
  if (until > plusMonths(next, freeMonthsRange.max, billingDay)) return null;
  const running = isFreeAt(free, next) ? free : null;
  return {
    months: months + (running?.months ?? 0),
    from: running?.from ?? begins.toISOString(),
    until: until.toISOString(),
    begins,
  };
}
