import type { actsApi } from '#shared/api/operators/acts.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { refundAloneCents, refundAloneDays } from '#shared/rules/operators/admin.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { cardName, formatCents } from '#shared/rules/billing/money.ts';
import { readRefundable, type Refundable } from '#server/billing/service.ts';
import type { InvoiceRow } from '#server/invoices/service.ts';
import { payerOf } from '#server/payers/service.ts';
import { billingForecast } from '#server/subscriptions/service.ts';
import type { Context } from '#server/platform/context.ts';
import { nameOf, requireInvoice } from './invoices.ts';
import { mayRefundAlone, refundedOfLate } from './refunds.ts';

function refundWords(invoice: InvoiceRow, { paidCents, refundedCents, leftCents, card, disputed }: Refundable) {
  if (paidCents === 0) return ['Nothing was charged to a card for it, so there is nothing to refund.'];
  const before = refundedCents > 0 ? `, and ${formatCents(refundedCents)} of it was refunded before` : '';
  const charged = `${formatCents(paidCents)} was charged${card ? ` to ${card}` : ''} for ${nameOf(invoice)}${before}.`;
  if (disputed) return [charged, 'The payment is disputed at the bank, which has the money. Answer it at Stripe.'];
  if (leftCents === 0) return [charged, 'Nothing is left to refund.'];
  return [
    charged,
    `At most ${formatCents(leftCents)} can go back to that card, which takes banks up to ten days. It can’t be taken back.`,
    'We’ll issue an adjustment note and email your reason. This doesn’t cancel the subscriptions.',
  ];
}

/** How much of what is left one administrator may refund, if that is not all of it. */
function aloneWords({ leftCents, refundedCents }: Refundable, alone: number | null, ofLateCents: number): string[] {
  if (alone === null || alone >= leftCents) return [];
  const limit = formatCents(refundAloneCents);
  return [
    ofLateCents > refundedCents
      ? `More than ${formatCents(alone)} needs a second administrator: administrators refunded this person ${formatCents(ofLateCents)} alone in the last ${refundAloneDays} days, and the limit is ${limit} in all.`
      : `More than ${formatCents(alone)} needs a second administrator: the limit is ${limit} of one invoice in all.`,
  ];
}

/** `GET /api/admin/invoices/:id/outlook`: what can be refunded, by Stripe's own figures, and what an open invoice allows. */
export async function invoiceOutlook(context: Context, id: string): Promise<Reply<typeof actsApi.invoiceOutlook>> {
  const invoice = await requireInvoice(context, id);
  const payer = payerOf(invoice);
  const [refundable, ofLate, { bill, card }] = await Promise.all([
    readRefundable(context, invoice),
    refundedOfLate(context, invoice),
    billingForecast(context, payer),
  ]);
  const due = formatCents(invoice.dueCents);
  const later = bill ? [`The next bill stays ${formatCents(bill.totalCents)} on ${formatSydneyDate(bill.at)}.`] : [];
  return {
    leftCents: refundable.leftCents,
    refund: [
      ...refundWords(invoice, refundable),
      ...aloneWords(refundable, mayRefundAlone(context, refundable, ofLate), ofLate),
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
            void: [`${due} of ${nameOf(invoice)} will never be charged, and the tools go on.`, ...later],
          }
        : null,
  };
}
