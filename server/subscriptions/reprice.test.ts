import { userPayer } from '#server/billing/service.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, DAY, passTime, providerSubscriptions, rowsOf } from '#server/testing/purchases.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { reprice } from './reprice.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

type Listed = { toolId: string; monthlyCents: number; status: string };

describe('the number of tools changes', () => {
  it('the others follow from their next invoice, with a notice, to the cent', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await buy(app, agent, 'file-note-ai');
    const prices = async () =>
      Object.fromEntries(
        ((await agent.get('/api/user/subscriptions').expect(200)).body as Listed[]).map((s) => [
          s.toolId,
          s.monthlyCents,
        ]),
      );
    expect(await prices()).toEqual({ 'risk-profile-ai': 2850, 'file-note-ai': 2375, 'lost-money-ai': 0 });
    const notices = await rowsOf(
      app,
      `select message from notifications where user_id = $1 and title = 'Price changed'`,
      [user.id],
    );
    expect(notices).toEqual([
      { message: expect.stringMatching(/^Risk Profile AI costs \$28\.50 a month .* instead of \$30\.00/) as string },
    ]);

    await app.context.queue.drain();
    await passTime(app, 32 * DAY);
    await passTime(app, DAY / 8);
    for (const subscription of await providerSubscriptions(app, user.id)) {
      const invoice = await app.context.payments.stripe.invoices.retrieve(subscription.latest_invoice as string);
      const [row] = await rowsOf(
        app,
        'select monthly_cents from tool_subscriptions where stripe_subscription_id = $1',
        [subscription.id],
      );
      expect([invoice.billing_reason, invoice.status, invoice.total]).toEqual([
        'subscription_cycle',
        'paid',
        row!['monthly_cents'],
      ]);
    }
  });

  it('twenty at once: one price, one notice', async () => {
    const { agent, user } = await app.signedIn({ membershipType: 'shaw_partners' });
    await buy(app, agent, 'fact-find-ai');
    await buy(app, agent, 'pre-fill-ai');
    await Promise.all(Array.from({ length: 20 }, () => reprice(app.context, userPayer(user.id))));
    const rows = await rowsOf(
      app,
      `select tool_id, monthly_cents from tool_subscriptions where user_id = $1 and stripe_subscription_id is not null order by tool_id`,
      [user.id],
    );
    expect(rows).toEqual([
      { tool_id: 'fact-find-ai', monthly_cents: 2375 },
      { tool_id: 'pre-fill-ai', monthly_cents: 1425 },
    ]);
    const notices = await rowsOf(app, `select 1 from notifications where user_id = $1 and title = 'Price changed'`, [
      user.id,
    ]);
    expect(notices).toHaveLength(1);
  });

  it('a price that a crash left old is brought right by the next run', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await buy(app, agent, 'fact-find-ai');
    await rowsOf(
      app,
      `update tool_subscriptions set monthly_cents = 3000, version = version + 1 where user_id = $1 and tool_id = 'risk-profile-ai'`,
      [user.id],
    );
    await reprice(app.context, userPayer(user.id));
    const [row] = await rowsOf(
      app,
      `select monthly_cents from tool_subscriptions where user_id = $1 and tool_id = 'risk-profile-ai'`,
      [user.id],
    );
    expect(row).toEqual({ monthly_cents: 2850 });
  });
});
