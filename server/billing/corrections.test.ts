import type Stripe from 'stripe';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAdmin } from '#server/testing/factories.ts';
import { startFaultyProvider } from '#server/testing/faulty-provider.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { processStripeEvent, readMissedEvents } from './jobs.ts';
import { recordEvent } from './webhook.ts';

const app = testApp();

const stripe = () => app.context.payments.stripe;
/** Delivers what Stripe has sent, and runs the jobs it causes. */
const processEvents = async () => {
  await app.sandbox!.deliverPending();
  await app.context.queue.drain();
};
beforeEach(processEvents);

type Listed = {
  id: string;
  kind: string;
  status: string;
  amount: number;
  gst: number;
  number: string;
  description: string;
  invoiceUrl: string;
};
const list = async (agent: Agent) => (await agent.get('/api/billing/invoices').expect(200)).body.invoices as Listed[];

/** An adviser who has paid for one tool, $30.00. */
async function payer() {
  const { agent, user } = await app.signedIn();
  await buy(app, agent, 'risk-profile-ai');
  await processEvents();
  const [row] = await rowsOf(app, 'select id, stripe_invoice_id from invoices where user_id = $1', [user.id]);
  const [stored] = await rowsOf(app, 'select stripe_customer_id from users where id = $1', [user.id]);
  return {
    agent,
    user,
    invoice: row!.stripe_invoice_id as string,
    customer: stored!.stripe_customer_id as string,
  };
}
const intentOf = async (invoice: string) => {
  const { payments } = await stripe().invoices.retrieve(invoice, { expand: ['payments'] });
  return payments!.data[0]!.payment.payment_intent as string;
};

describe('refunds made at Stripe', () => {
  it('arrive as an adjustment note with its own PDF, and the invoice stays paid', async () => {
    const { agent, invoice } = await payer();
    await app.sandbox!.controls.refundInvoice(invoice, 1100);
    await processEvents();
    const [note, paid] = await list(agent);
    expect(note).toMatchObject({
      kind: 'adjustment_note',
      status: 'issued',
      amount: 1100,
      gst: 100,
      description: expect.stringMatching(/^Refund for Risk Profile AI, \d/),
    });
    expect(paid).toMatchObject({ kind: 'invoice', status: 'paid', amount: 3000 });
    const answer = await agent.get(note!.invoiceUrl).buffer(true).responseType('blob').expect(200);
    const text = textOfPdf(answer.body as Buffer);
    expect(answer.headers['content-disposition']).toContain(`adjustment-note-${note!.number}.pdf`);
    expect(text).toContain('Adjustment note');
    expect(text).toContain(`${paid!.number} of `);
    expect(text).toContain('−$11.00');
    expect(text).toContain('−$1.00');
  });

  it('get an adjustment note without a credit note, in two parts; all of it makes the invoice refunded', async () => {
    const { agent, invoice } = await payer();
    const payment_intent = await intentOf(invoice);
    await stripe().refunds.create({ payment_intent, amount: 1000, reason: 'requested_by_customer' });
    await processEvents();
    await stripe().refunds.create({ payment_intent, amount: 2000 });
    await processEvents();
    const listed = await list(agent);
    const original = listed.find(({ kind }) => kind === 'invoice')!;
    expect(original).toMatchObject({ status: 'refunded', amount: 3000, gst: 273 });
    const notes = listed.filter(({ kind }) => kind === 'adjustment_note');
    expect(
      notes.map(({ amount, gst, number }) => [amount, gst, number]).toSorted((a, b) => Number(a[0]) - Number(b[0])),
    ).toEqual([
      [1000, 91, `${original.number}-R1`],
      [2000, 182, `${original.number}-R2`],
    ]);
  });

  it('make one note, told once, however often and in whatever order their events come', async () => {
    const { agent, user, invoice } = await payer();
    await app.sandbox!.controls.refundInvoice(invoice);
    await processEvents();
    const events = await rowsOf(
      app,
      "select id from stripe_events where type in ('credit_note.created', 'refund.created') order by random()",
    );
    await rowsOf(app, "update stripe_events set status = 'pending'");
    await Promise.all(events.map(({ id }) => processStripeEvent(app.context, id as string, { lastAttempt: false })));
    const mails = await rowsOf(app, "select 1 from mails where kind = 'refund' and to_address = $1", [user.email]);
    expect(mails).toHaveLength(1);
    expect((await list(agent)).filter(({ kind }) => kind === 'adjustment_note')).toHaveLength(1);
  });
});

