import { payerOf } from '#server/payers/service.ts';
import type { Db } from '#server/platform/data/database.ts';
import { type SlotRow, slotsOf, type SubscriptionRow } from '../queries.ts';
import type { BillRecord } from './queries-bills.ts';

/** Whether a tool hangs on this bill: it goes on if the bill is paid, and expires if it isn't. */
export const hangsOn =
  ({ lines, stripeInvoiceId }: BillRecord) =>
  ({ id, paymentProblem }: SubscriptionRow) =>
    lines.some(({ subscriptionId }) => subscriptionId === id) || paymentProblem?.invoiceId === stripeInvoiceId;

/** The payer's rows that hang on it, as they are now. */
export const rowsOn = async (db: Db, bill: BillRecord): Promise<SlotRow[]> =>
  (await slotsOf(db, payerOf(bill))).filter(hangsOn(bill));

/** The columns of a tool that hangs on an unpaid bill; it was paid until `endDate`. */
export const inGrace = ({ stripeInvoiceId, problem, graceEnd }: BillRecord, endDate: Date) => ({
  status: 'grace_period' as const,
  endDate,
  gracePeriodEnd: graceEnd,
  paymentProblem: {
    invoiceId: stripeInvoiceId!,
    amountCents: problem?.dueCents ?? 0,
    reason: problem?.reason ?? '',
    needsAction: problem?.needsAction ?? false,
  },
});

/** The columns of a tool that goes on until then; without a date, it costs nothing. */
export const goingOn = (until: Date | null) => ({
  status: 'active' as const,
  endDate: until,
  gracePeriodEnd: null,
  paymentProblem: null,
});
