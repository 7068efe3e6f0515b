import { beforeEach, describe, expect, it } from 'vitest';
import { processStripeEvent, readMissedEvents } from '#server/billing/jobs.ts';
import { findPayerFacts, userPayer } from '#server/payers/service.ts';
import { findStripeSubscription } from '#server/stripe/bill-subscription.ts';
import { plus, sydneyDate } from '#shared/rules/dates.ts';
import { administrator } from '#server/testing/administrator.ts';
import { soldByOlder } from '#server/testing/older-release.ts';
import {
  buy,
  collected,
  DAY,
  giveCard,
  pass,
  providerSubscriptions,
  rowsOf,
  shown,
} from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { joinPayer } from '../join/join.ts';
import { adoptBill } from './adopt.ts';

const app = testApp();
// Stripe's events are read three days back, and not from another test's last reading on.
beforeEach(() => rowsOf(app, 'update stripe_account set events_read_until = null'));

const [toolA, toolB] = ['risk-profile-ai', 'portfolio-ai'] as const;

/** Takes the database back to a dump from before the purchase. */
async function restoreOlder(payer: string) {
  await rowsOf(app, 'delete from trial_uses');
  await rowsOf(app, 'delete from adjustments');
  for (const table of ['told_bills', 'bills', 'invoices', 'tool_subscriptions'])
    await rowsOf(app, `delete from ${table} where $1 in (user_id::text, team_id::text)`, [payer]);
  await rowsOf(app, 'delete from stripe_events');
  for (const table of ['users', 'teams'])
    await rowsOf(
      app,
      `update ${table} set stripe_customer_id = null, card_last4 = null, stripe_subscription_id = null, billing_anchor = null,
         next_bill_at = null where id::text = $1`,
      [payer],
    );
}

const catchUp = async () => {
  await readMissedEvents(app.context);
  await app.context.queue.drain();
};
const bill = async (user: { id: string }) => (await findPayerFacts(app.context.db, userPayer(user.id)))!;
const liveAtStripe = async (user: { id: string }) =>
  (await providerSubscriptions(app, user.id)).filter(({ status }) => status !== 'canceled');
const costs = (toolId: string, price: number) =>
  rowsOf(app, 'update tools set base_price = $2 where id = $1', [toolId, price]);
const invoicesOf = async (agent: Agent) =>
  ((await agent.get('/api/billing/invoices').expect(200)).body as { invoices: { status: string; amount: number }[] })
    .invoices;
