import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Incident } from '#shared/api/operators/oversight.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { bills, invoices, stripeEvents } from '#shared/schema/billing.ts';
import { mails } from '#shared/schema/notifications.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, DAY, rowsOf } from '#server/testing/purchases.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { until } from '#server/testing/until.ts';
import { tellIncidents } from '../jobs.ts';
import { disputeAddress } from './incident-list.ts';

let app: TestApp;
let replica: TestApp;
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  app = await startTestApp();
  replica = await startTestApp({}, app.database);
  admin = await administrator(app);
  for (const each of [app, replica])
    for (const name of [
      'mirror-bill',
      'settle-bill',
      'confirm-erasure',
      'mail-refused',
      'finish-act',
      'carry-out-approval',
      'unknown-job',
    ])
      await each.context.queue.define(name, { retryLimit: 0 }, () => Promise.reject(new Error(`${name} is broken`)));
});
afterAll(async () => {
  await replica.stop();
  await app.stop();
});

const incidents = async () =>
  ((await admin.agent.get('/api/admin/incidents').expect(200)).body as { incidents: Incident[] }).incidents;
const fail = async (name: string, data: object) => {
  await app.context.queue.send(app.context.db, name, data);
  await app.context.queue.drain();
};
const park = (values: Partial<typeof stripeEvents.$inferInsert>) =>
  app.context.db.insert(stripeEvents).values({
    id: `evt_${randomUUID()}`,
    type: 'invoice.paid',
    status: 'parked',
    lastError: 'Stripe was away',
    occurredAt: new Date(),
    ...values,
  });
const told = async () => {
  const rows = await app.context.db.select().from(mails).where(eq(mails.kind, 'incidents'));
  return rows.filter(({ toAddress }) => toAddress === admin.user.email);
};

