import { describe, expect, it, vi } from 'vitest';
import type { Quote } from '#shared/api/subscriptions.ts';
import { daysOf, partOf } from '#shared/rules/billing/part-month.ts';
import { resumePurchases } from './begin.ts';
import {
  buy,
  collected,
  confirm,
  DAY,
  pass,
  passTo,
  providerSubscriptions,
  rowsOf,
  shown,
} from '#server/testing/purchases.ts';
import { type Agent, freshTestApp } from '#server/testing/test-app.ts';

// Months pass in these.
vi.setConfig({ testTimeout: 120_000 });

const app = freshTestApp();
const HOUR = DAY / 24;
const create = (agent: Agent, toolId: string, rest: object = {}) =>
  agent.post('/api/create-subscription').send({ toolId, ...rest });
const sync = (agent: Agent, toolId: string) => agent.post(`/api/subscriptions/${toolId}/sync`).send({}).expect(200);
const quoted = async (agent: Agent, toolId: string) =>
  (await agent.get('/api/pricing/quote').query({ toolId }).expect(200)).body as Quote;
const chargeOf = ({ dueTodayCents: cents, nextBill }: Quote) => ({
  charge: { cents, last4: '4242', nextCents: nextBill!.totalCents },
});
const billsOf = (userId: string) =>
  rowsOf(app, 'select kind, status, total_cents, parts from bills where user_id = $1 order by at, created_at', [
    userId,
  ]);
const payerOf = async (userId: string) =>
  (await rowsOf(app, 'select next_bill_at, stripe_subscription_id from users where id = $1', [userId]))[0] as {
    next_bill_at: Date;
    stripe_subscription_id: string;
  };

/** Somebody who has had a tool of $30.00 for some days. */
async function subscriber(days = 10) {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  await pass(app, days * DAY);
  return { agent, user };
}

