import fc from 'fast-check';
import type Stripe from 'stripe';
import { expect, it } from 'vitest';
import type { Quote } from '#shared/api/subscriptions.ts';
import { createTeam } from '#server/testing/factories.ts';
import { providerSubscriptions, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

const paidTools = ['risk-profile-ai', 'fact-find-ai', 'file-note-ai', 'pre-fill-ai', 'share-advice-ai', 'portfolio-ai'];

/** Rows of tools that the adviser already has. */
async function own(userId: string, tools: string[]) {
  for (const tool of tools)
    await rowsOf(
      app,
      "insert into tool_subscriptions (user_id, tool_id, status, revision) values ($1, $2, 'active', 1)",
      [userId, tool],
    );
}

it('quote, charge and invoice are the same to the cent: partner × tier × free access', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(paidTools, { minLength: 1 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      fc.integer({ min: 1, max: 9999 }),
      async (tools, partner, free, cents) => {
        const [tool, ...others] = tools as [string, ...string[]];
        const price = (cents / 100).toFixed(2);
        await rowsOf(app, 'update tools set base_price = $2 where id = $1', [tool, price]);
        const { agent, user } = await app.signedIn({
          freeAccessGranted: free,
          membershipType: partner ? 'shaw_partners' : 'standard',
        });
        await own(user.id, others);
        const shown = (await agent.get(`/api/pricing/quote?toolId=${tool}`).expect(200)).body;
        // What charges no card starts when a button is pressed, not when a card form opens.
        const charge = shown.dueTodayCents === 0 && { cents: 0, last4: null };
        const { body } = await agent
          .post('/api/create-subscription')
          .send({ toolId: tool, ...(charge && { charge }) })
          .expect(200);
        // A second may lie between the two.
        const undated = ({ nextBill, wholeMonth, afterTrial, ...quote }: Quote) => ({
          ...quote,
          until: null,
          nextBill: nextBill && { ...nextBill, at: null },
          wholeMonth: wholeMonth && { ...wholeMonth, at: null },
          afterTrial: afterTrial && { ...afterTrial, at: null },
        });
        expect(undated(body.quote as Quote)).toEqual(undated(shown as Quote));
        const [subscription] = await providerSubscriptions(app, user.id);
        const { totalCents, lines } = shown as { totalCents: number; lines: { cents: number }[] };
        expect(lines.reduce((sum, line) => sum + line.cents, 0)).toBe(totalCents);
        expect(subscription === undefined).toBe(totalCents === 0);
        if (!subscription) return;
        const invoice = await app.context.payments.stripe.invoices.retrieve(subscription.latest_invoice as string);
        expect(invoice.total).toBe(totalCents);
        // Stripe charges no card less than 50 cents: that much is owed until the next invoice.
        expect(invoice.amount_due).toBe(totalCents < 50 ? 0 : totalCents);
        expect(gst(invoice)).toBe(Math.round(totalCents / 11));
      },
    ),
    { numRuns: 25 },
  );
}, 120_000);

const gst = (invoice: Stripe.Invoice) => (invoice.total_taxes ?? []).reduce((sum, tax) => sum + tax.amount, 0);

it('the banner says what the next tier saves over all tools', async () => {
  await rowsOf(app, 'update tools set base_price = 30 where id = any($1)', [paidTools]);
  const { agent, user } = await app.signedIn();
  const quote = async (tool: string) => (await agent.get(`/api/pricing/quote?toolId=${tool}`).expect(200)).body;
  expect(await quote('fact-find-ai')).toMatchObject({
    totalCents: 3000,
    discountPercent: 0,
    nextTier: { toolCount: 2, percent: 5, monthlySavingCents: 150 },
  });
  await own(user.id, ['risk-profile-ai', 'lost-money-ai']);
  expect(await quote('fact-find-ai')).toMatchObject({
    totalCents: 2850,
    lines: [{ cents: 3000 }, { label: 'Bulk discount (5%)', cents: -150 }],
    nextTier: { toolCount: 3, percent: 10, monthlySavingCents: 300 },
  });
  await own(user.id, ['file-note-ai', 'pre-fill-ai', 'share-advice-ai', 'portfolio-ai']);
  expect(await quote('fact-find-ai')).toMatchObject({ totalCents: 2400, nextTier: null });
  expect(await quote('lost-money-ai')).toMatchObject({ totalCents: 0, trialDays: null, lines: [{ cents: 0 }] });
});

it('a discount counts what gives access, of this payer only', async () => {
  const { agent, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id });
  const add = (tool: string, columns: string) =>
    rowsOf(
      app,
      `insert into tool_subscriptions (user_id, tool_id, revision, status, is_active, end_date, grace_period_end, trial_end_date)
       values ($1, $2, 1, ${columns})`,
      [user.id, tool],
    );
  await add('risk-profile-ai', "'trial', true, null, null, now() + interval '3 days'");
  await add('file-note-ai', "'cancelled', true, now() - interval '1 day', now() + interval '6 days', null");
  await add('pre-fill-ai', "'active', true, now() - interval '4 days', null, null");
  await add('share-advice-ai', "'expired', false, now() - interval '4 days', null, null");
  await rowsOf(
    app,
    "insert into tool_subscriptions (team_id, tool_id, status, subscription_type, revision) values ($1, 'portfolio-ai', 'active', 'team', 1)",
    [team.id],
  );
  const { body } = await agent.get('/api/pricing/quote?toolId=fact-find-ai').expect(200);
  expect(body.discountPercent).toBe(5);
});

it('a changed price replaces the open attempt', async () => {
  const { agent, user } = await app.signedIn();
  const create = () => agent.post('/api/create-subscription').send({ toolId: 'portfolio-ai' }).expect(200);
  const first = (await create()).body.clientSecret as string;
  expect((await create()).body.clientSecret).toBe(first);
  await rowsOf(app, "update tools set base_price = 31 where id = 'portfolio-ai'");
  const { body } = await create();
  expect(body.clientSecret).not.toBe(first);
  expect(body.quote.totalCents).toBe(3100);
  const statuses = (await providerSubscriptions(app, user.id)).map((one) => one.status).toSorted();
  expect(statuses).toEqual(['incomplete', 'incomplete_expired']);
  expect(await rowsOf(app, 'select id from tool_subscriptions where user_id = $1', [user.id])).toHaveLength(1);
});
