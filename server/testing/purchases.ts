import type Stripe from 'stripe';
import { liveThrough, settle, settlePayments } from '#server/dev/move-clock.ts';
import { sandboxKeys } from '#server/platform/payments.ts';
import type { Agent, TestApp } from './test-app.ts';

export const DAY = 24 * 3600_000;

type Confirmed = { status: number; body: { status?: string; error?: { code?: string; decline_code?: string } } };

/** What the browser does with a client secret: gives a card, or answers the bank's challenge. */
export async function confirm(
  app: { url: string },
  clientSecret: string,
  method: string | { result: 'complete' | 'fail' },
): Promise<Confirmed> {
  const id = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
  const kind = id.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  const form = typeof method === 'string' ? { payment_method: method } : method;
  const action = typeof method === 'string' ? 'confirm' : 'authenticate';
  const response = await fetch(`${app.url}/sandbox/v1/${kind}/${id}/${action}`, {
    method: 'POST',
    body: new URLSearchParams({ key: sandboxKeys.publishable, client_secret: clientSecret, ...form }),
  });
  return { status: response.status, body: (await response.json()) as Confirmed['body'] };
}

/** Buys a tool through HTTP, with a card that pays unless told otherwise; returns what sync answers. */
export async function buy(
  app: { url: string },
  agent: Agent,
  toolId: string,
  method = 'pm_card_visa',
  { code, ...payer }: { teamId?: string; code?: string } = {},
) {
  const { body } = await agent
    .post('/api/create-subscription')
    .send({ toolId, code, ...payer })
    .expect(200);
  await confirm(app, body.clientSecret as string, method);
  return (await agent.post(`/api/subscriptions/${toolId}/sync`).send(payer).expect(200)).body as {
    status: string;
    monthlyCents: number;
  };
}

/** Gives a card on the Billing tab, and says yes where the bank asks. */
export async function giveCard(
  app: { url: string },
  agent: Agent,
  method = 'pm_card_visa',
  payer: { teamId?: string } = {},
) {
  const { body } = await agent.post('/api/billing/setup-intent').send(payer).expect(200);
  const { clientSecret } = body as { clientSecret: string };
  const given = await confirm(app, clientSecret, method);
  if (given.body.status === 'requires_action') await confirm(app, clientSecret, { result: 'complete' });
  const setupIntentId = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
  return agent
    .post('/api/billing/payment-method')
    .send({ setupIntentId, ...payer })
    .expect(200);
}

/** Every subscription Stripe has for this user. */
export async function providerSubscriptions(app: TestApp, userId: string): Promise<Stripe.Subscription[]> {
  const page = await app.context.payments.stripe.subscriptions.list({ status: 'all', limit: 100 });
  return page.data.filter((subscription) => subscription.metadata.userId === userId);
}

/** Moves business time in one step and has Stripe and webhooks do what fell due, but runs no scheduled jobs. */
export async function passTime(app: TestApp, ms: number): Promise<void> {
  await app.clock.advance(ms);
  await settlePayments(app.context, app.sandbox!);
}

/**
 * Passes to two hours after a payer's next bill falls due, when its first charge was tried and none was tried again. A month has 28 to
 * 31 days, so no number of days does that.
 */
export async function passToBill(app: TestApp, agent: Agent): Promise<void> {
  const { bill } = (await agent.get('/api/billing/forecast').expect(200)).body as { bill: { at: string } };
  await passTime(app, new Date(bill.at).getTime() - app.context.now().getTime() + 2 * 3600_000);
}

/** Rows straight from the database, past the product's own queries. */
export const rowsOf = async (app: TestApp, sql: string, values: unknown[] = []) =>
  (await app.context.db.$client.query(sql, values)).rows as Record<string, unknown>[];

/** Moves business time in one step and has Stripe, webhooks and scheduled jobs do what fell due, but for the night's housekeeping. */
export async function pass(app: TestApp, ms: number): Promise<void> {
  await app.clock.advance(ms);
  await settle(app.context, app.sandbox!, { atTheEnd: false, beforeBills: true });
}

/** Lets time pass as the console's clock does: stops wherever Stripe has something due, and runs our jobs once a day. */
export const live = (app: TestApp, ms: number): Promise<void> => liveThrough(app.context, app.clock, app.sandbox!, ms);

/** Passes to a moment of business time and `more` milliseconds beyond it, never back. */
export const passTo = (app: TestApp, at: Date | string, more = 0) =>
  pass(app, Math.max(0, new Date(at).getTime() - app.context.now().getTime()) + more);

export type Shown = {
  id: string;
  toolId: string;
  teamId: string | null;
  status: string;
  autoRenew: boolean;
  quantity: number;
  baseCents: number;
  monthlyCents: number;
  discounts: { kind: string; percent: number; cents: number }[];
  winBack: { percent: number; months: number; endsAt: string | null } | null;
  paymentProblem: { amountCents: number; reason: string; needsAction: boolean } | null;
  endDate: string | null;
  gracePeriodEnd: string | null;
  trialEndDate: string | null;
  cancelledAt: string | null;
  hasAccess: boolean;
  canManage: boolean;
};

/** The subscriptions panel's row for a tool: the adviser's own, unless a team is named. */
export async function shown(agent: Agent, toolId: string, teamId: string | null = null): Promise<Shown | undefined> {
  const { body } = await agent.get('/api/user/subscriptions').expect(200);
  return (body as Shown[]).find((row) => row.toolId === toolId && row.teamId === teamId);
}

/** All the cents Stripe has collected from this user or team. */
export async function collected(app: TestApp, owner: string): Promise<number> {
  const invoices = await app.context.payments.stripe.invoices.list({ limit: 100 });
  const customers = await app.context.payments.stripe.customers.list({ limit: 100 });
  const own = customers.data.filter(({ metadata }) => metadata.userId === owner || metadata.teamId === owner);
  const ids = new Set(own.map(({ id }) => id));
  return invoices.data
    .filter(({ customer }) => typeof customer === 'string' && ids.has(customer))
    .reduce((sum, invoice) => sum + invoice.amount_paid, 0);
}
