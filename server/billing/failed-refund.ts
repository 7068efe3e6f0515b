import type Stripe from 'stripe';
import { formatCents } from '#shared/rules/billing/money.ts';
import { findInvoiceByStripeId } from '#server/invoices/service.ts';
import { notify } from '#server/notifications/service.ts';
import { findPayerFacts, payerOf } from '#server/payers/service.ts';
import { administratorIds } from '#server/people/service.ts';
import { heading } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';

/** The payer has heard that they are refunded, and gets nothing: every administrator is told once, since somebody must pay it otherwise. */
export async function tellFailedRefund(
  inside: Context,
  stripeInvoiceId: string,
  { id, amount, failure_reason: reason }: Stripe.Refund,
): Promise<void> {
  const invoice = await findInvoiceByStripeId(inside.db, stripeInvoiceId);
  const facts = invoice && (await findPayerFacts(inside.db, payerOf(invoice)));
  if (!facts) return;
  const { title, subject } = heading`Refund failed: ${formatCents(amount)}`;
  const why = reason ? ` (${reason.replaceAll('_', ' ')})` : '';
  const message = `The bank did not take the refund of ${formatCents(amount)} to ${facts.name.trim()}, of invoice ${invoice.number ?? stripeInvoiceId}${why}. The money is back at Stripe. Please pay it to them in another way.`;
  for (const userId of await administratorIds(inside.db))
    await notify(inside, {
      userId,
      title,
      message,
      actionUrl: `/admin/users/${facts.contactId}`,
      dedupeKey: `refund-failed:${id}`,
      mail: { kind: 'refund-failed', subject, actionLabel: 'See the payer' },
    });
}
