import type Stripe from 'stripe';
import type { Agent, TestApp } from './test-app.ts';

export const DAY = 24 * 3600_000;

type Confirmed = { status: number; body: { status?: string; error?: { code?: string; decline_code?: string } } };

/** What the browser does with a client secret: gives a card, or answers the bank's challenge. */
export async function confirm(
  app: TestApp,
  clientSecret: string,
  method: string | { result: 'complete' | 'fail' },
): Promise<Confirmed> {
  const id = clientSecret.slice(0, clientSecret.indexOf('_secret_'));
  const kind = id.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  const form = typeof method === 'string' ? { payment_method: method } : method;
  const response = await fetch(
    `${app.url}/sandbox/v1/${kind}/${id}/${typeof method === 'string' ? 'confirm' : 'authenticate'}`,
    {
      method: 'POST',
      body: new URLSearchParams({ key: app.context.payments.publishableKey, client_secret: clientSecret, ...form }),
    },
  );
  return { status: response.status, body: (await response.json()) as Confirmed['body'] };
}

/** Buys a tool with a card that pays, through HTTP; answers what sync says. */
export async function buy(app: TestApp, agent: Agent, toolId: string, method = 'pm_card_visa') {
  const { body } = await agent.post('/api/create-subscription').send({ toolId }).expect(200);
  await confirm(app, body.clientSecret as string, method);
  return (await agent.post(`/api/subscriptions/${toolId}/sync`).send({}).expect(200)).body as {
    status: string;
    monthlyCents: number;
  };
}

/** Every subscription the provider has for this user. */
export async function providerSubscriptions(app: TestApp, userId: string): Promise<Stripe.Subscription[]> {
  const page = await app.context.payments.stripe.subscriptions.list({ status: 'all', limit: 100 });
  return page.data.filter((subscription) => subscription.metadata.userId === userId);
}

/** Moves business time, has the provider do what falls due, and works what it sent. */
export async function passTime(app: TestApp, ms: number): Promise<void> {
  await app.clock.advance(ms);
  await app.sandbox!.tick();
  await app.context.queue.drain();
}

/** What the database holds, past the product's own queries. */
export const rowsOf = async (app: TestApp, sql: string, values: unknown[] = []) =>
  (await app.context.db.$client.query(sql, values)).rows as Record<string, unknown>[];
