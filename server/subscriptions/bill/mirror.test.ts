import type Stripe from 'stripe';
import { describe, expect, it } from 'vitest';
import { userPayer } from '#server/payers/service.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { administrator } from '#server/testing/administrator.ts';
import {
  buy,
  collected,
  DAY,
  live,
  pass,
  passTo,
  providerSubscriptions,
  rowsOf,
  shown,
} from '#server/testing/purchases.ts';
import { freshTestApp } from '#server/testing/test-app.ts';
import { freeAccessChanged } from '../change/free-access.ts';
import { advanceNow } from './advance.ts';
import { mirrorBill } from './mirror.ts';
import { settleBill } from './settle.ts';

const app = freshTestApp();

const tools = ['risk-profile-ai', 'file-note-ai'];

/** An adviser with two tools, and their subscription at Stripe. */
async function payer() {
  const { agent, user } = await app.signedIn();
  for (const tool of tools) await buy(app, agent, tool);
  await app.context.queue.drain();
  const own = async () => (await providerSubscriptions(app, user.id)).find(({ status }) => status === 'active')!;
  const amounts = async () =>
    (await own()).items.data.map(({ price, quantity }) => (price.unit_amount ?? 0) * (quantity ?? 1)).toSorted();
  return { agent, user, own, amounts };
}

/** Somebody changes the price of its first item in Stripe's dashboard, to $99.00. */
const reprice = ({ id, items: { data } }: Stripe.Subscription) =>
  app.context.payments.stripe.subscriptions.update(id, {
    items: [
      {
        id: data[0]!.id,
        price_data: {
          currency: 'aud',
          product: data[0]!.price.product as string,
          recurring: { interval: 'month' },
          unit_amount: 9900,
        },
      },
    ],
    proration_behavior: 'none',
  });

describe('the payer’s subscription at Stripe', () => {
  it('is one, with an item for each tool at the price it has beside the others', async () => {
    const { user, amounts } = await payer();
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
    expect(await amounts()).toEqual([2375, 2850]);
  });

  it('has each item once, however many bring it up to date at the same moment', async () => {
    const { user, own, amounts } = await payer();
    const { items, customer } = await own();
    await app.context.payments.stripe.subscriptions.update((await own()).id, {
      items: [{ id: items.data[0]!.id, deleted: true }],
      proration_behavior: 'none',
    });
    await Promise.all(Array.from({ length: 20 }, () => mirrorBill(app.context, userPayer(user.id))));
    expect(await amounts()).toEqual([2375, 2850]);
    const { data } = await app.context.payments.stripe.invoiceItems.list({
      customer: customer as string,
      pending: true,
    });
    expect(data).toEqual([]);
  });

  it('is put right where somebody changed it in the dashboard', async () => {
    const { user, own, amounts } = await payer();
    await reprice(await own());
    await mirrorBill(app.context, userPayer(user.id));
    expect(await amounts()).toEqual([2375, 2850]);
  });

  it('ends nothing that is paid where somebody ends it in the dashboard, and renews nothing', async () => {
    const { agent, user, own } = await payer();
    await app.context.payments.stripe.subscriptions.cancel((await own()).id);
    await mirrorBill(app.context, userPayer(user.id));
    expect(await shown(agent, tools[0]!)).toMatchObject({ status: 'active', autoRenew: false, hasAccess: true });
    await live(app, 33 * DAY);
    expect(await shown(agent, tools[0]!)).toMatchObject({ status: 'expired' });
    expect(await rowsOf(app, "select id from bills where user_id = $1 and kind = 'month'", [user.id])).toEqual([]);
  });
});

