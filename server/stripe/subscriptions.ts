import type Stripe from 'stripe';
import type { CancellationReason } from '#shared/rules/cancellation.ts';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import { toolName } from '#server/catalogue/service.ts';
import { metadataOf, type Payer } from '#server/payers/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { memoOf } from '#server/platform/memo.ts';
import { askStripe, askStripeIfThere, askStripeUnlessRefused, idOf, isReusedKey } from './ask.ts';
import { codeOfCoupon } from './coupons.ts';
import { customersCardPays, ensureCustomer } from './customers.ts';
import { ensureCoupon, ensureGst, ensurePrice, forgetIfGone } from './products.ts';

const expand = [
  'latest_invoice.confirmation_secret',
  'latest_invoice.discounts',
  'pending_setup_intent',
  'default_payment_method',
  'discounts',
];

/** One attempt at a purchase, as its row has it. */
type PurchaseOrder = { rowId: string; payer: Payer; toolId: string; purchase: PurchaseAttempt };

const openCalls = memoOf(() => new Map<string, Promise<Stripe.Subscription | null>>());

/**
 * Makes the order's subscription, or answers the one made before: the idempotency key names row and attempt, and the
 * request repeats what the row has. Simultaneous calls in one process share one request. Null where another attempt is
 * needed, because the price or a coupon is gone.
 */
export function createStripeSubscription(context: Context, order: PurchaseOrder): Promise<Stripe.Subscription | null> {
  const open = openCalls(context.payments);
  const key = `sub:create:${order.rowId}:${order.purchase.attempt}`;
  const running = open.get(key);
  if (running) return running;
  const call = create(context, order, key).finally(() => open.delete(key));
  open.set(key, call);
  return call;
}

async function create(context: Context, order: PurchaseOrder, idempotencyKey: string) {
  const { purchase, payer, toolId, rowId } = order;
  const tool = { id: toolId, name: await toolName(context.db, toolId) };
  const [customer, price, gst, ...coupons] = await Promise.all([
    ensureCustomer(context, payer),
    ensurePrice(context, tool, purchase.unitCents),
    ensureGst(context),
    ...purchase.coupons.map((coupon) => ensureCoupon(context, coupon)),
  ]);
  const code = purchase.coupons.map(({ id }) => codeOfCoupon(id)?.code).find((one) => one !== undefined);
  try {
    return await askStripe(context, (stripe) =>
      stripe.subscriptions.create(
        {
          customer,
          items: [{ price, quantity: purchase.quantity }],
          billing_mode: { type: 'flexible' },
          payment_behavior: 'default_incomplete',
          collection_method: 'charge_automatically',
          payment_settings: customersCardPays,
          default_tax_rates: [gst],
          ...(coupons.length > 0 && { discounts: coupons.map((coupon) => ({ coupon })) }),
          ...(purchase.trialDays !== null && trialOf(purchase.trialDays)),
          metadata: {
            ...metadataOf(payer),
            toolId,
            rowId,
            attempt: String(purchase.attempt),
            // The coupon goes with the last discounted month; this keeps the code on record.
            ...(code && { discountCode: code }),
          },
          expand,
        },
        { idempotencyKey },
      ),
    );
  } catch (error) {
    if (forgetIfGone(context, error)) return null;
    const made = isReusedKey(error) ? await findMade(context, customer, order) : null;
    if (!made) throw error;
    return made;
  }
}

/** A trial that needs no card; Stripe cancels it at its end if none was given. */
const trialOf = (days: number) =>
  ({
    trial_period_days: days,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
  }) as const;

async function findMade(context: Context, customer: string, { rowId, purchase }: PurchaseOrder) {
  const page = await askStripe(context, (stripe) => stripe.subscriptions.list({ customer, status: 'all', limit: 100 }));
  const made = page.data.find(
    ({ metadata }) => metadata.rowId === rowId && metadata.attempt === String(purchase.attempt),
  );
  return made ? findStripeSubscription(context, made.id) : null;
}

/** Stripe's subscription with its latest invoice and card; null where it has none of that id. */
export const findStripeSubscription = (context: Context, id: string): Promise<Stripe.Subscription | null> =>
  askStripeIfThere(context, (stripe) => stripe.subscriptions.retrieve(id, { expand }));

/** The same, where Stripe must have it: 409 if not, as in a database that was used with another account. */
export async function requireStripeSubscription(context: Context, id: string): Promise<Stripe.Subscription> {
  const found = await findStripeSubscription(context, id);
  if (!found) throw new AppError('subscription_unknown', { cause: new Error(`Stripe does not know ${id}`) });
  return found;
}

/**
 * Ends it at once, without a final invoice or the items waiting for one, and voids an open invoice, so that no late retry
 * can charge it. False where Stripe does not know it.
 */
export async function endStripeSubscription(context: Context, id: string): Promise<boolean> {
  const ended = await askStripeIfThere(context, (stripe) =>
    stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }),
  );
  const latest = ended ?? (await findStripeSubscription(context, id));
  if (!latest) return false;
  // Where Stripe had already ended it, its prorations would land on the customer's other invoices.
  if (!ended) await dropPendingCharges(context, latest);
  const invoiceId = idOf(latest.latest_invoice);
  const invoice = invoiceId && (await askStripe(context, (stripe) => stripe.invoices.retrieve(invoiceId)));
  if (invoice && invoice.status === 'open')
    await askStripe(context, (stripe) => stripe.invoices.voidInvoice(invoice.id));
  return true;
}