describe('a refund that the bank sends back', () => {
  it.each(['a credit note', 'no credit note'])('is told to every administrator once, with %s', async (how) => {
    const admin = await createAdmin(app.context);
    const { invoice, user } = await payer();
    if (how === 'a credit note') await app.sandbox!.controls.refundInvoice(invoice);
    else await stripe().refunds.create({ payment_intent: await intentOf(invoice) });
    await processEvents();
    const { data } = await stripe().refunds.list({ payment_intent: await intentOf(invoice) });
    const { id, created } = data[0]!;
    const failed = { status: 'failed', failure_reason: 'expired_or_canceled_card' };
    await rowsOf(app, 'update sandbox.objects set data = data || $2::jsonb where id = $1', [id, failed]);
    const object = await stripe().refunds.retrieve(id);
    for (const type of ['refund.failed', 'refund.updated']) {
      const event = { id: `evt_${id}_${type}`, type, created, data: { object } };
      await recordEvent(app.context, event as unknown as Stripe.Event);
      await app.context.queue.drain();
    }
    const told = await rowsOf(app, 'select title, message, action_url as url from notifications where user_id = $1', [
      admin.id,
    ]);
    expect(told).toEqual([
      {
        title: 'Refund failed: $30.00',
        message: expect.stringMatching(
          /^The bank did not take the refund of \$30\.00 to Alex Nguyen, of invoice .+ \(expired or canceled card\)\. The money is back at Stripe\./,
        ),
        url: `/admin/users/${user.id}`,
      },
    ]);
  });
});

describe('the card changes at Stripe', () => {
  it('to another default, or to none, and the Billing tab follows', async () => {
    const { agent, customer } = await payer();
    await app.clock.advance(1000); // two cards of the same second may both stay for a minute
    const card = await stripe().paymentMethods.attach('pm_card_mastercard', { customer });
    await stripe().customers.update(customer, { invoice_settings: { default_payment_method: card.id } });
    await processEvents();
    expect((await agent.get('/api/billing/payment-method')).body).toMatchObject({ last4: '4444' });
    await stripe().paymentMethods.detach(card.id);
    await processEvents();
    await agent.get('/api/billing/payment-method').expect(200, 'null');
  });
});

describe('a disputed payment', () => {
  it.each(['won', 'prevented'] as const)(
    'is told to every administrator, recorded, and stays with them until it is %s',
    async (outcome) => {
      const admins = [await createAdmin(app.context), await createAdmin(app.context)];
      const { user, invoice } = await payer();
      const dispute = await app.sandbox!.controls.openDispute(invoice);
      await processEvents();
      const events = () =>
        rowsOf(app, 'select type, status, last_error from stripe_events where object_id = $1 order by type', [
          dispute.id,
        ]);
      expect(await events()).toMatchObject([
        {
          type: 'charge.dispute.created',
          status: 'parked',
          last_error: expect.stringContaining('The cardholder says they did not authorise it.'),
        },
      ]);
      const told = (title: string) =>
        rowsOf(app, 'select message from notifications where title = $1 and user_id = any($2)', [
          title,
          admins.map(({ id }) => id),
        ]);
      const { agent: admin } = await app.signIn(admins[0]!.email);
      const { incidents } = (await admin.get('/api/admin/incidents').expect(200)).body as {
        incidents: { about: string; canReplay: boolean; failedAt: string }[];
      };
      const [event] = await rowsOf(
        app,
        "update stripe_events set received_at = occurred_at + interval '1 day' where object_id = $1 returning occurred_at as at",
        [dispute.id],
      );
      // It is answered at Stripe: replaying the event changes nothing. Its day is that of the audit log.
      expect(incidents.find(({ about }) => about === dispute.id)).toMatchObject({
        canReplay: false,
        failedAt: (event!['at'] as Date).toISOString(),
      });
      const opened = await told('Payment disputed: $30.00');
      expect(opened).toHaveLength(2);
      for (const { message } of opened)
        expect(message).toMatch(
          /^Please answer at Stripe by .+\. Alex Nguyen disputes a payment of \$30\.00\. The cardholder says they did not authorise it\./,
        );
      await app.sandbox!.controls.closeDispute(dispute.id, outcome);
      await processEvents();
      expect(await told('Dispute decided: $30.00')).toHaveLength(2);
      expect((await events()).filter(({ status }) => status === 'parked')).toEqual([]);
      const audited = await rowsOf(
        app,
        "select after from audit_log where action = 'billing.payment_disputed' and subject_id = $1",
        [user.id],
      );
      expect(audited).toContainEqual({ after: expect.objectContaining({ status: outcome, amountCents: 3000 }) });
    },
  );
});

