import fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentOf } from '#shared/rules/money.ts';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import { buy, confirm, DAY, pass, providerSubscriptions, rowsOf, type Shown } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { freeAccessChanged } from '../service.ts';

const app = testApp();

const tools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'share-advice-ai'];
const offerIds = ['comeback_special', 'monthly_restart', 'annual_savings'] as const;

type Case = {
  partner: boolean;
  bought: string[];
  back: (typeof offerIds)[number] | null;
  free: 'never' | 'given' | 'taken';
};
const mixes = fc.sample(
  fc.record<Case>({
    partner: fc.boolean(),
    bought: fc.shuffledSubarray(tools, { minLength: 1, maxLength: 4 }),
    back: fc.option(fc.constantFrom(...offerIds)),
    free: fc.constantFrom('never', 'never', 'given', 'taken'),
  }),
  { numRuns: 10, seed: 20261121 },
);

type Adviser = Case & { agent: Agent; user: { id: string } };

const panel = async (agent: Agent) =>
  ((await agent.get('/api/user/subscriptions').expect(200)).body as Shown[]).filter(
    ({ toolId, status }) => toolId !== 'lost-money-ai' && status === 'active',
  );

/** The dashboard's figure of each subscription, its lines, and the next invoice as Stripe would write it now. */
async function agreeOnNext({ agent, user }: Adviser) {
  const stripeSubscriptions = await providerSubscriptions(app, user.id);
  for (const row of await panel(agent)) {
    let left = row.baseCents;
    for (const { percent, cents } of row.discounts) {
      expect(cents).toBe(percentOf(left, percent));
      left -= cents;
    }
    expect([row.toolId, left]).toEqual([row.toolId, row.monthlyCents]);
    const stripeSubscription = stripeSubscriptions.find(
      ({ metadata, status }) => metadata.toolId === row.toolId && status === 'active',
    );
    const next = await app.context.payments.stripe.invoices.createPreview({ subscription: stripeSubscription!.id });
    expect([row.toolId, next.total]).toEqual([row.toolId, row.monthlyCents]);
    expect((next.total_discount_amounts ?? []).map(({ amount }) => amount)).toEqual(
      row.discounts.map(({ cents }) => cents),
    );
  }
}