/** Our reasons in Stripe's terms. */
const feedback = {
  too_expensive: 'too_expensive',
  not_using: 'unused',
  switching_tools: 'switched_service',
  poor_support: 'customer_service',
  other: 'other',
} as const satisfies Record<CancellationReason, string>;

/** Why an adviser cancelled. */
export type CancellationFeedback = { reason?: CancellationReason | undefined; details?: string | undefined };

const at = (seconds: number) => new Date(seconds * 1000);

/** The running period at Stripe: of several items the earliest, since access must not outlast any of them. */
export const periodOf = ({ items: { data } }: Stripe.Subscription) => ({
  start: at(Math.min(...data.map((item) => item.current_period_start))),
  end: at(Math.min(...data.map((item) => item.current_period_end))),
});

/** When it is going to end, or null where it renews. Under flexible billing Stripe may set either field. */
export const scheduledEnd = (subscription: Stripe.Subscription): Date | null =>
  subscription.cancel_at !== null
    ? at(subscription.cancel_at)
    : subscription.cancel_at_period_end
      ? periodOf(subscription).end
      : null;

/** The new period has started but is not paid for: its invoice is a draft, or is being charged. */
export function hasUnpaidRenewal({ status, latest_invoice: invoice }: Stripe.Subscription): boolean {
  if (status !== 'active' || !invoice || typeof invoice === 'string') return false;
  const waits = invoice.status === 'draft' || invoice.status === 'open';
  return invoice.billing_reason === 'subscription_cycle' && waits && invoice.amount_due > 0;
}

/** Schedules its end without a final invoice. */
export async function scheduleStripeEnd(
  context: Context,
  subscription: Stripe.Subscription,
  end: Date,
  { reason, details }: CancellationFeedback = {},
): Promise<Stripe.Subscription> {
  const atPeriodEnd = end.getTime() === periodOf(subscription).end.getTime();
  return askStripe(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, {
      ...(atPeriodEnd ? { cancel_at_period_end: true } : { cancel_at: Math.floor(end.getTime() / 1000) }),
      proration_behavior: 'none',
      ...((reason ?? details) && {
        cancellation_details: { ...(reason && { feedback: feedback[reason] }), ...(details && { comment: details }) },
      }),
    }),
  );
}

/**
 * Deletes the pending charges for members who joined during the period, so that a team that cancelled is not charged
 * again. A net credit stays.
 */
export async function dropPendingCharges(context: Context, subscription: Stripe.Subscription): Promise<void> {
  const customer = idOf(subscription.customer);
  if (!customer || subscription.metadata.teamId === undefined) return;
  const pending = await askStripe(context, (stripe) =>
    stripe.invoiceItems.list({ customer, pending: true, limit: 100 }),
  );
  const own = pending.data.filter(({ parent }) => idOf(parent?.subscription_details?.subscription) === subscription.id);
  if (own.reduce((sum, { amount }) => sum + amount, 0) <= 0) return;
  await Promise.all(own.map(({ id }) => askStripeIfThere(context, (stripe) => stripe.invoiceItems.del(id))));
}

/** Removes the scheduled end, so that it renews again. An end within the period had shortened it; the rest is paid for already. */
export const resumeAtStripe = (context: Context, subscription: Stripe.Subscription): Promise<Stripe.Subscription> =>
  askStripe(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, {
      ...(subscription.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' }),
      proration_behavior: 'none',
    }),
  );

/** Moves the end of a running trial, and with it the first charge. Nothing is charged for the days between. */
export const moveTrialEnd = (context: Context, { id }: Stripe.Subscription, end: Date): Promise<Stripe.Subscription> =>
  askStripe(context, (stripe) =>
    stripe.subscriptions.update(id, {
      trial_end: Math.floor(end.getTime() / 1000),
      proration_behavior: 'none',
    }),
  );

/** Our mark: a pause that somebody made in Stripe's dashboard has none, and is theirs to end. */
const pauseMark = 'pausedFor';
const suspension = 'suspension';

const waitingInvoiceOf = ({ latest_invoice: invoice }: Stripe.Subscription) =>
  invoice !== null && typeof invoice !== 'string' && (invoice.status === 'draft' || invoice.status === 'open')
    ? invoice
    : null;

/**
 * Pauses charges: Stripe voids the renewals to come, and we void one that was written before, which Stripe would still charge.
 * With `paused` false, charges resume. False where nothing had to be done.
 */
export async function pauseAtStripe(
  context: Context,
  subscription: Stripe.Subscription,
  paused: boolean,
): Promise<boolean> {
  const { id, status, metadata } = subscription;
  // Before its first payment it can't be changed, and is withdrawn or ends by itself; an ended one charges nothing.
  if (status !== 'trialing' && status !== 'active' && status !== 'past_due' && status !== 'unpaid') return false;
  const isPaused = metadata[pauseMark] === suspension;
  const invoice = paused ? waitingInvoiceOf(subscription) : null;
  if (isPaused === paused && !invoice) return false;
  if (isPaused !== paused)
    await askStripe(context, (stripe) =>
      stripe.subscriptions.update(id, {
        pause_collection: paused ? { behavior: 'void' } : '',
        metadata: { [pauseMark]: paused ? suspension : '' },
      }),
    );
  if (invoice?.status === 'draft')
    await askStripeUnlessRefused(context, (stripe) =>
      stripe.invoices.finalizeInvoice(invoice.id, { auto_advance: false }),
    );
  // Refused where it was paid in the same moment, or nothing was due.
  if (invoice) await askStripeUnlessRefused(context, (stripe) => stripe.invoices.voidInvoice(invoice.id));
  return true;
}