it('a dispute that is lost, appealed and lost again is told each time', async () => {
  const admin = await createAdmin(app.context);
  const { invoice } = await payer();
  const { id } = await app.sandbox!.controls.openDispute(invoice);
  await processEvents();
  await app.sandbox!.controls.closeDispute(id, 'lost');
  await processEvents();
  for (const [index, status] of ['appeal_under_review', 'lost'].entries()) {
    await rowsOf(
      app,
      "update sandbox.objects set data = data || jsonb_build_object('status', $2::text) where id = $1",
      [id, status],
    );
    const object = await stripe().disputes.retrieve(id);
    for (const type of ['charge.dispute.updated', 'charge.dispute.closed'].slice(0, index + 1)) {
      const event = { id: `evt_${status}_${type}`, type, created: object.created, data: { object } };
      await recordEvent(app.context, event as unknown as Stripe.Event);
    }
    await app.context.queue.drain();
  }
  const told = await rowsOf(app, 'select title from notifications where user_id = $1 order by created_at', [admin.id]);
  expect(told.map(({ title }) => title)).toEqual([
    'Payment disputed: $30.00',
    'Dispute decided: $30.00',
    'Dispute appealed: $30.00',
    'Dispute decided: $30.00',
  ]);
});

describe('events that never arrived', () => {
  it('are found in the list at Stripe, once, and processed', async () => {
    const { agent, invoice } = await payer();
    await app.sandbox!.controls.refundInvoice(invoice, 500);
    await processEvents();
    await rowsOf(app, 'delete from adjustment_notes');
    await rowsOf(app, "delete from stripe_events where type ~ 'refund|credit'");
    await readMissedEvents(app.context);
    await readMissedEvents(app.context);
    await app.context.queue.drain();
    expect((await list(agent)).map(({ amount }) => amount)).toEqual([500, 3000]);
    expect(
      await rowsOf(app, "select id from stripe_events where type = 'credit_note.created' and status = 'processed'"),
    ).not.toHaveLength(0);
  });

  it('are read from where the last run stopped, and later from the newest', async () => {
    const { customer } = await payer();
    for (let i = 0; i < 4; i += 1) await stripe().customers.update(customer, { name: `Ada ${i}` });
    await processEvents();
    await readMissedEvents(app.context);
    const ids = (
      await rowsOf(
        app,
        "select id from stripe_events where type = 'customer.updated' order by received_at desc, id limit 4",
      )
    ).map(({ id }) => id as string);
    const { data } = await stripe().events.list({ types: ['customer.updated'], limit: 4 });
    expect(data.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    await rowsOf(app, 'delete from stripe_events where id = any($1)', [ids]);
    const missing = async () =>
      4 - (await rowsOf(app, 'select id from stripe_events where id = any($1)', [ids])).length;
    await rowsOf(app, 'update stripe_account set events_cursor = $1, events_reading_since = now()', [data[1]!.id]);
    await readMissedEvents(app.context);
    expect(await missing()).toBe(2);
    await readMissedEvents(app.context);
    expect(await missing()).toBe(0);
    await rowsOf(app, "update stripe_account set events_cursor = 'evt_forgotten', events_reading_since = now()");
    await readMissedEvents(app.context);
    expect(await rowsOf(app, 'select events_cursor, events_reading_since from stripe_account')).toEqual([
      { events_cursor: null, events_reading_since: null },
    ]);
  });

  it('are processed again where their job has died, and parked for the administrator after a day', async () => {
    const { invoice } = await payer();
    await rowsOf(
      app,
      "update stripe_events set status = 'pending', received_at = now() - interval '2 hours' where object_id = $1 and status <> 'ignored'",
      [invoice],
    );
    await readMissedEvents(app.context);
    await app.context.queue.drain();
    const states = () =>
      rowsOf(app, "select distinct status from stripe_events where object_id = $1 and status <> 'ignored'", [invoice]);
    expect(await states()).toEqual([{ status: 'processed' }]);
    await rowsOf(
      app,
      "update stripe_events set status = 'pending', received_at = now() - interval '2 days' where object_id = $1 and status <> 'ignored'",
      [invoice],
    );
    await readMissedEvents(app.context);
    expect(await states()).toEqual([{ status: 'parked' }]);
  });

  it('wait for the next run where Stripe is away', async () => {
    const line = await startFaultyProvider(app.context.payments, app.sandbox!);
    line.set('broken');
    await expect(readMissedEvents({ ...app.context, payments: line.payments })).rejects.toMatchObject({
      code: 'payment_provider_unavailable',
    });
    line.set('none');
    await readMissedEvents({ ...app.context, payments: line.payments });
    await line.stop();
  });
});

it('a late reading of an older state can’t undo that an invoice is paid', async () => {
  const { copyStripeInvoice } = await import('#server/invoices/copy.ts');
  const { agent, user, invoice } = await payer();
  const paid = await stripe().invoices.retrieve(invoice);
  const owner = { userId: user.id, teamId: null, subscriptionId: null, toolName: 'Risk Profile AI' };
  const older: Stripe.Invoice = { ...paid, status: 'open', amount_remaining: 3000 };
  await copyStripeInvoice(app.context.db, older, owner);
  expect(await list(agent)).toMatchObject([{ status: 'paid' }]);
});
