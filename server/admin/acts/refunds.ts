import * as z from 'zod';
import { refundAloneCents, refundAloneDays } from '#shared/rules/operators/admin.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { audit } from '#server/audit/service.ts';
import { readRefundable, refundInvoice, type Refundable } from '#server/billing/service.ts';
import type { InvoiceRow } from '#server/invoices/service.ts';
import { lockPayer, type Payer, payerOf, requirePayerFacts, subjectOf, userPayer } from '#server/payers/service.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { asStored, type Kind, payerIn, storedPayer } from './act-kind.ts';
import { ask, finish } from './carry-out.ts';
import { requireInvoice } from './invoices.ts';
import { refuseOwn } from './people.ts';
import { type ActRow, isRefundKeyUsed, refundedAlone } from './queries.ts';

type RefundRequest = { cents: number; leftCents: number; reason: string };

/** What Stripe says of the invoice; refused if that is not what the administrator saw, or leaves too little to refund. */
async function readRefund(
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

/** Who gets the refund: the adviser, or the team's owner. */
const personOf = async ({ db }: Context, payer: Payer) => (await requirePayerFacts(db, payer)).contactId;

const since = (context: Context) => plus(context.now(), -refundAloneDays * day);

/** What administrators, each alone, refunded to whoever pays the invoice, within the days that count together. */
export const refundedOfLate = async (context: Context, invoice: InvoiceRow): Promise<number> =>
  refundedAlone(context.db, await personOf(context, payerOf(invoice)), since(context));

/**
 * How much of it one administrator may refund alone. Two totals must stay within the limit: all refunds of this invoice, and what
 * administrators have lately refunded alone to the same person. Null if a second administrator is never asked.
 */
export const mayRefundAlone = ({ env }: Context, { refundedCents }: Refundable, ofLateCents: number): number | null =>
  env.fourEyes ? Math.max(0, refundAloneCents - Math.max(refundedCents, ofLateCents)) : null;

/** An act that was left unfinished in the release before has only `cents` and `key`. */
const moneyIn = ({ parameters }: ActRow) => z.object({ cents: z.int(), key: z.string().optional() }).parse(parameters);

export const refundKind: Kind = {
  about: ({ parameters }) => {
    const { cents, invoice, payer } = z
      .object({ cents: z.int(), invoice: z.string(), payer: storedPayer })
      .parse(parameters);
    return {
      what: (whom) => `refund ${whom} ${formatCents(cents)} of invoice ${invoice}`,
      subject: payerIn(payer),
      trail: { amountCents: cents, invoice },
    };
  },
  later: async (context, act) => {
    const { cents, key = `approval:${act.id}` } = moneyIn(act);
    const invoice = await requireInvoice(context, act.subjectId);
    await refundInvoice(context, invoice, { cents, reason: act.reason, key });
    await finish(context, act);
  },
};

/**
 * Refunds at once if one administrator may; otherwise the refund waits for a second one. Before any money moves, the audit trail says
 * that it was asked for; that the money moved, the adjustment note says, which follows from Stripe.
 */
export async function askForRefund(context: Context, id: string, request: RefundRequest): Promise<string> {
  const invoice = await requireInvoice(context, id);
  const state = await readRefund(context, invoice, request);
  const { cents, reason } = request;
  const payer = payerOf(invoice);
  await refuseOwn(context, payer);
  const personId = await personOf(context, payer);
  const asked = {
    kind: 'refund' as const,
    subjectId: id,
    parameters: { cents, invoice: invoice.number ?? invoice.stripeInvoiceId, payer: asStored(payer) },
    reason,
  };
  const mayAlone = (ofLate: number) => cents <= (mayRefundAlone(context, state, ofLate) ?? cents);
  if (!mayAlone(await refundedAlone(context.db, personId, since(context)))) {
    const waits = await ask(context, { ...asked, needsTwo: true }, refundKind);
    return waits!;
  }
  const key = `${invoice.stripeInvoiceId}:${state.made}`;
  const check = async (inside: Context, act: ActRow) => {
    // Held until the transaction ends, so that no other refund to this person is counted in between.
    await lockPayer(inside.db, userPayer(personId));
    if (await isRefundKeyUsed(inside.db, act, key)) throw new AppError('refund_changed');
    // Counted again under the lock: of two small refunds at once, the second counts the first.
    if (!mayAlone(await refundedAlone(inside.db, personId, since(context), act.id)))
      throw new AppError('refunds_add_up');
    const { subject, trail } = refundKind.about!(act);
    await audit(inside, 'admin.refund_asked', { ...subjectOf(subject), after: { ...trail, reason } });
  };
  const parameters = { ...asked.parameters, key };
  await ask(context, { ...asked, parameters, refund: { personId, cents }, check }, refundKind);
  return `${formatCents(cents)} goes back to the card. The user is told by email.`;
}
