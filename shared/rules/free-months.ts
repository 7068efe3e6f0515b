import { hour, plusMonths } from './dates.ts';

/** Months that an administrator gave: invoices from the one date (ISO) until before the other cost nothing. */
export type FreeMonths = { months: number; from: string; until: string };

/** How many months may be given at once. */
export const freeMonthsRange = { min: 1, max: 12, usual: 1 } as const;

/** From the invoice of that date on. */
export const freeMonthsFrom = (firstInvoiceAt: Date, months: number): FreeMonths => ({
  months,
  from: firstInvoiceAt.toISOString(),
  until: plusMonths(firstInvoiceAt, months).toISOString(),
});

/** Stripe's dates may differ from ours by as much. */
const slack = 12 * hour;

/** Whether an invoice of that date is one of them. */
export const isFreeAt = (free: FreeMonths | null, invoiceAt: Date | null): boolean =>
  free !== null &&
  invoiceAt !== null &&
  invoiceAt.getTime() >= new Date(free.from).getTime() - slack &&
  invoiceAt.getTime() < new Date(free.until).getTime() - slack;
