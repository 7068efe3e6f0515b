import express, { type Express } from 'express';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorHandler } from '#server/platform/http/error-handler.ts';
import { requestLog } from '#server/platform/logs/log.ts';
import { buy, live, rowsOf } from '#server/testing/purchases.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { consoleRoutes } from './console-routes.ts';
import { demoAccounts } from './seed/demo.ts';

let product: TestApp;
let app: Express;
beforeAll(async () => {
  product = await startTestApp();
  const { context, clock, sandbox } = product;
  app = express().use(requestLog(context.log));
  app.use(consoleRoutes({ context, clock, sandbox, accounts: demoAccounts, tools: () => Promise.resolve([]) }));
  app.use(errorHandler);
  const person = { firstName: 'Mei', lastName: 'Tanaka', password: 'Sturdy-Pass-2026' };
  for (const email of ['mei@practice.example', 'other@practice.example'])
    await product
      .agent()
      .post('/api/register')
      .send({ ...person, email })
      .expect(201);
  await context.queue.drain();
});
afterAll(() => product.stop());

describe('mailbox', () => {
  it('shows everything that was sent, each mail as a link', async () => {
    const { text } = await request(app).get('/dev/mailbox').expect(200).expect('content-type', /html/);
    expect(text).toContain('mei@practice.example');
    const link = /href="(\/dev\/mailbox\/[^"]+)"/.exec(text)?.[1] ?? '';
    expect((await request(app).get(link).expect(200)).text).toContain('To other@practice.example');
  });

  it('shows one address, in any case', async () => {
    const { text } = await request(app).get('/dev/mailbox?to=MEI@practice.example').expect(200);
    expect(text).not.toContain('other@practice.example');
    const { body } = await request(app).get('/dev/mailbox.json?to=MEI@practice.example').expect(200);
    expect(body).toMatchObject([{ to: 'mei@practice.example', text: expect.stringContaining('/verify-email?token=') }]);
    expect(Object.keys(body[0])).toEqual(['to', 'subject', 'text', 'html', 'at']);
  });

  it('answers 404 for a mail that is not there', () => request(app).get('/dev/mailbox/nothing').expect(404));
});

describe('clock', () => {
  it.each([undefined, {}, [], { advance: 1 }, { advance: '1w' }, { advance: '0d' }, { advance: '999d' }])(
    'refuses %j',
    async (body) => {
      const answer = await request(app).post('/dev/clock').send(body).expect(400);
      expect(answer.body).toMatchObject({ code: 'invalid_input', fields: { advance: expect.any(String) } });
    },
  );

  it('refuses a move to what is not there', () =>
    request(app).post('/dev/clock').send({ advance: 'trial-end' }).expect(400));

  it('stops where the sandbox has something due, so that the product sees a renewal while it is a draft', async () => {
    const { agent } = await product.signedIn();
    await buy(product, agent, 'file-note-ai');
    const { sandbox, context, clock } = product;
    const renewal = (await sandbox!.nextRenewal())!;
    await clock.advance(renewal.getTime() - context.now().getTime() - 60_000);
    await live(product, 30 * 60_000);
    const [bill] = await rowsOf(product, "select status, at from bills where kind = 'month'");
    expect(bill).toMatchObject({ status: 'issued', at: renewal });
    const latest = async () => (await context.payments.stripe.invoices.list({ limit: 1 })).data[0];
    expect((await latest())?.status).toBe('draft');
    await live(product, 3_600_000);
    expect((await latest())?.status).toBe('paid');
  });

  it('moves business time', async () => {
    const before = product.context.now().getTime();
    const { body } = await request(app).post('/dev/clock').send({ advance: '6h' }).expect(200);
    expect(new Date(body.now).getTime() - before).toBeGreaterThanOrEqual(6 * 3_600_000);
    expect(product.context.now().getTime()).toBeGreaterThanOrEqual(new Date(body.now).getTime());
  });
});

describe('payments', () => {
  const press = (form: Record<string, string>) =>
    request(app).post('/dev/payments').type('form').send(form).redirects(1).expect(200);

  it('declines, refunds and disputes by a button of the row it concerns', async () => {
    const { agent, user } = await product.signedIn();
    await buy(product, agent, 'file-note-ai');
    const { text } = await request(app).get('/dev').expect(200);
    expect(text).toContain(`aria-label="Decline next charge: ${user.email}"`);
    const { stripe } = product.context.payments;
    const [invoice] = (await stripe.invoices.list({ limit: 1, status: 'paid' })).data;
    expect((await press({ action: 'decline', id: invoice!.customer as string })).text).toContain('will be declined');
    expect((await press({ action: 'refund', id: invoice!.id })).text).toContain(`${invoice!.number}-CN-01`);
    expect((await press({ action: 'dispute', id: invoice!.id })).text).toContain('cannot be disputed');
    expect((await stripe.refunds.list()).data).toMatchObject([{ amount: invoice!.amount_paid }]);
  });

  it('keeps webhooks back, sends them in any way, and sends one again', async () => {
    const { stripe } = product.context.payments;
    expect((await press({ action: 'hold' })).text).toContain('New webhooks are kept back; 0 wait.');
    const { id } = await stripe.customers.create({ email: 'held@practice.example' });
    await stripe.customers.update(id, { name: 'Held Back' });
    expect((await request(app).get('/dev')).text).toContain('1 wait.');
    expect((await press({ action: 'release', shuffle: 'on' })).text).toContain('1 sent, 0 of them twice, 0 lost.');
    const [event] = (await stripe.events.list({ type: 'customer.updated', limit: 1 })).data;
    expect(event?.data.object).toMatchObject({ id });
    expect((await press({ action: 'resend', id: event!.id })).text).toContain('Sent again.');
  });

  it.each([{}, { action: 'steal' }, { action: 'refund' }, { action: 'release', shuffle: 'yes' }])(
    'refuses %j',
    async (form) => void (await request(app).post('/dev/payments').type('form').send(form).expect(400)),
  );
});
