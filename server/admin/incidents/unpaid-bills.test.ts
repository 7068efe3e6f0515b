import { expect, it } from 'vitest';
import type { Reply } from '#shared/api/endpoint.ts';
import type { oversightApi } from '#shared/api/operators/oversight.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, DAY, passTime, passToBill, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

it('names each payer whose bill is in grace, adviser or practice, with the sum, the reason and the end; paid bills leave', async () => {
  const admin = await administrator(app);
  const unpaid = async () =>
    (await admin.agent.get('/api/admin/unpaid-bills').expect(200)).body as Reply<typeof oversightApi.unpaidBills>;
  expect(await unpaid()).toEqual([]);
  const { agent, user } = await app.signedIn({ firstName: 'Nadia', lastName: 'Boyd' });
  const { team } = await createTeam(app.context, { ownerId: user.id, name: 'Boyd Advice' });
  await buy(app, agent, 'fact-find-ai', 'pm_card_visa', { teamId: team.id });
  await passTime(app, 2 * DAY);
  await buy(app, agent, 'file-note-ai');
  // The practice's is tried again before the adviser's fails.
  for (const [table, id, times] of [
    ['users', user.id, 1],
    ['teams', team.id, 9],
  ] as const) {
    const [payer] = await rowsOf(app, `select stripe_customer_id as customer from ${table} where id = $1`, [id]);
    await app.sandbox!.controls.failNextCharges(String(payer!['customer']), times);
  }
  await passToBill(app, agent);
  const listed = await unpaid();
  // The practice's began two days before.
  expect(listed.map(({ who }) => who)).toEqual([
    { userId: null, teamId: team.id, name: 'Boyd Advice' },
    { userId: user.id, teamId: null, name: 'Nadia Boyd' },
  ]);
  const own = listed.find(({ who }) => who.userId === user.id)!;
  expect(own).toMatchObject({ dueCents: 2500, reason: expect.stringContaining('declined') });
  expect(new Date(own.graceEnd).getTime()).toBeGreaterThan(app.context.now().getTime());
  await agent.post('/api/billing/pay').send({ charge: { cents: 2500, last4: '4242' } });
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
  expect((await unpaid()).map(({ who }) => who.name)).toEqual(['Boyd Advice']);
});