it('dashboard, quote, charge and invoice line agree to the cent: partner × tier × win-back × free access', async () => {
  for (const [i, tool] of tools.entries())
    await rowsOf(app, 'update tools set base_price = $2 where id = $1', [tool, (19.99 + i * 7.13).toFixed(2)]);
  const advisers: Adviser[] = [];
  for (const mix of mixes) {
    const { agent, user } = await app.signedIn({ membershipType: mix.partner ? 'shaw_partners' : 'standard' });
    for (const toolId of mix.bought) {
      const quote = (await agent.get(`/api/pricing/quote?toolId=${toolId}`).expect(200)).body as { totalCents: number };
      const bought = await buy(app, agent, toolId);
      expect(bought.monthlyCents).toBe(quote.totalCents);
      const [invoice] = await rowsOf(
        app,
        `select i.total_cents, i.lines from invoices i join tool_subscriptions s on s.id = i.subscription_id
         where s.user_id = $1 and s.tool_id = $2`,
        [user.id, toolId],
      );
      expect(invoice!.total_cents).toBe(quote.totalCents);
      const lines = invoice!.lines as InvoiceLine[];
      const printed = lines.flatMap(({ cents, discounts = [] }) => [cents, ...discounts.map((one) => -one.cents)]);
      expect(printed.reduce((sum, cents) => sum + cents, 0)).toBe(quote.totalCents);
    }
    advisers.push({ ...mix, agent, user });
  }
  for (const adviser of advisers) await agreeOnNext(adviser);

  const leavers = advisers.filter(({ back }) => back !== null);
  for (const { agent, bought } of leavers)
    await agent.post('/api/cancel-subscription').send({ toolId: bought[0], cancelImmediately: true }).expect(200);
  await pass(app, 7 * DAY + 60_000);
  for (const adviser of advisers) await agreeOnNext(adviser);
  for (const { agent, bought, back } of leavers) {
    const { body } = await agent.get('/api/winback/offers').expect(200);
    const offer = (body as { toolId: string; offers: Record<string, unknown>[] }[])
      .find(({ toolId }) => toolId === bought[0])!
      .offers.find(({ offerId }) => offerId === back)!;
    const { body: answer } = await agent
      .post('/api/resubscribe')
      .send({ toolId: bought[0], offerId: back, discountPercentage: offer.discountPercentage })
      .expect(200);
    if (answer.clientSecret) await confirm(app, answer.clientSecret as string, 'pm_card_visa');
    const { body: row } = await agent.post(`/api/subscriptions/${bought[0]}/sync`).send({}).expect(200);
    const [charge] = await rowsOf(app, 'select total_cents from invoices where subscription_id = $1', [row.id]);
    expect([back, charge]).toEqual([back, { total_cents: offer.monthlyCents }]);
  }
  for (const adviser of advisers) await agreeOnNext(adviser);

  for (const { user, free } of advisers) {
    if (free === 'never') continue;
    await rowsOf(app, 'update users set free_access_granted = true where id = $1', [user.id]);
    await freeAccessChanged(app.context, user.id);
  }
  await app.context.queue.drain();
  for (const adviser of advisers) {
    await agreeOnNext(adviser);
    if (adviser.free !== 'never') for (const row of await panel(adviser.agent)) expect(row.monthlyCents).toBe(0);
  }
  for (const { user, free } of advisers) {
    if (free !== 'taken') continue;
    await rowsOf(app, 'update users set free_access_granted = false where id = $1', [user.id]);
    await freeAccessChanged(app.context, user.id);
  }
  await app.context.queue.drain();
  for (const adviser of advisers) await agreeOnNext(adviser);

  // What the dashboard says is what the renewal charges.
  const said = new Map<string, number>();
  for (const { agent } of advisers) for (const row of await panel(agent)) said.set(row.id, row.monthlyCents);
  await pass(app, 32 * DAY);
  await pass(app, DAY / 8);
  for (const [id, cents] of said) {
    const [charge] = await rowsOf(
      app,
      'select total_cents, status from invoices where subscription_id = $1 order by issued_at desc limit 1',
      [id],
    );
    expect([id, charge]).toEqual([id, { total_cents: cents, status: 'paid' }]);
  }
}, 300_000);

it('free access revoked: seven days of grace where nothing pays for it, then over; granted again, it goes on', async () => {
  const { agent, user } = await app.signedIn({ freeAccessGranted: true });
  const other = await app.signedIn({ freeAccessGranted: true });
  for (const one of [agent, other.agent])
    await one.post('/api/create-subscription').send({ toolId: 'share-advice-ai' }).expect(200);
  const setFree = async (id: string, free: boolean) => {
    await rowsOf(app, 'update users set free_access_granted = $2 where id = $1', [id, free]);
    await freeAccessChanged(app.context, id);
    await app.context.queue.drain();
  };
  const row = async (one: Agent) =>
    ((await one.get('/api/user/subscriptions').expect(200)).body as Shown[]).find(
      ({ toolId }) => toolId === 'share-advice-ai',
    );
  await setFree(user.id, false);
  await setFree(other.user.id, false);
  expect(await row(agent)).toMatchObject({
    status: 'grace_period',
    hasAccess: true,
    paymentProblem: { amountCents: 4851, reason: 'Your free access has ended.' },
  });
  await setFree(user.id, true);
  expect(await row(agent)).toMatchObject({ status: 'active', monthlyCents: 0, endDate: null });
  await setFree(user.id, false);
  const { body } = await agent.post('/api/reactivate-subscription').send({ toolId: 'share-advice-ai' }).expect(200);
  expect(body.subscription.status).toBe('grace_period');
  await confirm(app, body.clientSecret as string, 'pm_card_visa');
  const { body: paid } = await agent.post('/api/subscriptions/share-advice-ai/sync').send({}).expect(200);
  expect(paid).toMatchObject({ status: 'active', monthlyCents: 4851, paymentProblem: null });
  await pass(app, 7 * DAY + 60_000);
  expect(await row(other.agent)).toMatchObject({ status: 'expired', hasAccess: false });
}, 120_000);
