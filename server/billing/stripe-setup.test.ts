import { expect, it } from 'vitest';
import { rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { checkWebhook, setUpStripe } from './stripe-setup.ts';

const app = testApp();
const stripe = () => app.context.payments.stripe;
const setUp = (check = false) => setUpStripe(app.context, { check });

it('a check finds that an empty account lacks everything, and changes nothing', async () => {
  const { made, differences, webhookSecret } = await setUp(true);
  expect([made, webhookSecret]).toEqual([[], null]);
  expect(differences).toContain('product tool_risk-profile-ai is missing');
  expect(differences).toContain('the GST rate is missing');
  expect(differences).toContain(`no webhook endpoint has the address ${app.context.env.appUrl}/api/webhooks/stripe`);
  expect((await stripe().taxRates.list({})).data).toEqual([]);
});

it('a setup that runs twice makes everything once, and shows the secret once', async () => {
  const first = await setUp();
  expect(first.differences).toEqual([]);
  expect(first.webhookSecret).toMatch(/^whsec_/);
  expect(await setUp()).toEqual({ made: [], differences: [], webhookSecret: null });
  expect(await setUp(true)).toEqual({ made: [], differences: [], webhookSecret: null });
  const { data } = await stripe().webhookEndpoints.list();
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({ api_version: '2026-10-28.endive', status: 'enabled' });
});

it('a setup names an archived product and a missing event type, and mends what it can; only that counts as made', async () => {
  await setUp();
  await rowsOf(app, `update sandbox.objects set data = data || '{"active": false}' where id = 'tool_risk-profile-ai'`);
  const [endpoint] = (await stripe().webhookEndpoints.list()).data;
  const types = endpoint!.enabled_events.filter((type) => type !== 'invoice.paid');
  await stripe().webhookEndpoints.update(endpoint!.id, { enabled_events: types as ['invoice.created'] });
  const named = ['product tool_risk-profile-ai is archived', `webhook endpoint ${endpoint!.id} lacks invoice.paid`];
  expect((await setUp(true)).differences).toEqual(named);
  expect((await setUp(true)).differences).toEqual(named);
  const { made, differences } = await setUp();
  expect(differences).toEqual([named[0]]);
  expect(made).toEqual([expect.stringContaining('lacks invoice.paid (mended)')]);
  expect((await setUp(true)).differences).toEqual([named[0]]);
});

it('a test event reaches our webhook; the check notices a wrong address and another secret', async () => {
  const { context } = app;
  const at = (appUrl: string, webhookSecret = context.payments.webhookSecret) =>
    checkWebhook({
      ...context,
      env: { ...context.env, appUrl },
      payments: { ...context.payments, webhookSecret },
    });
  expect(await at(app.url)).toEqual([]);
  expect(await at(app.url)).toEqual([]);
  expect(await rowsOf(app, "select status from stripe_events where type = 'setup.check'")).toEqual([
    { status: 'ignored' },
  ]);
  expect(await at(app.url, 'whsec_another')).toEqual([expect.stringContaining('runs with another secret')]);
  expect(await at(`${app.url}/elsewhere`)).toEqual([expect.stringContaining('instead of 200 and 400')]);
  expect(await at('http://127.0.0.1:1')).toEqual([expect.stringContaining('does not answer from here')]);
});
