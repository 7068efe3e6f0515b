import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import type { Takings } from '#shared/api/figures.ts';
import { administrator } from '#server/testing/administrator.ts';
import { answering, makePublishable } from '#server/testing/publishable.ts';
import { buy, passToBill, rowsOf } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

// A month passes in each of these.
vi.setConfig({ testTimeout: 120_000 });

const app = testApp();
let server: Awaited<ReturnType<typeof answering>>;
let maker: Agent;
beforeAll(async () => {
  server = await answering();
  maker = (await app.signedIn()).agent;
  const settings = { name: 'Fee Finder', description: 'Finds fees.', domain: `${server.url}/` };
  await maker
    .post('/api/developers/tools')
    .send({ ...settings, eventsUrl: '', scopes: [] })
    .expect(201);
  await makePublishable(app, { agent: maker, id: theirs }, { domain: settings.domain, priceCents: 2333 });
  const { requestedAt } = (
    await rowsOf(app, 'update tools set requested_at = $2 where id = $1 returning requested_at as "requestedAt"', [
      theirs,
      app.context.now(),
    ])
  )[0]!;
  const { post } = await administrator(app);
  const agreed = { priceCents: 2333, sharePercent: 70, requestedAt };
  await post(`/api/admin/tool-requests/${theirs}/approve`, agreed).expect(200);
});
afterAll(() => server.stop());

const [theirs, ours] = ['fee-finder', 'file-note-ai'] as const;
const path = `/api/developers/tools/${theirs}`;
const paidSoFar = async () => {
  const { months } = (await maker.get(`${path}/takings`).expect(200)).body as Takings;
  return months.reduce((sum, { paidCents }) => sum + paidCents, 0);
};

it.each([
  [ours, 'all of what is paid', (paid: number) => paid],
  [theirs, 'nothing', () => 0],
])('of a bill from which %s was cancelled in grace, the maker is due their share of %s', async (cancelled, _, due) => {
  const { agent, user } = await app.signedIn();
  for (const toolId of [theirs, ours]) await buy(app, agent, toolId);
  const [payer] = await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [user.id]);
  await app.sandbox!.controls.failNextCharges(payer!['id'] as string, 1);
  await passToBill(app, agent);
  const before = await paidSoFar();
  await agent.post('/api/cancel-subscription').send({ toolId: cancelled }).expect(200);
  const { owed } = (await agent.get('/api/billing/forecast').expect(200)).body as Forecast;
  const charge = { cents: owed!.dueCents, last4: '4242' };
  await agent.post('/api/billing/pay').send({ charge }).expect(200);
  expect(charge.cents).toBeGreaterThan(2000);
  expect((await paidSoFar()) - before).toBe(due(charge.cents));
});
