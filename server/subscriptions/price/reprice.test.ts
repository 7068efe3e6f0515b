import { describe, expect, it } from 'vitest';
import { userPayer } from '#server/payers/service.ts';
import { buy, DAY, pass, passTime, passTo, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { reprice } from './reprice.ts';
import { freeAccessChanged } from './what-changes-prices.ts';

const app = testApp();

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

  it('a subscription that ends at Stripe while it is repriced is no fault: its team was being closed', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    await buy(app, agent, 'fact-find-ai');
    const { stripe } = app.context.payments;
    const [subscription] = await providerSubscriptions(app, user.id);
    await rowsOf(app, `update users set membership_type = 'shaw_partners' where id = $1`, [user.id]);
    // Ends the subscription just after it is first read.
    const subscriptions = Object.create(stripe.subscriptions) as typeof stripe.subscriptions;
    let reads = 0;
    subscriptions.retrieve = async (id: string, ...rest: []) => {
      const read = await stripe.subscriptions.retrieve(id, ...rest);
      if (id === subscription!.id && (reads += 1) === 1) await stripe.subscriptions.cancel(id);
      return read;
    };
    const payments = {
      ...app.context.payments,
      stripe: Object.assign(Object.create(stripe) as typeof stripe, { subscriptions }),
    };
    await reprice({ ...app.context, payments }, userPayer(user.id), { verify: true });
    expect(reads).toBeGreaterThan(1);
  });

  it('a price that a crash left outdated is corrected by the next run', async () => {
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

describe('in the hour in which a renewal is a draft', () => {
  /** An adviser whose renewal has been drafted, at $30.00. */
  async function drafted() {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'risk-profile-ai');
    const { endDate } = (await shown(agent, 'risk-profile-ai'))!;
    await passTo(app, endDate!, 60_000);
    const [subscription] = await providerSubscriptions(app, user.id);
    const { id, status, total } = await app.context.payments.stripe.invoices.retrieve(
      subscription!.latest_invoice as string,
    );
    expect([status, total]).toEqual(['draft', 3000]);
    const issued = async () => {
      await pass(app, DAY / 8);
      const invoice = await app.context.payments.stripe.invoices.retrieve(id);
      return { status: invoice.status, total: invoice.total };
    };
    return { agent, user, issued };
  }

  it('a price that changes is the price that is charged', async () => {
    const { agent, issued } = await drafted();
    await buy(app, agent, 'fact-find-ai');
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ monthlyCents: 2850 });
    expect(await issued()).toEqual({ status: 'paid', total: 2850 });
  });

  it('free access that is granted is free at once', async () => {
    const { agent, user, issued } = await drafted();
    await rowsOf(app, 'update users set free_access_granted = true where id = $1', [user.id]);
    await freeAccessChanged(app.context, user.id);
    await app.context.queue.drain();
    expect(await shown(agent, 'risk-profile-ai')).toMatchObject({ monthlyCents: 0 });
    expect(await issued()).toEqual({ status: 'paid', total: 0 });
  });
});
