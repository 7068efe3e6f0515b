import { brand } from '#shared/brand.ts';
import type { actsApi } from '#shared/api/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { Charge } from '#shared/api/subscriptions.ts';
import { refundAloneCents } from '#shared/rules/admin.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/money.ts';
import { cardName } from '#shared/rules/cards.ts';
import { audit } from '#server/audit/service.ts';
import { cardOnFile, readRefundable, refundInvoice, type Refundable } from '#server/billing/service.ts';
import { findCopiedInvoice, type InvoiceRow } from '#server/invoices/service.ts';
import { customerDetails, payerOf, type PayerWords, subjectOf } from '#server/payers/service.ts';
import { forecastFor, forgiveOpenInvoice, retryCharge } from '#server/subscriptions/service.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import { stripeSubscriptionOf } from './queries-invoices.ts';
import { tellPayer } from './tell-payer.ts';

export async function requireInvoice({ db }: Context, id: string): Promise<InvoiceRow> {
  const invoice = await findCopiedInvoice(db, id);
  if (!invoice) throw new AppError('invoice_not_found');
  return invoice;
}

const nameOf = ({ number, description }: InvoiceRow) => `invoice ${number ?? 'without a number'} for ${description}`;

function refundWords(invoice: InvoiceRow, { paidCents, refundedCents, leftCents, card, disputed }: Refundable) {
  if (paidCents === 0) return ['Nothing was charged to a card for it, so there is nothing to refund.'];
  const before = refundedCents > 0 ? `, and ${formatCents(refundedCents)} of it was refunded before` : '';
  const charged = `${formatCents(paidCents)} was charged${card ? ` to ${card}` : ''} for ${nameOf(invoice)}${before}.`;
  if (disputed) return [charged, 'The payment is disputed at the bank, which has the money. Answer it at Stripe.'];
  if (leftCents === 0) return [charged, 'Nothing is left to refund.'];
  return [
    charged,
    `At most ${formatCents(leftCents)} can go back to that card, which takes banks up to ten days. It can’t be taken back.`,
    'An adjustment note and an email with your reason follow. The subscription goes on; cancel it apart.',
  ];
}

/** `GET /api/admin/invoices/:id/outlook`: Stripe's own figures. */
export async function invoiceOutlook(context: Context, id: string): Promise<Reply<typeof actsApi.invoiceOutlook>> {
  const invoice = await requireInvoice(context, id);
  const payer = payerOf(invoice);
  const [refundable, customer, { next }] = await Promise.all([
    readRefundable(context, invoice),
    customerDetails(context.db, payer),
    forecastFor(context, payer),
  ]);
  const card = cardOnFile(customer);
  const due = formatCents(invoice.dueCents);
  const later = next ? [`The next charge stays ${formatCents(next.totalCents)} on ${formatSydneyDate(next.at)}.`] : [];
  return {
    leftCents: refundable.leftCents,
    refund: [
      ...refundWords(invoice, refundable),
      ...(refundable.leftCents > 0 && needsSecond(context, refundable, refundable.leftCents)
        ? [`More than ${formatCents(refundAloneCents)} of one invoice, in all, needs a second administrator.`]
        : []),
    ],
    open:
      invoice.status === 'open'
        ? {
            dueCents: invoice.dueCents,
            last4: card?.last4 ?? null,
            retry: card
              ? [
                  `${due} is charged to ${cardName(card)} now.`,
                  'If the bank refuses, the invoice stays open, and nothing changes.',
                ]
              : ['There is no card on file to charge.'],
            void: [`${due} of ${nameOf(invoice)} will never be charged, and the subscription goes on.`, ...later],
          }
        : null,
  };
}

export type RefundRequest = { cents: number; leftCents: number; reason: string };

/** What Stripe says of it, where that is what was decided by, and leaves so much. */
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

/** Whether a second administrator is needed: by what would then be refunded of the invoice in all. */
export const needsSecond = ({ env }: Context, { refundedCents }: Refundable, cents: number) =>
  env.fourEyes && refundedCents + cents > refundAloneCents;

/**
 * Refunds it. The trail says that it was asked for before any money moves; the adjustment note, which follows from Stripe, that it
 * did.
 */
export async function refundAlone(
  context: Context,
  invoice: InvoiceRow,
  state: Refundable,
  { cents, reason }: RefundRequest,
): Promise<void> {
  await auditRefund(context, invoice, cents, reason);
  await refundInvoice(context, invoice, { cents, reason, key: `${invoice.stripeInvoiceId}:${state.made}` });
}

const auditRefund = (context: Context, invoice: InvoiceRow, amountCents: number, reason: string) =>
  transaction(context.db, (tx) =>
    audit(within(context, tx), 'admin.refund_asked', {
      ...subjectOf(payerOf(invoice)),
      after: { amountCents, invoice: invoice.number ?? invoice.stripeInvoiceId, reason },
    }),
  );

/** An open invoice of a subscription, as Stripe is asked about it. */
async function requireOpen(context: Context, id: string, dueCents: number) {
  const invoice = await requireInvoice(context, id);
  const stripeSubscriptionId =
    invoice.subscriptionId && (await stripeSubscriptionOf(context.db, invoice.subscriptionId));
  if (invoice.status !== 'open' || !stripeSubscriptionId) throw new AppError('invoice_settled');
  if (invoice.dueCents !== dueCents) throw new AppError('price_changed');
  return { invoice, asked: { id: invoice.stripeInvoiceId, stripeSubscriptionId, dueCents } };
}

/** Charges an open invoice to the card on file, as the button said. */
export async function retry(
  context: Context,
  id: string,
  { charge, reason }: { charge: Charge; reason: string },
): Promise<void> {
  const { invoice, asked } = await requireOpen(context, id, charge.cents);
  const payer = payerOf(invoice);
  const paid = await retryCharge(context, asked, charge);
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    await audit(inside, 'admin.charge_retried', {
      ...subjectOf(payer),
      after: {
        amountCents: charge.cents,
        invoice: invoice.number ?? asked.id,
        outcome: paid ? 'was paid' : 'was refused',
        reason,
      },
    });
    if (!paid) return;
    await tellPayer(inside, payer, {
      kind: 'charge-retried',
      title: 'What was owed is paid',
      sentence: (words: PayerWords) =>
        `An administrator of ${brand.name} charged ${formatCents(charge.cents)} of ${nameOf(invoice)}${words.whose} to ${words.card ?? 'your card'}.`,
      reason,
      key: asked.id,
    });
  });
  if (!paid) throw new AppError('charge_refused');
}

/** Has an open invoice never be charged. */
export async function voidFor(
  context: Context,
  id: string,
  { dueCents, reason }: { dueCents: number; reason: string },
): Promise<void> {
  const { invoice, asked } = await requireOpen(context, id, dueCents);
  const payer = payerOf(invoice);
  await forgiveOpenInvoice(context, asked);
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    await audit(inside, 'admin.invoice_voided', {
      ...subjectOf(payer),
      after: { amountCents: dueCents, invoice: invoice.number ?? asked.id, reason },
    });
    await tellPayer(inside, payer, {
      kind: 'invoice-voided',
      title: 'An invoice will not be charged',
      sentence: (words: PayerWords) =>
        `An administrator of ${brand.name} withdrew ${nameOf(invoice)}${words.whose}: ${formatCents(dueCents)} will not be charged.`,
      reason,
      key: asked.id,
    });
  });
}
