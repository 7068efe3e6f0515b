import { describe, expect, it } from 'vitest';
import { userPayer } from '#server/payers/service.ts';
import { buy, DAY, live, pass, passTo, providerSubscriptions, rowsOf, shown } from '#server/testing/purchases.ts';
import { freshTestApp } from '#server/testing/test-app.ts';
import { freeAccessChanged } from '../change/free-access.ts';
import { mirrorBill } from './mirror.ts';

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

describe('the payer’s subscription at Stripe', () => {
  it('is one, with an item for each tool at its price beside the others', async () => {
    const { user, amounts } = await payer();
    expect(await providerSubscriptions(app, user.id)).toHaveLength(1);
    expect(await amounts()).toEqual([2375, 2850]);
  });

  it('has each item once, however many bring it up to date at once', async () => {
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

  it('is put right where somebody has changed it in the dashboard', async () => {
    const { user, own, amounts } = await payer();
    const { id, items } = await own();
    const { product } = items.data[0]!.price;
    await app.context.payments.stripe.subscriptions.update(id, {
      items: [
        {
          id: items.data[0]!.id,
          price_data: {
            currency: 'aud',
            product: product as string,
            recurring: { interval: 'month' },
            unit_amount: 9900,
          },
        },
      ],
      proration_behavior: 'none',
    });
    await mirrorBill(app.context, userPayer(user.id));
    expect(await amounts()).toEqual([2375, 2850]);
  });

  it('that ended in the dashboard ends nothing that is paid, and renews nothing', async () => {
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
  it('is mended while it is a draft, where Stripe’s differs', async () => {
    const { agent, user, own } = await payer();
    const { endDate } = (await shown(agent, tools[0]!))!;
    const { id, items } = await own();
    const { product } = items.data[0]!.price;
    // Changed behind our back, too late to be noticed before the month begins.
    await app.clock.advance(new Date(endDate!).getTime() - app.context.now().getTime() - 1000);
    await app.context.payments.stripe.subscriptions.update(id, {
      items: [
        {
          id: items.data[0]!.id,
          price_data: {
            currency: 'aud',
            product: product as string,
            recurring: { interval: 'month' },
            unit_amount: 9900,
          },
        },
      ],
      proration_behavior: 'none',
    });
    await live(app, DAY / 8);
    const [bill] = await rowsOf(
      app,
      `select b.total_cents, i.total_cents as invoiced, b.status from bills b
       join invoices i on i.stripe_invoice_id = b.stripe_invoice_id where b.user_id = $1 and b.kind = 'month'`,
      [user.id],
    );
    expect(bill).toEqual({ total_cents: 5225, invoiced: 5225, status: 'paid' });
  });

  it('stays as it was fixed; what is given in that hour holds from the next', async () => {
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