describe('another tool', () => {
  it('is charged for the days until the bill, and is then a line of it', async () => {
    const { agent, user } = await subscriber();
    const { next_bill_at: next } = await payerOf(user.id);
    const quote = await quoted(agent, 'file-note-ai');
    const month = daysOf(new Date(next.getTime() - 31 * DAY), next);
    expect([30, 31]).toContain(month);
    const days = daysOf(app.context.now(), next);
    expect(quote).toMatchObject({ totalCents: 2375, part: { days, cents: quote.dueTodayCents }, carriedCents: 0 });
    expect([28, 29, 30, 31].map((of) => partOf(2375, days, of))).toContain(quote.dueTodayCents);
    expect(quote.nextBill).toMatchObject({ at: next.toISOString(), totalCents: 2850 + 2375 });
    expect(quote.until).toBe(next.toISOString());
    const { body } = await create(agent, 'file-note-ai', chargeOf(quote)).expect(200);
    expect(body).toMatchObject({ intent: 'none', subscription: { status: 'active', endDate: next.toISOString() } });
    expect(await collected(app, user.id)).toBe(3000 + quote.dueTodayCents);
    const [subscription, ...others] = await providerSubscriptions(app, user.id);
    expect(others).toEqual([]);
    expect(subscription!.items.data.map(({ price }) => price.unit_amount).toSorted()).toEqual([2375, 2850]);
    await passTo(app, next, 2 * HOUR);
    expect(await collected(app, user.id)).toBe(3000 + quote.dueTodayCents + 2850 + 2375);
    expect(await billsOf(user.id)).toMatchObject([
      { kind: 'first', status: 'paid' },
      { kind: 'tool', status: 'paid', total_cents: quote.dueTodayCents },
      { kind: 'month', status: 'paid', total_cents: 5225 },
    ]);
  });

  it('is refused, with the quote, where sum, card or next bill have changed', async () => {
    const { agent, user } = await subscriber();
    const quote = await quoted(agent, 'file-note-ai');
    const { charge } = chargeOf(quote);
    for (const [other, code] of [
      [{ ...charge, cents: charge.cents + 1 }, 'price_changed'],
      [{ ...charge, nextCents: charge.nextCents + 1 }, 'price_changed'],
      [{ ...charge, last4: '4444' }, 'card_changed'],
    ] as const) {
      const { body } = await create(agent, 'file-note-ai', { charge: other }).expect(409);
      expect(body).toMatchObject({ code, quote: { dueTodayCents: quote.dueTodayCents, nextBill: quote.nextBill } });
    }
    expect(await billsOf(user.id)).toHaveLength(1);
  });

  it('is not charged by itself where the press names no sum; the browser confirms it', async () => {
    const { agent, user } = await subscriber();
    const { dueTodayCents } = await quoted(agent, 'file-note-ai');
    const { body } = await create(agent, 'file-note-ai').expect(200);
    expect(body).toMatchObject({ intent: 'payment', amountCents: dueTodayCents, subscription: null });
    const again = await create(agent, 'file-note-ai').expect(200);
    expect(again.body.clientSecret).toBe(body.clientSecret);
    expect(await collected(app, user.id)).toBe(3000);
    await confirm(app, body.clientSecret as string, 'pm_card_visa');
    expect((await sync(agent, 'file-note-ai')).body).toMatchObject({ status: 'active', monthlyCents: 2375 });
  });

  it('begins at once where it is too little to charge, which waits for the bill', async () => {
    const { agent, user } = await subscriber();
    const { next_bill_at: next } = await payerOf(user.id);
    await rowsOf(app, "update tools set base_price = '1.00' where id = 'pre-fill-ai'");
    const quote = await quoted(agent, 'pre-fill-ai');
    await rowsOf(app, "update tools set base_price = '1.00' where id = 'pre-fill-ai'");
    await passTo(app, new Date(next.getTime() - 3 * DAY));
    const late = await quoted(agent, 'pre-fill-ai');
    expect(quote.totalCents).toBe(95);
    expect(late).toMatchObject({ dueTodayCents: 0, carriedCents: late.part!.cents });
    await create(agent, 'pre-fill-ai').expect(409, /price_changed/);
    const charge = { cents: 0, last4: null, nextCents: late.nextBill!.totalCents };
    const { body } = await create(agent, 'pre-fill-ai', { charge }).expect(200);
    expect(body.subscription).toMatchObject({ status: 'active', endDate: next.toISOString() });
    expect(await rowsOf(app, 'select cause, state, cents from adjustments where user_id = $1', [user.id])).toEqual([
      { cause: 'below_minimum', state: 'waiting', cents: late.part!.cents },
    ]);
    await passTo(app, next, 2 * HOUR);
    expect(await collected(app, user.id)).toBe(3000 + late.nextBill!.totalCents);
    await rowsOf(app, "update tools set base_price = '30.00' where id = 'pre-fill-ai'");
  });

  it('is charged for the month that the bill begins, where it is bought on the billing day before the instant', async () => {
    const { agent, user } = await subscriber(1);
    const { next_bill_at: next } = await payerOf(user.id);
    await passTo(app, new Date(next.getTime() - 60_000));
    const quote = await quoted(agent, 'file-note-ai');
    expect(quote.dueTodayCents).toBe(2375);
    await create(agent, 'file-note-ai', chargeOf(quote)).expect(200);
    const paid = (await shown(agent, 'file-note-ai'))!;
    expect(new Date(paid.endDate!).getTime()).toBeGreaterThan(next.getTime() + 27 * DAY);
    await passTo(app, next, 2 * HOUR);
    expect(await collected(app, user.id)).toBe(3000 + 2375 + 2850);
    expect((await shown(agent, 'file-note-ai'))!.endDate).toBe(paid.endDate);
    await passTo(app, paid.endDate!, 2 * HOUR);
    expect(await collected(app, user.id)).toBe(3000 + 2375 + 2850 + 2850 + 2375);
  });

  it('keeps the Stripe subscription alive, where all other tools are cancelled', async () => {
    const { agent, user } = await subscriber();
    await agent.post('/api/cancel-subscription').send({ toolId: 'risk-profile-ai' }).expect(200);
    const [ending] = await providerSubscriptions(app, user.id);
    expect(ending!.cancel_at_period_end || ending!.cancel_at !== null).toBe(true);
    const quote = await quoted(agent, 'file-note-ai');
    await create(agent, 'file-note-ai', chargeOf(quote)).expect(200);
    const [going, ...others] = await providerSubscriptions(app, user.id);
    expect(others).toEqual([]);
    expect(going!.cancel_at_period_end || going!.cancel_at !== null).toBe(false);
    expect(going!.items.data.map(({ price }) => price.unit_amount)).toEqual([2500]);
  });
});

