import type Stripe from 'stripe';
import type { Payer } from '#server/payers/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { askOnce, askStripe, askStripeIfThere, askStripeUnlessRefused, idOf } from './ask.ts';
import { customersCardPays, ensureCustomer, metadataOf } from './customers.ts';
import { ensureGst, ensureProduct } from './products.ts';

/** One tool on a payer's subscription at Stripe: what a month of it comes to, discounts taken off. Never 0. */
export type StripeLine = {
  toolId: string;
  toolName: string;
  cents: number;
  /** What its price follows from, in the caller's words; kept with the item. */
  terms?: string | undefined;
};

const expand = ['latest_invoice.confirmation_secret'];

async function itemFor(context: Context, { toolId, toolName, cents, terms }: StripeLine) {
  const product = await ensureProduct(context, { id: toolId, name: toolName });
  return {
    price_data: {
      currency: 'aud',
      product,
      recurring: { interval: 'month' as const },
      tax_behavior: 'inclusive' as const,
      unit_amount: cents,
    },
    quantity: 1,
    tax_rates: [await ensureGst(context)],
    ...(terms !== undefined && { metadata: { terms } }),
  };
}

type NewSubscription = {
  payer: Payer;
  /** The bill that begins it; with the attempt it is the idempotency key. */
  billId: string;
  attempt: number;
  lines: readonly StripeLine[];
  /** When its first month begins; null: now, and its first invoice waits until the payer pays it. */
  startsAt: Date | null;
};

/** Makes the payer's subscription, or answers the one that an earlier try under the same key made. */
export async function createBillSubscription(context: Context, wanted: NewSubscription): Promise<Stripe.Subscription> {
  const { payer, billId, attempt, lines, startsAt } = wanted;
  const [customer, ...items] = await Promise.all([
    ensureCustomer(context, payer),
    ...lines.map((line) => itemFor(context, line)),
  ]);
  const params: Stripe.SubscriptionCreateParams = {
    customer,
    items,
    billing_mode: { type: 'flexible' },
    payment_behavior: 'default_incomplete',
    collection_method: 'charge_automatically',
    proration_behavior: 'none',
    payment_settings: customersCardPays,
    ...(startsAt && { trial_end: Math.floor(startsAt.getTime() / 1000) }),
    metadata: { ...metadataOf(payer), billId, attempt: String(attempt) },
    expand,
  };
  return askOnce(
    context,
    `bill:begin:${billId}:${attempt}`,
    (stripe, options) => stripe.subscriptions.create(params, options),
    async () => {
      const page = await askStripe(context, (stripe) =>
        stripe.subscriptions.list({ customer, status: 'all', limit: 100, expand: expand.map((one) => `data.${one}`) }),
      );
      return page.data.find((one) => isOfAttempt(one, wanted)) ?? null;
    },
  );
}

/** Whether it was made for that bill, by that try. */
export const isOfAttempt = (
  { metadata }: { metadata: Stripe.Metadata | null },
  { billId, attempt }: { billId: string; attempt: number },
) => metadata?.['billId'] === billId && metadata['attempt'] === String(attempt);

export const findStripeSubscription = (context: Context, id: string): Promise<Stripe.Subscription | null> =>
  askStripeIfThere(context, (stripe) => stripe.subscriptions.retrieve(id, { expand }));

/** Stripe must have it: 409 if not, as in a database that was used with another account. */
export async function requireStripeSubscription(context: Context, id: string): Promise<Stripe.Subscription> {
  const found = await findStripeSubscription(context, id);
  if (!found) throw new AppError('subscription_unknown', { cause: new Error(`Stripe does not know ${id}`) });
  return found;
}

/** The tool of a product of ours; null for another's. */
export const toolOfProduct = (product: string | { id: string } | null | undefined): string | null =>
  /^tool_(.+)$/.exec(idOf(product) ?? '')?.[1] ?? null;

/** What its items charge, by tool. */
export const itemsOf = ({ items }: Stripe.Subscription) =>
  items.data.map(({ id, price, quantity, metadata }) => ({
    id,
    toolId: toolOfProduct(price.product),
    cents: (price.unit_amount ?? 0) * (quantity ?? 1),
    terms: metadata['terms'],
  }));

