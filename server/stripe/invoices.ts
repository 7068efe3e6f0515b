import type Stripe from 'stripe';
import type { Confirmation } from '#shared/api/subscriptions.ts';
import { formatSydneyDate, hour } from '#shared/rules/dates.ts';
import type { DraftInvoice, ForecastLine } from '#shared/rules/forecast.ts';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import { toolName } from '#server/catalogue/service.ts';
import type { Context } from '#server/platform/context.ts';
import { askStripe, askStripeIfThere, askStripeUnlessRefused, idOf } from './ask.ts';
import { couponName, discountKindOf, percentOfCoupon } from './coupons.ts';
import { ensureCoupon, ensurePrice } from './products.ts';

/** The invoice with its discounts and all its lines (Stripe sends only the first few); null where there is none. */
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

/** Under a key Stripe repeats its first answer, so a repeated call learns what the first one did. */
const keyed = (key: string | undefined) => (key === undefined ? {} : { idempotencyKey: key });

/**
 * Charges an open invoice to this card, with the adviser at the screen unless `offSession`. Where the bank refuses the card or
 * asks for its owner, the answer is false, the invoice stays open and the browser goes on with its client secret.
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

/** Makes sure that an open invoice is never charged; false where it is no longer open. */
export const voidInvoice = async (context: Context, id: string, { key }: { key?: string } = {}): Promise<boolean> =>
  (await askStripeUnlessRefused(context, (stripe) => stripe.invoices.voidInvoice(id, {}, keyed(key)))) !== null;

/** How the browser confirms the open invoice; nothing to confirm where it is not open. */
export async function findConfirmation(context: Context, id: string): Promise<Confirmation> {
  const invoice = await readInvoice(context, id);
  return invoice.status === 'open' ? confirmationOfInvoice(invoice) : nothingToConfirm;
}

/** The next invoice as Stripe would write it now: when, for how many at what price, with which of our coupons. */
type NextInvoice = { at: Date; quantity: number; unitCents: number; coupons: string[]; draftId: string | null };

/** The latest invoice, while it is a draft that can still be corrected. */
const draftOf = ({ latest_invoice: invoice }: Stripe.Subscription): Stripe.Invoice | null =>
  invoice !== null && typeof invoice !== 'string' && invoice.status === 'draft' ? invoice : null;

/**
 * A renewal that is still a draft counts as the next invoice, with its own discounts: changes to the subscription's don't
 * reach it.
 */
export function nextInvoiceOf(subscription: Stripe.Subscription): NextInvoice {
  const { items, discounts } = subscription;
  const draft = draftOf(subscription);
  const at = Math.min(...items.data.map((item) => (draft ? item.current_period_start : item.current_period_end)));
  const coupons = (draft?.discounts ?? discounts).flatMap((discount) => {
    if (typeof discount === 'string') throw new Error('the discounts of the subscription were not expanded');
    const end = 'end' in discount ? discount.end : null;
    return (draft || end === null || end > at ? idOf(discount.source.coupon) : null) ?? [];
  });
  const { quantity = 1, price } = items.data[0]!;
  return { at: new Date(at * 1000), quantity, unitCents: price.unit_amount ?? 0, coupons, draftId: draft?.id ?? null };
}

/**
 * Sets the unit price of the invoices from the next one on. Nothing is prorated, the running period stays as it was paid, and a draft
 * keeps its price.
 */
export async function setStripePrice(
  context: Context,
  subscription: Stripe.Subscription,
  { unitCents, quantity }: { unitCents: number; quantity: number },
) {
  const { toolId } = subscription.metadata;
  if (toolId === undefined) throw new Error(`subscription ${subscription.id} is for no tool of ours`);
  const price = await ensurePrice(context, { id: toolId, name: await toolName(context.db, toolId) }, unitCents);
  // The quantity is named, since a new price could begin with one of its own.
  const items = subscription.items.data.map(({ id }) => ({ id, price, quantity }));
  await askStripe(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'none' }),
  );
}

/** Sets how many members it is for from now on; Stripe prorates on the next invoice. */
export async function setStripeQuantity(context: Context, subscription: Stripe.Subscription, quantity: number) {
  const items = subscription.items.data.map(({ id }) => ({ id, quantity }));
  await askStripe(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'create_prorations' }),
  );
}

/**
 * Replaces its discounts from the next invoice on, and those of a draft, without proration. A discount that already runs is
 * named by its own id: naming its coupon would restart its months.
 */