describe('a purchase beside another', () => {
  it('withdraws the first, whose page can no longer be paid', async () => {
    const { agent, user } = await app.signedIn();
    const first = await create(agent, 'risk-profile-ai').expect(200);
    const second = await create(agent, 'file-note-ai').expect(200);
    expect(second.body.quote).toMatchObject({ dueTodayCents: 2500, part: null });
    expect((await confirm(app, first.body.clientSecret as string, 'pm_card_visa')).status).not.toBe(200);
    await confirm(app, second.body.clientSecret as string, 'pm_card_visa');
    expect((await sync(agent, 'file-note-ai')).body).toMatchObject({ status: 'active' });
    expect(await shown(agent, 'risk-profile-ai')).toBeUndefined();
    expect(await collected(app, user.id)).toBe(2500);
    const subscriptions = await providerSubscriptions(app, user.id);
    expect(subscriptions.map(({ status }) => status).toSorted()).toEqual(['active', 'incomplete_expired']);
    expect(await billsOf(user.id)).toMatchObject([
      { kind: 'first', status: 'void' },
      { kind: 'first', status: 'paid' },
    ]);
  });

  it('becomes another tool, with a new quote, where the first proves paid', async () => {
    const { agent, user } = await app.signedIn();
    const first = await create(agent, 'risk-profile-ai').expect(200);
    await confirm(app, first.body.clientSecret as string, 'pm_card_visa');
    const { body } = await create(agent, 'file-note-ai').expect(409);
    expect(body).toMatchObject({ code: 'price_changed', quote: { part: { toolId: 'file-note-ai' } } });
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ status: 'active' });
    await create(agent, 'file-note-ai', chargeOf(body.quote as Quote)).expect(200);
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
  });

  it('ends with its bill where nobody pays its part of a month', async () => {
    const { agent, user } = await subscriber();
    const { next_bill_at: next } = await payerOf(user.id);
    await passTo(app, new Date(next.getTime() - 30 * HOUR));
    await passTo(app, new Date(next.getTime() - 20 * HOUR));
    const { body } = await create(agent, 'file-note-ai').expect(200);
    await passTo(app, next, 60_000);
    await resumePurchases(app.context);
    expect((await billsOf(user.id)).find(({ kind }) => kind === 'tool')).toMatchObject({ status: 'void' });
    expect((await confirm(app, body.clientSecret as string, 'pm_card_visa')).status).not.toBe(200);
    expect(await rowsOf(app, "select id from tool_subscriptions where status = 'incomplete'")).toEqual([]);
  });

  it('begins the bill once where two first tools are bought at once', async () => {
    const { agent, user } = await app.signedIn();
    const tools = ['risk-profile-ai', 'file-note-ai'];
    const answers = await Promise.all(tools.map((toolId) => create(agent, toolId)));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    for (const { status, body } of answers)
      if (status === 200) await confirm(app, body.clientSecret as string, 'pm_card_visa');
    for (const toolId of tools) await sync(agent, toolId);
    const live = (await providerSubscriptions(app, user.id)).filter(({ status }) => status === 'active');
    expect(live).toHaveLength(1);
    expect(await collected(app, user.id)).toBe(
      (await billsOf(user.id)).find(({ status }) => status === 'paid')!['total_cents'],
    );
  });
});