describe('a month that is being charged', () => {
  it.each([1, 4])(
    'is mended once while it is a draft that differs, though %i see it at the same moment',
    async (seers) => {
      const { agent, user, own } = await payer();
      const { endDate } = (await shown(agent, tools[0]!))!;
      // Changed behind our back, too late to be noticed before the month begins.
      await app.clock.advance(new Date(endDate!).getTime() - app.context.now().getTime() - 1000);
      await reprice(await own());
      await app.clock.advance(2000);
      await app.sandbox!.tick();
      await advanceNow(app.context, userPayer(user.id));
      const [fixed] = await rowsOf(app, "select id from bills where user_id = $1 and kind = 'month'", [user.id]);
      // Whoever comes second may fail, and tries again.
      await Promise.allSettled(Array.from({ length: seers }, () => settleBill(app.context, fixed!['id'] as string)));
      await live(app, DAY / 8);
      const [bill] = await rowsOf(
        app,
        `select b.total_cents, i.total_cents as invoiced, b.status from bills b
       join invoices i on i.stripe_invoice_id = b.stripe_invoice_id where b.user_id = $1 and b.kind = 'month'`,
        [user.id],
      );
      expect(bill).toEqual({ total_cents: 5225, invoiced: 5225, status: 'paid' });
    },
  );

  it.each([
    ['was held against the bill', true],
    ['does not exist yet', false],
  ])('ends where its adviser is suspended while its draft %s: nothing is charged, ever', async (_when, isHeld) => {
    const { agent, user } = await payer();
    const { endDate } = (await shown(agent, tools[0]!))!;
    const before = await collected(app, user.id);
    const admin = await administrator(app);
    if (isHeld) await passTo(app, endDate!, 60_000);
    else {
      await app.clock.advance(new Date(endDate!).getTime() - app.context.now().getTime() + 1000);
      await advanceNow(app.context, userPayer(user.id));
    }
    await admin.post('/api/admin/suspend', { userId: user.id, reason: 'Reports of misuse' }).expect(200);
    await app.context.queue.drain();
    await live(app, 3 * DAY);
    const months = "select status, stripe_invoice_id as id from bills where user_id = $1 and kind = 'month'";
    const [month] = await rowsOf(app, months, [user.id]);
    expect(month).toMatchObject({ status: 'void' });
    const invoice = await app.context.payments.stripe.invoices.retrieve(month!['id'] as string);
    expect(invoice.status).toBe('void');
    expect(await collected(app, user.id)).toBe(before);
    expect(await app.context.queue.failed(100)).toEqual([]);
  });

  it.each([
    ['all of it', 6000, 0],
    ['some of it', 1000, 4225],
  ])(
    'is paid where credit comes that covers %s: bill, receipt and screen have the total',
    async (_what, cents, due) => {
      const { agent, user, own } = await payer();
      const { endDate } = (await shown(agent, tools[0]!))!;
      await passTo(app, endDate!, 60_000);
      const customer = (await own()).customer as string;
      await app.context.payments.stripe.customers.createBalanceTransaction(customer, {
        amount: -cents,
        currency: 'aud',
      });
      await pass(app, DAY / 8);
      const months = "select status, total_cents, credit_cents from bills where user_id = $1 and kind = 'month'";
      expect(await rowsOf(app, months, [user.id])).toEqual([
        { status: 'paid', total_cents: due, credit_cents: 5225 - due },
      ]);
      expect(await shown(agent, tools[0]!)).toMatchObject({ status: 'active', paymentProblem: null });
      const { body } = await agent.get('/api/billing/invoices').expect(200);
      expect(body.invoices[0]).toMatchObject({ status: 'paid', amount: 5225, gst: 475 });
      const receipts = "select subject, text_body as text from mails where kind = 'receipt' order by created_at";
      const receipt = (await rowsOf(app, receipts)).at(-1)!;
      expect(receipt['subject']).toBe(`Receipt: ${formatCents(due)} for two tools`);
      const text = (receipt['text'] as string).replaceAll(/ +/g, ' ');
      expect(text).toContain(`\nCredit −${formatCents(5225 - due)}\n`);
      expect(text).toContain(`\nTotal ${formatCents(due)}\n`);
    },
  );

  it('stays as it was fixed; what is given in that hour counts from the next', async () => {
    const { agent, user } = await payer();
    const { endDate } = (await shown(agent, tools[0]!))!;
    await passTo(app, endDate!, 60_000);
    await rowsOf(app, 'update users set free_access_granted = true where id = $1', [user.id]);
    await freeAccessChanged(app.context, user.id);
    await pass(app, DAY / 8);
    const months = async () =>
      rowsOf(app, "select total_cents, status from bills where user_id = $1 and kind = 'month' order by at", [user.id]);
    expect(await months()).toEqual([{ total_cents: 5225, status: 'paid' }]);
    await live(app, 31 * DAY);
    expect(await months()).toEqual([
      { total_cents: 5225, status: 'paid' },
      { total_cents: 0, status: 'paid' },
    ]);
  });
});
