import { describe, expect, it, vi } from 'vitest';
import {
  buy,
  collected,
  DAY,
  giveCard,
  pass,
  passTo,
  providerSubscriptions,
  rowsOf,
  shown,
} from '#server/testing/purchases.ts';
import { faultyApp } from '#server/testing/replica.ts';
import type { Agent } from '#server/testing/test-app.ts';
import { beginBills, resumePurchases } from './begin.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const { app, line, replica } = faultyApp();

const toolId = 'risk-profile-ai';
const HOUR = DAY / 24;
const cancel = (agent: Agent, now = false) =>
  agent.post('/api/cancel-subscription').send({ toolId, cancelImmediately: now });
const reactivate = (agent: Agent) =>
  agent.post('/api/reactivate-subscription').send({ toolId, charge: { cents: 3000, last4: '4242' } });

/** A subscriber with a card on file, in this browser and in one whose server may lose Stripe. */
async function subscriber() {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, toolId);
  return { agent, user, other: await replica.agent(user.email) };
}

/** For each live subscription at Stripe, whether its end is scheduled. */
const live = async (userId: string) =>
  (await providerSubscriptions(app, userId))
    .filter(({ status }) => status === 'active' || status === 'trialing' || status === 'past_due')
    .map((one) => one.cancel_at_period_end || one.cancel_at !== null);

/** Every point at which the process may die, before a write to Stripe or between it and the database. */
const points = (writes: number) =>
  Array.from({ length: writes }, (_, i) => [
    [i + 1, false],
    [i + 1, true],
  ])
    .flat()
    .map(([write, lost]) => [write as number, lost as boolean] as const);

describe('where the process dies on the way to Stripe, the job and a second press', () => {
  it.each(points(1))('cancel the tool once, after a crash at write %i (lost: %s)', async (write, lost) => {
    const { agent, user, other } = await subscriber();
    line.cutAt(write, lost);
    await cancel(other).expect(503);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'active', hasAccess: true });
    expect(line.wasCut()).toBe(true);
    line.set('none');
    await pass(app, 2 * HOUR);
    // The adviser was told that it failed, and Stripe is brought to the row.
    expect(await shown(agent, toolId)).toMatchObject({ status: 'active', autoRenew: true });
    expect(await live(user.id)).toEqual([false]);
    await cancel(other).expect(200);
    expect(await live(user.id)).toEqual([true]);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'cancelled' });
  });

  it.each(points(1))('reactivate it while it is paid, after a crash at write %i (lost: %s)', async (write, lost) => {
    const { agent, user, other } = await subscriber();
    await cancel(agent, true).expect(200);
    line.cutAt(write, lost);
    // The row comes first; Stripe follows.
    await reactivate(other).expect(200);
    expect(line.wasCut()).toBe(true);
    line.set('none');
    await pass(app, 2 * HOUR);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'active', hasAccess: true, autoRenew: true });
    expect(await live(user.id)).toEqual([false]);
    expect(await collected(app, user.id)).toBe(3000);
  });

  it.each(points(2))('reactivate it for one charge, after a crash at write %i (lost: %s)', async (write, lost) => {
    const { agent, user, other } = await subscriber();
    const { body } = await cancel(agent).expect(200);
    await passTo(app, body.endDate as string, DAY);
    line.cutAt(write, lost);
    await reactivate(other).expect(503);
    expect(line.wasCut()).toBe(true);
    line.set('none');
    await pass(app, 2 * HOUR);
    const again = await reactivate(other);
    expect([200, 409]).toContain(again.status);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'active', autoRenew: true });
    expect(await collected(app, user.id)).toBe(6000);
    expect(await live(user.id)).toEqual([false]);
  });

  it.each(points(5))('buy another tool for one charge, after a crash at write %i (lost: %s)', async (write, lost) => {
    const { agent, user, other } = await subscriber();
    const press = () =>
      other.post('/api/create-subscription').send({ toolId: 'file-note-ai', charge: { cents: 2375, last4: '4242' } });
    line.cutAt(write, lost);
    expect([200, 503]).toContain((await press()).status);
    expect(line.wasCut()).toBe(true);
    line.set('none');
    expect([200, 409]).toContain((await press()).status);
    await pass(app, 2 * HOUR);
    expect(await shown(agent, 'file-note-ai')).toMatchObject({ status: 'active', autoRenew: true });
    expect(await collected(app, user.id)).toBe(3000 + 2375);
    expect(await live(user.id)).toEqual([false]);
    const bills = await rowsOf(app, "select status from bills where user_id = $1 and kind = 'tool'", [user.id]);
    expect(bills).toEqual([{ status: 'paid' }]);
  });

  it('put a part of a month on the invoice once, though two processes do it at once', async () => {
    const { user, other } = await subscriber();
    line.cutAt(1, true);
    await other.post('/api/create-subscription').send({ toolId: 'file-note-ai' }).expect(503);
    line.set('none');
    await Promise.all([resumePurchases(app.context), resumePurchases(replica.context)]);
    const [bill] = await rowsOf(app, "select stripe_invoice_id as id from bills where user_id = $1 and kind = 'tool'", [
      user.id,
    ]);
    const invoice = await app.context.payments.stripe.invoices.retrieve(bill!['id'] as string);
    expect(invoice).toMatchObject({ status: 'open', amount_due: 2375 });
    expect(invoice.lines.data.map(({ amount }) => amount)).toEqual([2375]);
  });

  it.each(points(3))('open one first purchase, after a crash at write %i (lost: %s)', async (write, lost) => {
    const { user } = await app.signedIn();
    const other = await replica.agent(user.email);
    line.cutAt(write, lost);
    await other.post('/api/create-subscription').send({ toolId }).expect(503);
    expect(line.wasCut()).toBe(true);
    line.set('none');
    expect(await buy(app, other, toolId)).toMatchObject({ status: 'active' });
    expect(await collected(app, user.id)).toBe(3000);
    expect(await live(user.id)).toEqual([false]);
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
  });

  it.each(points(1))('begin a bill with a trial’s end, after a crash at write %i (lost: %s)', async (write, lost) => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId, trial: true }).expect(200);
    await giveCard(app, agent);
    await pass(app, 28 * DAY);
    await app.clock.advance(1.5 * DAY);
    line.cutAt(write, lost);
    await beginBills({ ...app.context, payments: line.payments });
    expect(line.wasCut()).toBe(true);
    line.set('none');
    await beginBills(app.context);
    await app.context.queue.drain();
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
    expect(await live(user.id)).toEqual([false]);
    expect(await rowsOf(app, 'select id from bills where user_id = $1', [user.id])).toEqual([]);
    await pass(app, DAY);
    expect(await collected(app, user.id)).toBe(3000);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'active' });
  });

  it('end Stripe’s subscription of a trial that is cancelled while its bill begins, and charge nothing', async () => {
    const { agent, user } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId, trial: true }).expect(200);
    await giveCard(app, agent);
    await pass(app, 28 * DAY);
    await app.clock.advance(1.5 * DAY);
    line.cutAt(1, true);
    await beginBills({ ...app.context, payments: line.payments });
    expect(line.wasCut()).toBe(true);
    line.set('none');
    await cancel(agent).expect(200);
    for (const ms of [HOUR / 60, 2 * DAY, 30 * DAY]) await pass(app, ms);
    expect((await providerSubscriptions(app, user.id)).map(({ status }) => status)).toEqual(['canceled']);
    expect(await collected(app, user.id)).toBe(0);
    expect(await rowsOf(app, 'select id from bills where user_id = $1', [user.id])).toEqual([]);
  });

  it('bring Stripe to a row that is cancelled, where its subscription is not', async () => {
    const { agent, user } = await subscriber();
    await cancel(agent).expect(200);
    const [stripeSubscription] = await providerSubscriptions(app, user.id);
    await app.context.payments.stripe.subscriptions.update(stripeSubscription!.id, { cancel_at_period_end: false });
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    expect(await live(user.id)).toEqual([true]);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'cancelled' });
    await pass(app, 70 * DAY);
    expect(await collected(app, user.id)).toBe(3000);
  });
});

