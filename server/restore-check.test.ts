import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { readFacts, unknownToUs } from './restore-check.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

it('the check counts what a database holds, and names what Stripe has beyond it', async () => {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  await app.context.queue.drain();
  const { stripe } = app.context.payments;
  const whole = await readFacts(app.database.url);
  expect(whole.figures).toMatchObject({ people: 1, 'subscriptions, running': 2, bills: 1, invoices: 1 });
  expect(whole.figures['invoices, paid, cents']).toBeGreaterThan(0);
  expect(await unknownToUs(stripe, whole)).toEqual([]);

  const [bought] = await rowsOf(
    app,
    'select monthly_cents from tool_subscriptions where stripe_subscription_id is not null',
  );
  for (const table of ['invoices', 'bills', 'tool_subscriptions']) await rowsOf(app, `delete from ${table}`);
  await rowsOf(app, 'update users set stripe_subscription_id = null, billing_anchor = null, next_bill_at = null');
  const older = await readFacts(app.database.url);
  expect(older.figures).toMatchObject({ people: 1, 'subscriptions, running': 0, 'invoices, paid, cents': 0 });
  expect(await unknownToUs(stripe, older)).toEqual([
    {
      id: [...whole.subscriptions][0],
      what: `active subscription to risk-profile-ai of adviser ${user.id}`,
      cents: bought!['monthly_cents'],
    },
    { id: [...whole.invoices][0], what: 'paid invoice', cents: bought!['monthly_cents'] },
  ]);
});