describe('a database restored from a dump older than a purchase', () => {
  it('gets the bill back by Stripe’s events: tools, day, card, invoices, and the next bill is as before', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolA);
    await app.context.queue.drain();
    const before = { row: await shown(agent, toolA), bill: await bill(user) };
    await restoreOlder(user.id);
    expect(await shown(agent, toolA)).toBeUndefined();
    await catchUp();
    const after = await shown(agent, toolA);
    expect(after).toMatchObject({ status: 'active', hasAccess: true, endDate: before.row!.endDate });
    expect(after).toMatchObject({ monthlyCents: before.row!.monthlyCents });
    const { stripeSubscriptionId, nextBillAt, billingDay } = before.bill;
    expect(await bill(user)).toMatchObject({ stripeSubscriptionId, nextBillAt, billingDay });
    expect((await invoicesOf(agent)).map(({ status, amount }) => [status, amount])).toEqual([['paid', 3000]]);
    expect((await agent.get('/api/billing/payment-method').expect(200)).body).toMatchObject({ last4: '4242' });
    const adopted = await rowsOf(
      app,
      `select after from audit_log where action = 'subscription.adopted' and subject_id = $1`,
      [user.id],
    );
    expect(adopted.map(({ after: what }) => what)).toEqual([{ toolId: toolA }]);
    await pass(app, 32 * DAY);
    expect(await collected(app, user.id)).toBe(6000);
    expect(await shown(agent, toolA)).toMatchObject({ status: 'active' });
  });

  it('gives each tool its price back as it was bought, with its code, and not as the tool costs now', async () => {
    const { agent, user } = await app.signedIn();
    const { post } = await administrator(app);
    const code = { code: 'CLUB', percent: 20, months: 12, toolIds: null, mostRedemptions: 1, reason: 'Club' };
    await post('/api/admin/codes', { ...code, lastDay: sydneyDate(plus(app.context.now(), 10 * DAY)) }).expect(200);
    await buy(app, agent, toolA, 'pm_card_visa', { code: 'CLUB' });
    await buy(app, agent, toolB);
    await app.context.queue.drain();
    const before = { a: await shown(agent, toolA), b: await shown(agent, toolB) };
    expect(before.a!.winBack).toMatchObject({ percent: 20, months: 12 });
    await costs(toolB, 50);
    await restoreOlder(user.id);
    await catchUp();
    for (const [tool, was] of [
      [toolA, before.a!],
      [toolB, before.b!],
    ] as const) {
      const { baseCents, monthlyCents, discounts, winBack } = was;
      expect(await shown(agent, tool)).toMatchObject({ baseCents, monthlyCents, discounts, winBack });
    }
    const paid = await collected(app, user.id);
    await pass(app, 32 * DAY);
    expect(await collected(app, user.id)).toBe(paid + before.a!.monthlyCents + before.b!.monthlyCents);
    await costs(toolB, 40);
  });

  it('makes a price that nothing explains an incident, and sets no new price', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolA);
    await app.context.queue.drain();
    const [paid] = await liveAtStripe(user);
    const item = (terms: string) => ({ items: [{ id: paid!.items.data[0]!.id, metadata: { terms } }] });
    const { stripe } = app.context.payments;
    await stripe.subscriptions.update(paid!.id, { ...item(''), proration_behavior: 'none' });
    await restoreOlder(user.id);
    await costs(toolA, 50);
    const found = async () => (await findStripeSubscription(app.context, paid!.id))!;
    await expect(adoptBill(app.context, await found())).rejects.toMatchObject({
      code: 'subscription_unclaimed',
      cause: { message: `${paid!.id} charges 3000 cents a month for ${toolA}, not 5000` },
    });
    expect(await shown(agent, toolA)).toBeUndefined();
    await costs(toolA, 30);
    expect(await adoptBill(app.context, await found())).toBe(true);
    expect(await shown(agent, toolA)).toMatchObject({ status: 'active', monthlyCents: 3000 });
  });

  it('sells nothing where the payer buys the tool again at once', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolA);
    await restoreOlder(user.id);
    const answer = await agent.post('/api/create-subscription').send({ toolId: toolA }).expect(409);
    expect(answer.body).toMatchObject({ code: 'already_subscribed' });
    expect(await liveAtStripe(user)).toHaveLength(1);
    expect(await collected(app, user.id)).toBe(3000);
  });

  it('sells another tool on the bill that exists, not on a second one', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolA);
    await app.context.queue.drain();
    await restoreOlder(user.id);
    // The first press finds what was lost, so that the tool costs something else.
    await agent.post('/api/create-subscription').send({ toolId: toolB });
    const { body: quote } = await agent.get('/api/pricing/quote').query({ toolId: toolB }).expect(200);
    expect(await buy(app, agent, toolB)).toMatchObject({ status: 'active', monthlyCents: quote.totalCents });
    const [only, ...others] = await liveAtStripe(user);
    expect(others).toEqual([]);
    expect((await bill(user)).stripeSubscriptionId).toBe(only!.id);
    expect(only!.items.data).toHaveLength(2);
    expect(await collected(app, user.id)).toBe(3000 + quote.dueTodayCents);
  });

  it('adopts the bill once, though two replicas do it at once', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolA);
    await restoreOlder(user.id);
    const found = (await findStripeSubscription(app.context, (await liveAtStripe(user))[0]!.id))!;
    const both = await Promise.all([adoptBill(app.context, found), adoptBill(app.context, found)]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(
      await rowsOf(app, 'select tool_id from tool_subscriptions where user_id = $1 and is_active order by 1', [
        user.id,
      ]),
    ).toEqual([{ tool_id: 'lost-money-ai' }, { tool_id: toolA }]);
  });

  it('makes an incident of what belongs to nobody here, or stands beside another bill', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, toolA);
    const [paid] = await liveAtStripe(user);
    await restoreOlder(user.id);
    const { stripe } = app.context.payments;
    await stripe.subscriptions.update(paid!.id, { metadata: { userId: '00000000-0000-4000-8000-000000000000' } });
    await readMissedEvents(app.context);
    const parked = async () => {
      const [event] = await rowsOf(
        app,
        `select id from stripe_events where type = 'customer.subscription.created' and object_id = $1`,
        [paid!.id],
      );
      for (const attempt of [1, 4])
        await processStripeEvent(app.context, String(event!['id']), { attempt, lastAttempt: false }).catch(
          () => undefined,
        );
      return rowsOf(app, 'select status, last_error from stripe_events where id = $1', [event!['id']]);
    };
    expect(await parked()).toEqual([
      { status: 'parked', last_error: `${paid!.id} belongs to nobody in this database` },
    ]);
    await stripe.subscriptions.update(paid!.id, { metadata: { userId: user.id } });
    await buy(app, (await app.signedIn()).agent, toolB);
    const [other] = await rowsOf(
      app,
      'select stripe_subscription_id as id from users where stripe_subscription_id is not null and id <> $1',
      [user.id],
    );
    await rowsOf(
      app,
      "update users set stripe_subscription_id = $2, next_bill_at = now() + interval '1 month', billing_anchor = now() where id = $1",
      [user.id, other!['id']],
    );
    await rowsOf(app, `update stripe_events set status = 'pending', attempts = 0`);
    expect(await parked()).toEqual([
      { status: 'parked', last_error: `${paid!.id} is billed beside ${String(other!['id'])}` },
    ]);
  });
});

it('a subscription that an older release sold comes back as its row, and joins the bill', async () => {
  const { agent, user } = await app.signedIn();
  await giveCard(app, agent);
  const payer = userPayer(user.id);
  const { id, rowId } = await soldByOlder(app, payer, toolA);
  await restoreOlder(user.id);
  await catchUp();
  expect(
    await rowsOf(
      app,
      'select id, status, stripe_subscription_id from tool_subscriptions where user_id = $1 and tool_id = $2',
      [user.id, toolA],
    ),
  ).toEqual([{ id: rowId, status: 'active', stripe_subscription_id: id }]);
  await joinPayer(app.context, payer);
  expect((await bill(user)).nextBillAt).not.toBeNull();
  // It runs out its paid month beside the bill, and is not lost.
  expect(await adoptBill(app.context, (await findStripeSubscription(app.context, id))!)).toBe(false);
});
