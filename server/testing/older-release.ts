import type Stripe from 'stripe';
import { type Payer, payerKey } from '#server/payers/service.ts';
import { ensureCustomer, metadataOf } from '#server/stripe/customers.ts';
import { ensureGst, ensureProduct } from '#server/stripe/products.ts';
import { rowsOf } from './purchases.ts';
import type { TestApp } from './test-app.ts';

type Sale = { unitCents?: number; quantity?: number; trialDays?: number; values?: Record<string, unknown> };

/**
 * Sells a tool as the release before one bill did: a Stripe subscription for it alone, charged to the card on file, and the row that it
 * wrote. Answers the row's id and Stripe's subscription.
 */
export async function soldByOlder(app: TestApp, payer: Payer, toolId: string, sale: Sale = {}) {
  const { unitCents = 3000, quantity = 1, trialDays, values = {} } = sale;
  const { context } = app;
  const { stripe } = context.payments;
  const [[id], customer, product, gst] = [
    await rowsOf(app, 'select gen_random_uuid()::text as id'),
    await ensureCustomer(context, payer),
    await ensureProduct(context, { id: toolId, name: toolId }),
    await ensureGst(context),
  ];
  const rowId = String(id!['id']);
  const price_data = {
    product,
    currency: 'aud',
    unit_amount: unitCents,
    tax_behavior: 'inclusive' as const,
    recurring: { interval: 'month' as const },
  };
  const made = await stripe.subscriptions.create({
    customer,
    items: [{ price_data, quantity }],
    billing_mode: { type: 'flexible' },
    payment_behavior: 'default_incomplete',
    default_tax_rates: [gst],
    ...(trialDays && {
      trial_end: Math.floor(context.now().getTime() / 1000) + trialDays * 86_400,
      trial_settings: { end_behavior: { missing_payment_method: 'cancel' as const } },
    }),
    metadata: { ...metadataOf(payer), toolId, rowId, attempt: '1' },
  });
  const invoice = made.latest_invoice as string;
  if (!trialDays) await stripe.invoices.pay(invoice, { off_session: false });
  const subscription = await stripe.subscriptions.retrieve(made.id);
  await insertAsOlder(app, payer, { rowId, toolId, subscription, unitCents, quantity, values });
  return { rowId, id: made.id };
}

type Row = {
  rowId: string;
  toolId: string;
  subscription: Stripe.Subscription;
  unitCents: number;
  quantity: number;
} & Pick<Required<Sale>, 'values'>;

async function insertAsOlder(
  app: TestApp,
  payer: Payer,
  { rowId, toolId, subscription, unitCents, quantity, values }: Row,
) {
  const end = new Date(subscription.items.data[0]!.current_period_end * 1000);
  const isTrial = subscription.status === 'trialing';
  const row: Record<string, unknown> = {
    id: rowId,
    [payer.kind === 'user' ? 'user_id' : 'team_id']: payerKey(payer).replace('team:', ''),
    subscription_type: payer.kind === 'user' ? 'individual' : 'team',
    tool_id: toolId,
    status: isTrial ? 'trial' : 'active',
    stripe_subscription_id: subscription.id,
    purchase: JSON.stringify({
      attempt: 1,
      trialDays: null,
      unitCents,
      quantity,
      totalCents: unitCents * quantity,
      coupons: [],
    }),
    monthly_cents: unitCents * quantity,
    quantity,
    end_date: end,
    billing_day: end.getUTCDate(),
    trial_end_date: isTrial ? end : null,
    version: 3,
    // Else the database would refuse it where somebody has a bill already.
    revision: 1,
    created_at: app.context.now(),
    ...values,
  };
  const names = Object.keys(row);
  await rowsOf(
    app,
    `insert into tool_subscriptions (${names.join(', ')}) values (${names.map((_name, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}
