import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { percentOf } from '#shared/rules/billing/money.ts';
import type { InvoiceLine } from '#shared/schema/billing.ts';
import { buy, confirm, DAY, live, pass, providerSubscriptions, rowsOf, type Shown } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { freeAccessChanged } from '../change/free-access.ts';

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

/** The dashboard's figures, their lines, and the coming bill as Stripe would write it now. */
async function agreeOnNext({ agent, user }: Adviser) {
  const { bill } = (await agent.get('/api/billing/forecast').expect(200)).body as Forecast;
  for (const row of await panel(agent)) {
    let left = row.baseCents;
    for (const { percent, cents } of row.discounts) {
      expect(cents).toBe(percentOf(left, percent));
      left -= cents;
    }
    expect([row.toolId, left]).toEqual([row.toolId, row.monthlyCents]);
    const line = bill?.lines.find(({ toolId }) => toolId === row.toolId);
    expect([row.toolId, line?.cents ?? 0]).toEqual([row.toolId, row.monthlyCents]);
  }
  const living = (await providerSubscriptions(app, user.id)).find(({ status }) => status === 'active');
  if (!living || living.cancel_at_period_end || !bill) return;
  const next = await app.context.payments.stripe.invoices.createPreview({ subscription: living.id });
  expect(next.total).toBe([...bill.lines, ...bill.parts].reduce((sum, { cents }) => sum + cents, 0));
}

it('dashboard, quote, charge and invoice line agree to the cent: partner × tier × win-back × free access', async () => {
  for (const [i, tool] of tools.entries())
    await rowsOf(app, 'update tools set base_price = $2 where id = $1', [tool, (19.99 + i * 7.13).toFixed(2)]);
  const advisers: Adviser[] = [];
  for (const mix of mixes) {
    const { agent, user } = await app.signedIn({ membershipType: mix.partner ? 'shaw_partners' : 'standard' });
    for (const toolId of mix.bought) {
      const quote = (await agent.get(`/api/pricing/quote?toolId=${toolId}`).expect(200)).body as {
        totalCents: number;
        dueTodayCents: number;
      };
      const bought = await buy(app, agent, toolId);
      expect(bought.monthlyCents).toBe(quote.totalCents);
      const [invoice] = await rowsOf(
        app,
        `select i.total_cents, i.lines from invoices i where i.user_id = $1 order by i.issued_at desc, i.created_at desc limit 1`,
        [user.id],
      );
      expect(invoice!['total_cents']).toBe(quote.dueTodayCents);
      const lines = invoice!['lines'] as InvoiceLine[];
      const printed = lines.flatMap(({ cents, discounts = [] }) => [cents, ...discounts.map((one) => -one.cents)]);
      expect(printed.reduce((sum, cents) => sum + cents, 0)).toBe(quote.dueTodayCents);
    }
    advisers.push({ ...mix, agent, user });
  }
  for (const adviser of advisers) await agreeOnNext(adviser);

  const leavers = advisers.filter(({ back }) => back !== null);
  for (const { agent, bought } of leavers)
    await agent.post('/api/cancel-subscription').send({ toolId: bought[0], cancelImmediately: true }).expect(200);
  await pass(app, 7 * DAY + 60_000);
  for (const adviser of advisers) await agreeOnNext(adviser);
  for (const {
    agent,
    bought,
    back,
    user: { id: leaverId },
  } of leavers) {
    const { body } = await agent.get('/api/winback/offers').expect(200);
    const offer = (body as { toolId: string; offers: Record<string, unknown>[] }[])
      .find(({ toolId }) => toolId === bought[0])!
      .offers.find(({ offerId }) => offerId === back)!;
    const { body: answer } = await agent
      .post('/api/resubscribe')
      .send({ toolId: bought[0], offerId: back, discountPercentage: offer.discountPercentage })
      .expect(200);
    if (answer.clientSecret) await confirm(app, answer.clientSecret as string, 'pm_card_visa');
    await agent.post(`/api/subscriptions/${bought[0]}/sync`).send({}).expect(200);
    const [charge] = await rowsOf(
      app,
      'select total_cents from invoices where user_id = (select user_id from tool_subscriptions where tool_id = $1 and win_back_of is not null and user_id = $2) order by issued_at desc, created_at desc limit 1',
      [bought[0], leaverId],
    );
    expect([back, charge]).toEqual([back, { total_cents: offer['dueTodayCents'] }]);
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

  // What the dashboard says is what the bill charges.
  const said = new Map<string, number>();
  for (const { agent, user } of advisers) {
    const { bill } = (await agent.get('/api/billing/forecast').expect(200)).body as Forecast;
    if (bill) said.set(user.id, bill.totalCents);
  }
  await live(app, 33 * DAY);
  for (const [id, cents] of said) {
    const [bill] = await rowsOf(
      app,
      "select stripe_invoice_id as invoice from bills where user_id = $1 and kind = 'month' order by at limit 1",
      [id],
    );
    const { status, amount_due: due } = await app.context.payments.stripe.invoices.retrieve(bill!['invoice'] as string);
    expect([id, status, due]).toEqual([id, 'paid', cents]);
  }
}, 300_000);

it('a tool whose free access is revoked has seven days of grace where nothing pays for it; granted again, it goes on', async () => {
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