describe('an incident that names person, tool and next step', () => {
  it('tells of a payment event by its customer and its subscription', async () => {
    const user = await createUser(app.context, { firstName: 'Ines', lastName: 'Marlow', stripeCustomerId: 'cus_ines' });
    const row = {
      userId: user.id,
      toolId: 'file-note-ai',
      stripeSubscriptionId: 'sub_ines',
      monthlyCents: 2500,
      revision: 1,
    };
    await app.context.db.insert(toolSubscriptions).values(row);
    await park({ objectId: 'in_ines', customerId: 'cus_ines', subscriptionId: 'sub_ines' });
    expect((await incidents()).find(({ about }) => about === 'in_ines')).toMatchObject({
      title: 'Payment event not processed',
      who: { userId: user.id, teamId: null, name: 'Ines Marlow' },
      toolName: 'File Note AI',
      nextStep: expect.stringContaining('Replay it'),
    });
  });

  it('tells of a dispute by the invoice of the payment', async () => {
    const { agent, user } = await app.signedIn({ firstName: 'Dora', lastName: 'Lim' });
    await buy(app, agent, 'risk-profile-ai');
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    const [invoice] = await app.context.db.select().from(invoices).where(eq(invoices.userId, user.id));
    await app.sandbox!.controls.openDispute(invoice!.stripeInvoiceId);
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    // A line about it that an older release wrote, without the deadline.
    await app.context.db.execute(
      sql`insert into audit_log (action, subject_id, after, created_at)
        select action, subject_id, after - 'answerBy', created_at - interval '1 day' from audit_log
        where action = 'billing.payment_disputed'`,
    );
    expect((await incidents()).find(({ title }) => title === 'Payment disputed')).toMatchObject({
      who: { userId: user.id, teamId: null, name: 'Dora Lim' },
      toolName: 'Risk Profile AI',
      amountCents: invoice!.amountPaidCents,
      answerBy: expect.stringMatching(/^20\d\d-/),
      canReplay: false,
      // The sandbox's disputes are none of Stripe's.
      answerAt: null,
    });
  });

  it('tells of a difference from the provider, in a team’s coming bill and in an invoice', async () => {
    const { team } = await createTeam(app.context, { name: 'Harbour Marlow' });
    await fail('mirror-bill', { payer: { kind: 'team', teamId: team.id } });
    const [bill] = await app.context.db.select().from(bills).limit(1);
    await fail('settle-bill', { billId: bill!.id });
    const listed = await incidents();
    expect(listed.find(({ name }) => name === 'mirror-bill')).toMatchObject({
      title: 'Coming bill at Stripe differs from ours',
      who: { userId: null, teamId: team.id, name: 'Harbour Marlow' },
    });
    expect(listed.find(({ name }) => name === 'settle-bill')).toMatchObject({
      title: 'Invoice differs from the bill',
      who: { name: 'Dora Lim' },
      canSettle: true,
    });
  });

  it('tells of a mail that was refused, and is settled with a reason, once', async () => {
    const user = await createUser(app.context, { firstName: 'Rex', lastName: 'Hale' });
    const body = { textBody: '', htmlBody: '', kind: 'receipt', subject: 'Receipt', lastError: '550 no mailbox' };
    const [mail] = await app.context.db
      .insert(mails)
      .values({ ...body, toAddress: user.email })
      .returning();
    await fail('mail-refused', { mailId: mail!.id });
    const incident = (await incidents()).find(({ name }) => name === 'mail-refused')!;
    expect(incident).toMatchObject({ who: { userId: user.id, name: 'Rex Hale' }, canReplay: false, canSettle: true });
    expect(incident.about).toContain('Receipt');
    const path = `/api/admin/incidents/${incident.id}/settle`;
    await admin.post(path, { reason: '' }).expect(400);
    const answers = await Promise.all([1, 2, 3, 4].map(() => admin.post(path, { reason: 'Rang Rex, new address' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    expect((await incidents()).some(({ id }) => id === incident.id)).toBe(false);
    const rows = await app.context.db.select().from(auditLog).where(eq(auditLog.action, 'admin.incident_settled'));
    expect(rows.map(({ after }) => after?.['reason'])).toEqual(['Rang Rex, new address']);
  });

  it('tells of an act that Stripe never lets through, and makes way for another once settled', async () => {
    const [invoice] = await rowsOf(
      app,
      "select i.id, u.id as user from invoices i join users u on u.id = i.user_id where u.first_name = 'Dora'",
    );
    const subject = String(invoice!['id']);
    const begin = async () =>
      (
        await rowsOf(
          app,
          `insert into acts (kind, subject_id, parameters, reason, asked_by, asked_at) values ('void_invoice', $1, '{}', 'Agreed', $2, now())
       on conflict do nothing returning id`,
          [subject, admin.user.id],
        )
      )[0];
    const act = await begin();
    await fail('finish-act', { id: act!['id'] });
    const incident = (await incidents()).find(({ name }) => name === 'finish-act')!;
    expect(incident).toMatchObject({
      who: { userId: invoice!['user'], name: 'Dora Lim' },
      toolName: 'Risk Profile AI',
      canReplay: true,
      canSettle: true,
    });
    expect(await begin()).toBeUndefined();
    const reason = 'Voided at Stripe by hand';
    await admin.post(`/api/admin/incidents/${incident.id}/settle`, { reason }).expect(200);
    expect(await begin()).toBeDefined();
    expect(await rowsOf(app, 'select done_at, failure from acts where id = $1', [act!['id']])).toEqual([
      { done_at: null, failure: `Given up: ${reason}` },
    ]);
  });

  it('tells whom an act concerns that the release before could not finish', async () => {
    const { team } = await createTeam(app.context, { name: 'Quay Advice' });
    const [asked] = await rowsOf(
      app,
      `insert into acts (kind, subject_id, parameters, reason, asked_by, asked_at)
       values ('free_months', $1, '{}', 'Agreed', $2, now()) returning id`,
      [team.id, admin.user.id],
    );
    await fail('carry-out-approval', { id: asked!['id'] });
    const incident = (await incidents()).find(({ name }) => name === 'carry-out-approval')!;
    expect(incident).toMatchObject({ who: { userId: null, name: 'Quay Advice' }, canSettle: false });
  });

  it('is replayed only, where a person can’t settle it', async () => {
    await fail('unknown-job', { thing: 'x' });
    const incident = (await incidents()).find(({ name }) => name === 'unknown-job')!;
    expect(incident).toMatchObject({ who: null, toolName: null, canSettle: false, title: 'Job unknown-job failed' });
    await admin.post(`/api/admin/incidents/${incident.id}/settle`, { reason: 'x' }).expect(404);
    expect((await incidents()).some(({ id }) => id === incident.id)).toBe(true);
  });
});

describe('the mail to administrators', () => {
  const both = async () => {
    // A replica notices a moved clock a moment later.
    await until('the replica has the same time', 10_000, () =>
      Promise.resolve(Math.abs(replica.context.now().getTime() - app.context.now().getTime()) < 60_000),
    );
    await Promise.all([app, replica, app, replica].map(({ context }) => tellIncidents(context)));
  };

  it('tells everything that is new, once, from two replicas at once, and no disputes', async () => {
    await app.clock.advance(DAY);
    const before = (await told()).length;
    await both();
    await both();
    const mailed = (await told()).slice(before);
    expect(mailed).toHaveLength(1);
    expect(mailed[0]!.textBody).toContain('Payment event not processed (Ines Marlow, File Note AI)');
    expect(mailed[0]!.textBody).not.toContain('disputed');
  });

  it('comes once an hour at most, and the next has what came meanwhile', async () => {
    const before = (await told()).length;
    for (const objectId of ['in_a', 'in_b', 'in_c']) await park({ objectId });
    await both();
    expect(await told()).toHaveLength(before);
    await app.clock.advance(DAY / 24 + 60_000);
    await both();
    const mailed = (await told()).slice(before);
    expect(mailed.map(({ subject }) => subject)).toEqual(['3 new incidents']);
    await app.clock.advance(DAY);
    await both();
    expect(await told()).toHaveLength(before + 1);
  });

  it('tells of forty incidents at once, and names ten', async () => {
    const before = (await told()).length;
    for (let i = 0; i < 40; i += 1) await park({ objectId: `in_many_${i}` });
    await app.clock.advance(DAY);
    await both();
    const [mail, ...more] = (await told()).slice(before);
    expect(more).toEqual([]);
    expect(mail!.subject).toBe('40 new incidents');
    expect(mail!.textBody).toContain('And 30 more.');
  });
});

it('mail that waits for an hour is one incident with what the mail server said, until it leaves', async () => {
  const minutesAgo = (minutes: number) => new Date(app.context.now().getTime() - minutes * 60_000);
  const stored = { kind: 'welcome', toAddress: 'jo@advice.example', subject: 'Hello', textBody: 'x', htmlBody: 'x' };
  const waits = async () => (await incidents()).filter(({ name }) => name === 'mail-waits');
  const tried = { ...stored, attempts: 6, lastError: '454 try later' };
  await app.context.db.insert(mails).values([
    { ...tried, createdAt: minutesAgo(59) },
    { ...stored, createdAt: minutesAgo(90) }, // its first try is still under way
    { ...tried, attempts: 80, createdAt: minutesAgo(6000) }, // given up, an incident of its own
    { ...tried, sentAt: minutesAgo(1), createdAt: minutesAgo(90) },
    { ...tried, textBody: '', createdAt: minutesAgo(90) }, // refused for good
  ]);
  expect(await waits()).toEqual([]);
  await app.context.db.insert(mails).values([
    { ...tried, attempts: 9, lastError: 'connect ECONNREFUSED', createdAt: minutesAgo(70) },
    { ...tried, createdAt: minutesAgo(61) },
  ]);
  expect(await waits()).toMatchObject([
    { title: 'Email isn’t going out', about: '2 emails', error: 'connect ECONNREFUSED', attempts: 9, canReplay: false },
  ]);
  await rowsOf(app, 'update mails set sent_at = now() where attempts in (6, 9)');
  expect(await waits()).toEqual([]);
});

it.each([
  ['sandbox', 'pk_test_sandbox', 'dp_1', null],
  ['stripe', 'pk_test_1', 'dp_1', 'https://dashboard.stripe.com/test/disputes/dp_1'],
  ['stripe', 'pk_live_1', 'dp_1', 'https://dashboard.stripe.com/disputes/dp_1'],
  ['stripe', 'pk_live_1', null, 'https://dashboard.stripe.com/disputes'],
] as const)('a dispute at %s with the key %s and the id %s is answered at %s', (mode, publishableKey, id, address) => {
  expect(disputeAddress({ mode, publishableKey }, id)).toBe(address);
});