describe('twenty presses at once, on two replicas,', () => {
  it('cancel once', async () => {
    const { agent, user, other } = await subscriber();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => cancel(i % 2 ? agent : other)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(await live(user.id)).toEqual([true]);
    const notices = await rowsOf(
      app,
      "select 1 from notifications where user_id = $1 and title like 'Subscription cancelled: %'",
      [user.id],
    );
    expect(notices).toHaveLength(1);
  });

  it('reactivate once in the paid period, and charge nothing', async () => {
    const { agent, user, other } = await subscriber();
    await cancel(agent).expect(200);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => reactivate(i % 2 ? agent : other)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await pass(app, 2 * HOUR);
    expect(await live(user.id)).toEqual([false]);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'active', autoRenew: true });
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('reactivate after it for one new period', async () => {
    const { agent, user, other } = await subscriber();
    const { body } = await cancel(agent).expect(200);
    await passTo(app, body.endDate as string, DAY);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => reactivate(i % 2 ? agent : other)));
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await shown(agent, toolId)).toMatchObject({ status: 'active' });
    expect(await live(user.id)).toEqual([false]);
    expect(await collected(app, user.id)).toBe(6000);
  });

  it('leave row and Stripe in agreement where they cancel and reactivate, and never charge a cancelled row', async () => {
    const { agent, user, other } = await subscriber();
    await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 3 === 0 ? reactivate : cancel)(i % 2 ? agent : other)));
    await pass(app, 2 * HOUR);
    const { status, autoRenew } = (await shown(agent, toolId))!;
    expect(await live(user.id)).toEqual([status === 'cancelled' || !autoRenew]);
  });
});
