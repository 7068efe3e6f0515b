import type Stripe from 'stripe';
import type { PurchaseAttempt } from '#shared/schema/subscriptions.ts';
import type { Context } from '#server/platform/context.ts';
import { isMissing, type Payments } from '#server/platform/payments.ts';
import { ensureCoupon, ensureGst, ensurePrice } from './catalogue.ts';
import { ensureCustomer } from './customers.ts';
import type { Payer } from './payer.ts';
import { asked, idOf, isOtherRequest } from './provider.ts';
import { toolName } from './queries.ts';

const expand = ['latest_invoice.confirmation_secret', 'pending_setup_intent', 'default_payment_method', 'discounts'];

/** One attempt at a purchase, as its row keeps it. */
export type Order = { rowId: string; payer: Payer; toolId: string; purchase: PurchaseAttempt };

const calls = new WeakMap<Payments, Map<string, Promise<Stripe.Subscription>>>();

/**
 * Makes the order's subscription, or answers the one made before: the key belongs to row and attempt, and the request is
 * what the row keeps. Simultaneous calls of one process share one request.
 */
export function createProviderSubscription(context: Context, order: Order): Promise<Stripe.Subscription> {
  const { payments } = context;
  const open = calls.get(payments) ?? new Map<string, Promise<Stripe.Subscription>>();
  calls.set(payments, open);
  const key = `sub:create:${order.rowId}:${order.purchase.attempt}`;
  const running = open.get(key);
  if (running) return running;
  const call = create(context, order, key).finally(() => open.delete(key));
  open.set(key, call);
  return call;
}

async function create(context: Context, order: Order, idempotencyKey: string): Promise<Stripe.Subscription> {
  const { purchase, payer, toolId, rowId } = order;
  const tool = { id: toolId, name: await toolName(context.db, toolId) };
  const [customer, price, gst, ...coupons] = await Promise.all([
    ensureCustomer(context, payer),
    ensurePrice(context, tool, purchase.unitCents),
    ensureGst(context),
    ...purchase.coupons.map((coupon) => ensureCoupon(context, coupon)),
  ]);
  try {
    return await asked(context, (stripe) =>
      stripe.subscriptions.create(
        {
          customer,
          items: [{ price, quantity: purchase.quantity }],
          billing_mode: { type: 'flexible' },
          payment_behavior: 'default_incomplete',
          collection_method: 'charge_automatically',
          payment_settings: { save_default_payment_method: 'on_subscription', payment_method_types: ['card'] },
          default_tax_rates: [gst],
          ...(coupons.length > 0 && { discounts: coupons.map((coupon) => ({ coupon })) }),
          ...(purchase.trialDays !== null && trialOf(purchase.trialDays)),
          metadata: {
            ...(payer.kind === 'user' ? { userId: payer.userId } : { teamId: payer.teamId }),
            toolId,
            rowId,
            attempt: String(purchase.attempt),
          },
          expand,
        },
        { idempotencyKey },
      ),
    );
  } catch (error) {
    const made = isOtherRequest(error) ? await findMade(context, customer, order) : null;
    if (!made) throw error;
    return made;
  }
}

/** A trial without a card: the provider ends it by itself where none was given. */
const trialOf = (days: number) =>
  ({
    trial_period_days: days,
    trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
  }) as const;

async function findMade(context: Context, customer: string, { rowId, purchase }: Order) {
  const page = await asked(context, (stripe) => stripe.subscriptions.list({ customer, status: 'all', limit: 100 }));
  const made = page.data.find(
    ({ metadata }) => metadata.rowId === rowId && metadata.attempt === String(purchase.attempt),
  );
  return made ? retrieveProviderSubscription(context, made.id) : null;
}

/** The provider's subscription with its latest invoice and card; null where it has none of that id. */
export async function retrieveProviderSubscription(context: Context, id: string): Promise<Stripe.Subscription | null> {
  try {
    return await asked(context, (stripe) => stripe.subscriptions.retrieve(id, { expand }));
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The same, where the provider must have it. */
export async function readProviderSubscription(context: Context, id: string): Promise<Stripe.Subscription> {
  const found = await retrieveProviderSubscription(context, id);
  if (!found) throw new Error(`the provider does not know subscription ${id}`);
  return found;
}

/** Ends it at once, without a last bill; the open invoice is voided, so that no late retry can charge. */
export async function endProviderSubscription(context: Context, id: string): Promise<void> {
  const ended = await unlessMissing(() =>
    asked(context, (stripe) => stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false })),
  );
  const latest = ended ?? (await retrieveProviderSubscription(context, id));
  const invoiceId = idOf(latest?.latest_invoice);
  if (!invoiceId) return;
  const invoice = await asked(context, (stripe) => stripe.invoices.retrieve(invoiceId));
  if (invoice.status === 'open') await asked(context, (stripe) => stripe.invoices.voidInvoice(invoiceId));
}

async function unlessMissing<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** What the browser needs to confirm: a payment, a card for a trial, or nothing. */
export function clientSecretOf(subscription: Stripe.Subscription): {
  intent: 'payment' | 'setup' | 'none';
  clientSecret: string | null;
} {
  const { latest_invoice: invoice, pending_setup_intent: setup } = subscription;
  if (subscription.status === 'incomplete' && invoice && typeof invoice !== 'string' && invoice.confirmation_secret)
    return { intent: 'payment', clientSecret: invoice.confirmation_secret.client_secret };
  if (setup && typeof setup !== 'string') return { intent: 'setup', clientSecret: setup.client_secret };
  return { intent: 'none', clientSecret: null };
}
