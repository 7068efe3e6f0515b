import { expect, it } from 'vitest';
import type { businessApi } from '#shared/api/business.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { administrator } from '#server/testing/administrator.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { countBusiness } from './count-business.ts';
import { recountBusiness } from './recount-business.ts';

const app = testApp();
const tool = 'risk-profile-ai';

const settle = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};

it('what the triggers left out is found at night, counted and told, once', async () => {
  const admin = await administrator(app);
  const figures = async () => {
    const { months } = (await admin.agent.get('/api/admin/business').expect(200)).body as Reply<
      typeof businessApi.show
    >;
    const { mrrCents, subscriptions, newCents, invoicedCents, adjustedCents } = months.at(-1)!;
    return { mrrCents, subscriptions, newCents, invoicedCents, adjustedCents };
  };
  const first = await app.signedIn();
  await buy(app, first.agent, tool);
  await settle();
  await countBusiness(app.context);
  await recountBusiness(app.context);
  const before = await figures();

  // The tables that the triggers write are out of reach: the triggers catch the error, and the purchase goes on.
  for (const table of ['subscription_changes', 'revenue_documents'])
    await rowsOf(app, `alter table ${table} rename to ${table}_away`);
  const second = await app.signedIn();
  try {
    await buy(app, second.agent, tool);
    const [invoice] = await rowsOf(app, 'select stripe_invoice_id as id from invoices where user_id = $1', [
      second.user.id,
    ]);
    await app.context.payments.stripe.creditNotes.create({
      invoice: String(invoice!['id']),
      amount: 1000,
      refund_amount: 1000,
    });
    await app.sandbox!.deliverPending();
  } finally {
    for (const table of ['subscription_changes', 'revenue_documents'])
      await rowsOf(app, `alter table ${table}_away rename to ${table}`);
  }
  await settle();
  await countBusiness(app.context);
  expect(await figures()).not.toEqual({ ...before, mrrCents: before.mrrCents + 3000 });

  await expect(recountBusiness(app.context)).rejects.toThrow(/had not been counted/);
  expect(await figures()).toEqual({
    mrrCents: before.mrrCents + 3000,
    subscriptions: before.subscriptions + 2,
    newCents: before.newCents + 3000,
    invoicedCents: before.invoicedCents + 3000,
    adjustedCents: before.adjustedCents + 1000,
  });
  // Nothing is counted twice, and nobody is told twice.
  await recountBusiness(app.context);
  expect(await figures()).toMatchObject({ mrrCents: before.mrrCents + 3000 });
});

it('as a job it is an incident, which says what to do', async () => {
  const admin = await administrator(app);
  const { agent } = await app.signedIn();
  await rowsOf(app, 'alter table subscription_changes rename to away');
  try {
    await buy(app, agent, tool);
  } finally {
    await rowsOf(app, 'alter table away rename to subscription_changes');
  }
  await app.context.queue.send(app.context.db, 'recount-business', {});
  await settle();
  const { body } = await admin.agent.get('/api/admin/incidents').expect(200);
  expect(JSON.stringify(body)).toContain('Figures of the business had gaps');
});
