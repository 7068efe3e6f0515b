import type Stripe from 'stripe';
import type { Context } from '#server/platform/context.ts';
import { isCardError } from '#server/platform/payments.ts';
import { asked, idOf, isRefusal } from './provider.ts';

/** Why a charge has not come through, and what is owed. */
export type PaymentProblem = { invoiceId: string; amountCents: number; reason: string; needsAction: boolean };

const read = (context: Context, id: string) =>
  asked(context, (stripe) =>
    stripe.invoices.retrieve(id, { expand: ['confirmation_secret', 'payments.data.payment.payment_intent'] }),
  );

const intentOf = (invoice: Stripe.Invoice): Stripe.PaymentIntent | null => {
  const intents = (invoice.payments?.data ?? []).flatMap(({ payment }) =>
    payment.payment_intent && typeof payment.payment_intent !== 'string' ? [payment.payment_intent] : [],
  );
  return intents.find((intent) => intent.status !== 'canceled') ?? null;
};

/** The open invoice of a subscription in arrears, as the adviser has to hear of it; null where nothing is owed. */
export async function paymentProblemOf(
  context: Context,
  subscription: Stripe.Subscription,
): Promise<PaymentProblem | null> {
  const id = idOf(subscription.latest_invoice);
  if (!id) return null;
  const invoice = await read(context, id);
  if (invoice.status !== 'open') return null;
  const intent = intentOf(invoice);
  const needsAction =
    intent?.status === 'requires_action' || intent?.last_payment_error?.code === 'authentication_required';
  return {
    invoiceId: id,
    amountCents: invoice.amount_remaining,
    reason: needsAction
      ? 'Your bank asks you to confirm this payment.'
      : (intent?.last_payment_error?.message ?? 'There is no card on file to charge.'),
    needsAction,
  };
}

/**
 * Charges an open invoice to the card on file, with the adviser at hand. False where the card is refused, has to be
 * confirmed or is missing: what the browser then needs is `secretOf`.
 */
export async function payInvoice(context: Context, id: string): Promise<boolean> {
  try {
    await asked(context, (stripe) => stripe.invoices.pay(id, { off_session: false }));
    return true;
  } catch (error) {
    if (!isCardError(error) && !isRefusal(error)) throw error;
    return (await asked(context, (stripe) => stripe.invoices.retrieve(id))).status === 'paid';
  }
}

/** What the browser confirms the open invoice with; null where it is not open. */
export async function secretOf(context: Context, id: string): Promise<string | null> {
  const invoice = await read(context, id);
  return invoice.status === 'open' ? (invoice.confirmation_secret?.client_secret ?? null) : null;
}