/**
 * Makes the items of the payer's subscription these lines, without proration, and lets it end with its period where `ends`. Where
 * no line is left, the items stay as they are. False where nothing differed.
 */
export async function writeItems(
  context: Context,
  subscription: Stripe.Subscription,
  lines: readonly StripeLine[],
  { ends }: { ends: boolean },
): Promise<boolean> {
  const held = itemsOf(subscription);
  const items: Stripe.SubscriptionUpdateParams.Item[] = [];
  const kept = new Set<string>();
  for (const line of lines) {
    const item = held.find(({ toolId }) => toolId === line.toolId);
    if (item) kept.add(item.id);
    if (item?.cents !== line.cents || (line.terms ?? item.terms) !== item.terms)
      items.push({ ...(item && { id: item.id }), ...(await itemFor(context, line)) });
  }
  const others = lines.length === 0 ? [] : held.filter(({ id }) => !kept.has(id));
  items.push(...others.map(({ id }) => ({ id, deleted: true })));
  const turned = ends !== endsWithPeriod(subscription);
  if (items.length === 0 && !turned) return false;
  await askStripe(context, (stripe) =>
    stripe.subscriptions.update(subscription.id, {
      ...(items.length > 0 && { items }),
      ...(turned && (ends ? { cancel_at_period_end: true } : resumed(subscription))),
      proration_behavior: 'none',
    }),
  );
  return true;
}

const resumed = ({ cancel_at_period_end: atPeriodEnd }: Stripe.Subscription) =>
  atPeriodEnd ? { cancel_at_period_end: false } : { cancel_at: '' as const };

/** Whether it ends with its period. Under flexible billing Stripe may set either field. */
export const endsWithPeriod = ({ cancel_at, cancel_at_period_end }: Stripe.Subscription) =>
  cancel_at_period_end || cancel_at !== null;

const at = (seconds: number) => new Date(seconds * 1000);

export const periodOf = ({ items: { data } }: Stripe.Subscription) => ({
  start: at(Math.min(...data.map((item) => item.current_period_start))),
  end: at(Math.min(...data.map((item) => item.current_period_end))),
});

export const isOver = ({ status }: Stripe.Subscription) => status === 'canceled' || status === 'incomplete_expired';

/** Ends it at once, without a final invoice. False where Stripe does not know it. */
export async function endStripeSubscription(context: Context, id: string): Promise<boolean> {
  const ended = await askStripeIfThere(context, (stripe) =>
    stripe.subscriptions.cancel(id, { invoice_now: false, prorate: false }),
  );
  return ended !== null || (await findStripeSubscription(context, id)) !== null;
}

/**
 * Where a subscription ends, Stripe stops collecting every open invoice of its customer. This switches on again what is owed for
 * subscriptions that go on, unless their charges are paused; the first invoice of a purchase waits for the buyer. It may be repeated.
 */
export async function resumeCollection(context: Context, customer: string): Promise<void> {
  const open = await askStripeIfThere(context, (stripe) =>
    stripe.invoices.list({ customer, status: 'open', limit: 100 }),
  );
  const stopped = (open?.data ?? []).filter(
    ({ auto_advance: collected, billing_reason: reason }) => collected === false && reason !== 'subscription_create',
  );
  if (stopped.length === 0) return;
  const { data } = await askStripe(context, (stripe) => stripe.subscriptions.list({ customer, limit: 100 }));
  const going = new Set(
    data
      .filter(({ status, pause_collection: pause }) => status !== 'incomplete_expired' && pause === null)
      .map(({ id }) => id),
  );
  for (const { id, parent } of stopped)
    if (going.has(idOf(parent?.subscription_details?.subscription) ?? ''))
      // Stripe refuses where it was paid in the same moment.
      await askStripeUnlessRefused(context, (stripe) => stripe.invoices.update(id, { auto_advance: true }));
}

/** Moves the start of a subscription whose first month has not begun. */
export const moveStart = (context: Context, id: string, startsAt: Date): Promise<Stripe.Subscription | null> =>
  askStripeUnlessRefused(context, (stripe) =>
    stripe.subscriptions.update(id, { trial_end: Math.floor(startsAt.getTime() / 1000), proration_behavior: 'none' }),
  );
