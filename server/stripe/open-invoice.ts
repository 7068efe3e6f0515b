import type Stripe from 'stripe';
import type { Confirmation } from '#shared/api/subscriptions.ts';
import type { Context } from '#server/platform/context.ts';
import { askStripe, askStripeIfThere, askStripeUnlessRefused, idOf } from './ask.ts';

/** The invoice with its discounts and all its lines, of which Stripe sends the first few only; null where there is none. */
export async function findInvoice(context: Context, id: string): Promise<Stripe.Invoice | null> {
  const invoice = await askStripeIfThere(context, (stripe) => stripe.invoices.retrieve(id, { expand: ['discounts'] }));
  if (!invoice) return null;
  const data = [...invoice.lines.data];
  for (let more = invoice.lines.has_more; more;) {
    const after = data.at(-1)?.id;
    const page = await askStripe(context, (stripe) =>
      stripe.invoices.listLineItems(id, { limit: 100, ...(after && { starting_after: after }) }),
    );
    data.push(...page.data);
    more = page.has_more && page.data.length > 0;
  }
  return { ...invoice, lines: { ...invoice.lines, data } };
}

/** Why a charge has not come through, and what is owed. */
export type PaymentProblem = { invoiceId: string; amountCents: number; reason: string; needsAction: boolean };

const readInvoice = (context: Context, id: string) =>
  askStripe(context, (stripe) =>
    stripe.invoices.retrieve(id, { expand: ['confirmation_secret', 'payments.data.payment.payment_intent'] }),
  );

const intentOf = (invoice: Stripe.Invoice): Stripe.PaymentIntent | null => {
  const intents = (invoice.payments?.data ?? []).flatMap(({ payment }) =>
    payment.payment_intent && typeof payment.payment_intent !== 'string' ? [payment.payment_intent] : [],
  );
  return intents.find((intent) => intent.status !== 'canceled') ?? null;
};

/** What is owed for a subscription and why it was not paid, in words for the adviser; null where nothing is owed. */
export async function findPaymentProblem(
  context: Context,
  subscription: Stripe.Subscription,
): Promise<PaymentProblem | null> {
  const id = idOf(subscription.latest_invoice);
  if (!id) return null;
  const invoice = await readInvoice(context, id);
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

export const nothingToConfirm: Confirmation = { intent: 'none', clientSecret: null, amountCents: 0, creditCents: 0 };

const confirmationOfInvoice = (invoice: Stripe.Invoice): Confirmation =>
  invoice.confirmation_secret
    ? {
        intent: 'payment',
        clientSecret: invoice.confirmation_secret.client_secret,
        amountCents: invoice.amount_remaining,
        creditCents: invoice.total - invoice.amount_due,
      }
    : nothingToConfirm;

/** What the browser has to confirm: a payment, a card for a trial, or nothing. */
export function confirmationOf(subscription: Stripe.Subscription): Confirmation {
  const { latest_invoice: invoice, pending_setup_intent: setup } = subscription;
  if (subscription.status === 'incomplete' && invoice && typeof invoice !== 'string')
    return confirmationOfInvoice(invoice);
  if (setup && typeof setup !== 'string')
    return { ...nothingToConfirm, intent: 'setup', clientSecret: setup.client_secret };
  return nothingToConfirm;
}

/** Under a key Stripe answers the same again, so that a repeated call tells what the first did. */
const keyed = (key: string | undefined) => (key === undefined ? {} : { idempotencyKey: key });

/**
 * Charges an open invoice to this card, while the adviser is in front of the screen, unless `offSession`. Where the bank refuses
 * it or asks for its owner, the answer is false, the invoice stays open and the browser goes on with its secret.
 */
export const payInvoice = async (
  context: Context,
  id: string,
  card: { id: string },
  { offSession = false, key }: { offSession?: boolean; key?: string } = {},
): Promise<boolean> =>
  (await askStripeUnlessRefused(context, (stripe) =>
    stripe.invoices.pay(id, { payment_method: card.id, off_session: offSession }, keyed(key)),
  )) !== null;

/** Has an open invoice never be charged; false where it is open no more. */
export const voidInvoice = async (context: Context, id: string, { key }: { key?: string } = {}): Promise<boolean> =>
  (await askStripeUnlessRefused(context, (stripe) => stripe.invoices.voidInvoice(id, {}, keyed(key)))) !== null;

/** How the browser confirms the open invoice; nothing to confirm where it is not open. */
export async function findConfirmation(context: Context, id: string): Promise<Confirmation> {
  const invoice = await readInvoice(context, id);
  return invoice.status === 'open' ? confirmationOfInvoice(invoice) : nothingToConfirm;
}
