import type { BillRecord } from './queries-bills.ts';

type Unpaid = Pick<BillRecord, 'stripeInvoiceId' | 'problem' | 'graceEnd'>;

/** The columns of a tool that hangs on an unpaid bill; it was paid until `endDate`. */
export const inGrace = ({ stripeInvoiceId, problem, graceEnd }: Unpaid, endDate: Date) => ({
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

/** The columns of a tool that goes on until then. */
export const goingOn = (until: Date) => ({
  status: 'active' as const,
  endDate: until,
  gracePeriodEnd: null,
  paymentProblem: null,
});
