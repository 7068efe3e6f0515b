import * as z from 'zod';
import { refundAloneCents, refundAloneDays } from '#shared/rules/operators/admin.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { audit } from '#server/audit/service.ts';
import { readRefundable, refundInvoice, type Refundable } from '#server/billing/service.ts';
import type { InvoiceRow } from '#server/invoices/service.ts';
import { payerOf, subjectOf } from '#server/payers/service.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { begin, type Carry, finish } from './carry-out.ts';
import { requireInvoice } from './invoices.ts';
import { isRefundKeyUsed, lockPerson, personOf, refundedAlone } from './queries.ts';

export type RefundRequest = { cents: number; leftCents: number; reason: string };

/** What Stripe says of the invoice; refused if that is not what the administrator saw, or leaves too little to refund. */
export async function readRefund(
  context: Context,
  invoice: InvoiceRow,
  { cents, leftCents }: RefundRequest,
): Promise<Refundable> {
  const state = await readRefundable(context, invoice);
  if (state.leftCents !== leftCents) throw new AppError('refund_changed');
  if (state.paidCents === 0) throw new AppError('invoice_not_paid');
  if (cents > leftCents) throw fieldError('cents', `At most ${formatCents(leftCents)} is left to refund`);
  return state;
}

const since = (context: Context) => plus(context.now(), -refundAloneDays * day);

/** What administrators, each alone, refunded to whoever pays the invoice, within the days that count together. */
export const refundedOfLate = async (context: Context, invoice: InvoiceRow): Promise<number> =>
  refundedAlone(context.db, await personOf(context.db, payerOf(invoice)), since(context));

/**
 * How much of it one administrator may refund alone. Two totals must stay within the limit: all refunds of this invoice, and what
 * administrators have lately refunded alone to the same person. Null if a second administrator is never asked.
 */
export const mayRefundAlone = ({ env }: Context, { refundedCents }: Refundable, ofLateCents: number): number | null =>
  env.fourEyes ? Math.max(0, refundAloneCents - Math.max(refundedCents, ofLateCents)) : null;

const parameters = z.object({ cents: z.int(), key: z.string() });

/**
 * Refunds it if one administrator may; otherwise false. Before any money moves, the audit trail says that it was asked for; that the
 * money moved, the adjustment note says, which follows from Stripe.
 */
export async function refundAlone(
  context: Context,
  invoice: InvoiceRow,
  state: Refundable,
  { cents, reason }: RefundRequest,
): Promise<boolean> {
  const personId = await personOf(context.db, payerOf(invoice));
  const key = `${invoice.stripeInvoiceId}:${state.made}`;
  const allowed = (ofLate: number) => cents <= (mayRefundAlone(context, state, ofLate) ?? cents);
  if (!allowed(await refundedAlone(context.db, personId, since(context)))) return false;
  await begin(
    context,
    {
      kind: 'refund',
      subjectId: invoice.id,
      parameters: { cents, key },
      reason,
      refund: { personId, cents },
      check: async (inside, act) => {
        await lockPerson(inside.db, personId);
        if (await isRefundKeyUsed(inside.db, act, key)) throw new AppError('refund_changed');
        // Counted again under the lock: of two small refunds at once, the second counts the first.
        if (!allowed(await refundedAlone(inside.db, personId, since(context), act.id)))
          throw new AppError('refunds_add_up');
        await audit(inside, 'admin.refund_asked', {
          ...subjectOf(payerOf(invoice)),
          after: { amountCents: cents, invoice: invoice.number ?? invoice.stripeInvoiceId, reason },
        });
      },
    },
    carryRefund,
  );
  return true;
}

export const carryRefund: Carry = async (context, act) => {
  const { cents, key } = parameters.parse(act.parameters);
  const invoice = await requireInvoice(context, act.subjectId);
  await refundInvoice(context, invoice, { cents, reason: act.reason, key });
  await finish(context, act);
};
