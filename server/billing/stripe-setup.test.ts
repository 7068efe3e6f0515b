import { expect, it } from 'vitest';
import { rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { checkWebhook, setUpStripe } from './stripe-setup.ts';

const app = testApp();
const stripe = () => app.context.payments.stripe;
const setUp = (check = false) => setUpStripe(app.context, { check });

it('an empty account lacks everything, and a check changes nothing', async () => {
  const { made, differences, webhookSecret } = await setUp(true);
  expect([made, webhookSecret]).toEqual([[], null]);
  expect(differences).toContain('price risk-profile-ai:monthly:aud:3000 is missing');
  expect(differences).toContain('coupon WB12M_40 is missing');
  expect(differences).toContain('the GST rate is missing');
  expect(differences).toContain(`no webhook endpoint has the address ${app.context.env.appUrl}/api/webhooks/stripe`);
  expect((await stripe().prices.list({})).data).toEqual([]);
});

it('twice makes everything once, and shows the secret once', async () => {
  const first = await setUp();
  expect(first.differences).toEqual([]);
  expect(first.webhookSecret).toMatch(/^whsec_/);
  expect(await setUp()).toEqual({ made: [], differences: [], webhookSecret: null });
  expect(await setUp(true)).toEqual({ made: [], differences: [], webhookSecret: null });
  const { data } = await stripe().webhookEndpoints.list();
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({ api_version: '2026-10-28.endive', status: 'enabled' });
});

it('an archived price, a missing event type and a changed coupon are named; what can be mended is', async () => {
  await setUp();
  const key = 'risk-profile-ai:monthly:aud:3000';
  const [price] = (await stripe().prices.list({ lookup_keys: [key] })).data;
  await stripe().prices.update(price!.id, { active: false });
  const [endpoint] = (await stripe().webhookEndpoints.list()).data;
  const types = endpoint!.enabled_events.filter((type) => type !== 'invoice.paid');
  await stripe().webhookEndpoints.update(endpoint!.id, { enabled_events: types as ['invoice.created'] });
  await rowsOf(app, "update sandbox.objects set data = data || '{\"percent_off\": 40}' where id = 'PARTNER50'");

  const named = [
    `price ${key} is archived`,
    'coupon PARTNER50 takes 40 forever instead of 50 forever: delete it in the Dashboard, then run this again',
    `webhook endpoint ${endpoint!.id} lacks invoice.paid`,
  ];
  expect((await setUp(true)).differences).toEqual(named);
  expect((await setUp(true)).differences).toEqual(named);
  const { made, differences } = await setUp();
  expect(differences).toEqual([named[1]]);
  expect(made).toEqual([expect.stringContaining(key), expect.stringContaining('lacks invoice.paid (mended)')]);
  expect((await setUp(true)).differences).toEqual([named[1]]);
});

it('a test event reaches our webhook; a wrong address and another secret are noticed', async () => {
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