export async function setStripeDiscounts(
  context: Context,
  subscription: Stripe.Subscription,
  coupons: PurchaseAttempt['coupons'],
) {
  const running = new Map<string | null, string>();
  for (const discount of subscription.discounts)
    if (typeof discount !== 'string') running.set(idOf(discount.source.coupon), discount.id);
  const wanted = await Promise.all(
    coupons.map(async (coupon) => {
      const discount = running.get(coupon.id);
      return discount === undefined ? { coupon: await ensureCoupon(context, coupon) } : { discount };
    }),
  );
  const { discounts } = await askStripe(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, {
      discounts: wanted.length > 0 ? wanted : '',
      proration_behavior: 'none',
    }),
  );
  const draft = draftOf(subscription);
  if (!draft) return;
  const carried = discounts.map((discount) => ({ discount: idOf(discount)! }));
  // Stripe refuses once the draft's hour is over; the invoice is then compared as it was issued.
  await askStripeUnlessRefused(context, (stripe) =>
    stripe.invoices.update(draft.id, { discounts: carried.length > 0 ? carried : '' }),
  );
}

/** What waits for the next invoice because members joined or left; a credit is negative. In cents, after discounts. */
export type Proration = { label: string; cents: number };

/** What a proration is for: "5 members, 20 Nov 2026 to 10 Dec 2026", or "Credit for" the members before the change. */
export const prorationLabel = ({
  quantity,
  period,
  amount,
}: Pick<Stripe.InvoiceItem, 'period' | 'amount'> & { quantity: number | null }): string => {
  const members = `${quantity} ${quantity === 1 ? 'member' : 'members'}`;
  const [from, to] = [period.start, period.end].map((seconds) => formatSydneyDate(new Date(seconds * 1000)));
  return `${amount < 0 ? `Credit for ${members}` : members}, ${from} to ${to}`;
};

/**
 * The next invoice as Stripe would write it now: its prorations, and the total of everything else on it in cents. Null where
 * Stripe will write none.
 */
export async function previewNextInvoice(
  context: Context,
  subscription: Stripe.Subscription,
): Promise<{ prorations: Proration[]; monthCents: number } | null> {
  const customer = idOf(subscription.customer);
  const [preview, pending] = await Promise.all([
    askStripeIfThere(context, (stripe) => stripe.invoices.createPreview({ subscription: subscription.id })),
    customer && askStripe(context, (stripe) => stripe.invoiceItems.list({ customer, pending: true, limit: 100 })),
  ]);
  if (!preview) return null;
  const own = pending ? pending.data : [];
  const prorations = own
    .filter(({ parent }) => idOf(parent?.subscription_details?.subscription) === subscription.id)
    .map((item) => ({ label: prorationLabel(item), cents: item.net_amount ?? item.amount }));
  return { prorations, monthCents: preview.total - prorations.reduce((sum, { cents }) => sum + cents, 0) };
}

/** A line of a draft with its discounts; whoever shows it adds the tool's name. */
function draftLines(line: Stripe.InvoiceLineItem, coupons: ReadonlyMap<string, string>): ForecastLine[] {
  const quantity = line.quantity ?? 1;
  const off = (line.discount_amounts ?? []).map((one) => ({ id: coupons.get(idOf(one.discount) ?? '') ?? '', ...one }));
  if (line.parent?.subscription_item_details?.proration) {
    const cents = off.reduce((left, { amount }) => left - amount, line.amount);
    return [{ kind: 'proration', label: prorationLabel(line), cents }];
  }
  return [
    { kind: 'price', label: '', quantity, unitCents: Math.round(line.amount / quantity), cents: line.amount },
    ...off.map(({ id, amount }) => ({
      kind: 'discount' as const,
      discount: discountKindOf(id),
      label: couponName(id),
      percent: percentOfCoupon(id),
      cents: -amount,
      endsAt: null,
    })),
  ];
}

/** The draft of a renewal that will be charged within the hour, as the forecast shows it; null where there is none. */
export function draftInvoiceOf(subscription: Stripe.Subscription): DraftInvoice | null {
  const draft = draftOf(subscription);
  if (draft?.billing_reason !== 'subscription_cycle') return null;
  const coupons = new Map(
    draft.discounts.flatMap((discount) =>
      typeof discount === 'string' || discount.deleted ? [] : [[discount.id, idOf(discount.source.coupon) ?? '']],
    ),
  );
  return {
    at: new Date((draft.automatically_finalizes_at ?? draft.created + hour / 1000) * 1000).toISOString(),
    lines: draft.lines.data.flatMap((line) => draftLines(line, coupons)),
    gstCents: (draft.total_taxes ?? []).reduce((sum, { amount }) => sum + amount, 0),
  };
}
