import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRow, Incident } from '#shared/api/operators/oversight.ts';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { stripeEvents } from '#shared/schema/billing.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { audit } from '#server/audit/service.ts';
import { within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createUser } from '#server/testing/factories.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

type Log = { rows: AuditRow[]; actions: string[]; pagination: { total: number; totalPages: number; more: boolean } };

let app: TestApp;
let replica: TestApp;
let admin: Awaited<ReturnType<typeof administrator>>;
let there: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  app = await startTestApp();
  replica = await startTestApp({}, app.database);
  admin = await administrator(app);
  there = await administrator(replica);
});
afterAll(async () => {
  await replica.stop();
  await app.stop();
});

const log = async (query = '') => (await admin.agent.get(`/api/admin/audit${query}`).expect(200)).body as Log;

describe('the audit log', () => {
  it('is written in the transaction of what it records', async () => {
    const user = await createUser(app.context);
    const failing = transaction(app.context.db, async (tx) => {
      await tx.update(users).set({ freeAccessGranted: true }).where(eq(users.id, user.id));
      await audit(within(app.context, tx), 'account.closed', { actorId: null, user: user.id });
      throw new Error('the effect fails');
    });
    await expect(failing).rejects.toThrow('the effect fails');
    expect((await log(`?subject=${user.id}`)).rows).toEqual([]);
  });

  it('shows who did what to whom, newest first, found by actor, subject and action', async () => {
    const user = await createUser(app.context, { firstName: 'Ines', lastName: 'Marlow' });
    await admin.post('/api/admin/grant-free-access', { userId: user.id }).expect(200);
    await there.post('/api/admin/revoke-free-access', { userId: user.id }).expect(200);
    const { rows, actions, pagination } = await log(`?subject=${user.id}`);
    expect(rows).toMatchObject([
      {
        action: 'admin.free_access_revoked',
        sentence: 'Ended the free access of Ines Marlow.',
        actor: { id: there.user.id, name: 'Alex Nguyen', email: there.user.email },
        subject: { type: 'user', id: user.id, name: 'Ines Marlow', email: user.email },
        before: { freeAccessGranted: true },
        after: { freeAccessGranted: false },
      },
      { action: 'admin.free_access_granted', actor: { id: admin.user.id } },
    ]);
    expect(rows[0]!.ip).toContain('127.0.0.1');
    expect(pagination).toEqual({ page: 1, total: 2, totalPages: 1, more: false });
    expect(actions).toEqual(expect.arrayContaining(['admin.free_access_granted', 'admin.free_access_revoked']));
    expect(actions).toEqual([...new Set(actions)].toSorted());
    expect((await log(`?actor=${there.user.id}`)).rows).toHaveLength(2);
    expect((await log(`?actor=${there.user.id}&action=admin.free_access_granted`)).rows).toEqual([]);
    expect((await log('?action=account.signed_in')).rows).not.toEqual([]);
    expect((await log('?action=account.signed_in&without=sign-ins')).rows).toEqual([]);
  });

  it('keeps the row and forgets the person once the account is closed', async () => {
    const user = await createUser(app.context, { firstName: 'Soon', lastName: 'Gone' });
    await admin.post('/api/admin/grant-free-access', { userId: user.id }).expect(200);
    await app.context.db.update(users).set({ closedAt: new Date(), firstName: '' }).where(eq(users.id, user.id));
    const [row] = (await log(`?subject=${user.id}`)).rows;
    expect(row!.subject).toEqual({ type: 'user', id: user.id, name: null, email: null });
    expect(row!.sentence).toBe('Gave a former user free access.');
  });

  it('names a tool that is not in the catalogue yet', async () => {
    const { agent, user } = await app.signedIn();
    const tool = { name: 'Fee Finder', description: '', domain: 'https://fees.example', eventsUrl: '', scopes: [] };
    await agent.post('/api/developers/tools').send(tool).expect(201);
    const { rows } = await log(`?actor=${user.id}&action=tool.registered`);
    expect(rows).toMatchObject([{ sentence: 'Registered the tool Fee Finder.', subject: { name: 'Fee Finder' } }]);
  });

  it('gives a closed account the name of no tool', async () => {
    const user = await createUser(app.context);
    const toolId = 'risk-profile-ai';
    const [row] = await app.context.db
      .insert(toolSubscriptions)
      .values({ userId: user.id, toolId, status: 'active', revision: 1 })
      .returning();
    const { id } = row!;
    const after = { toolId, status: 'expired' };
    const byStripe = { actorId: null, before: { status: 'active' }, after };
    await audit(app.context, 'subscription.changed', { subscription: id, ...byStripe });
    const cancelled = { toolId, when: 'at once', reason: 'They asked.' };
    await audit(app.context, 'admin.subscription_cancelled', { actorId: null, user: user.id, after: cancelled });
    await app.context.db.update(users).set({ closedAt: new Date() }).where(eq(users.id, user.id));
    const sentences = async (subject: string) =>
      (await log(`?subject=${subject}`)).rows.map(({ sentence }) => sentence);
    expect(await sentences(id)).toEqual(['A former user’s Risk Profile AI subscription ended.']);
    expect(await sentences(user.id)).toEqual([
      'The system cancelled Risk Profile AI for a former user, at once: “They asked.”',
    ]);
  });

  it('pages up to 2,000 rows and says that there are more', async () => {
    await app.context.db.execute(sql`
      insert into audit_log (action, subject_id, created_at)
      select 'test.many', 'thing', now() - n * interval '1 second' from generate_series(1, 2345) n`);
    const seen = new Set<string>();
    for (let page = 1; page <= 80; page += 1) {
      const { rows, pagination } = await log(`?action=test.many&page=${page}`);
      expect(pagination).toEqual({ page, total: 2000, totalPages: 80, more: true });
      for (const row of rows) seen.add(row.id);
    }
    expect(seen.size).toBe(2000);
    expect((await log('?action=test.many&page=81')).rows).toEqual([]);
  });

  it('leaves as a whole CSV file, which no spreadsheet runs', async () => {
    await app.context.db.insert(auditLog).values({ action: 'test.formula', subjectId: '=HYPERLINK("http://x")' });
    const one = await admin.agent.get('/api/admin/audit.csv?action=test.formula').buffer(true).expect(200);
    expect(one.headers['content-type']).toContain('text/csv');
    expect(one.headers['content-disposition']).toMatch(
      /^attachment; filename="?adviserly-audit-\d{4}-\d\d-\d\d\.csv"?$/,
    );
    expect(one.text).toContain(`"'=HYPERLINK(""http://x"")"`);
    const all = await admin.agent.get('/api/admin/audit.csv?action=test.many').buffer(true).expect(200);
    const lines = all.text.trim().split('\r\n');
    expect(lines).toHaveLength(2346);
    expect(new Set(lines.slice(1)).size).toBe(2345);
    expect(lines[0]).toContain('When (UTC),Action,Actor id,Actor');
  });

  it.each(['?actor=x', '?page=0', '?nonsense=1', '?action=%00'])('refuses %s', async (query) => {
    await admin.agent.get(`/api/admin/audit${query}`).expect(400);
  });
});

describe('incidents', () => {
  const incidents = async () =>
    ((await admin.agent.get('/api/admin/incidents').expect(200)).body as { incidents: Incident[] }).incidents;
  const park = (id: string) =>
    app.context.db.insert(stripeEvents).values({
      id,
      type: 'invoice.paid',
      objectId: 'in_1',
      status: 'parked',
      attempts: 9,
      lastError: 'Stripe was away',
      occurredAt: new Date(),
    });
  const statusOf = async (id: string) =>
    (await app.context.db.select().from(stripeEvents).where(eq(stripeEvents.id, id)))[0]!.status;
  const replayed = async (id: string) =>
    (await app.context.db.select().from(auditLog).where(eq(auditLog.action, 'admin.incident_replayed'))).filter(
      (row) => row.after?.['incident'] === id,
    );

  it('show a parked event; on two replicas one of eight replays works', async () => {
    await park('evt_parked');
    expect(await incidents()).toMatchObject([
      {
        id: 'evt_parked',
        kind: 'webhook',
        name: 'invoice.paid',
        about: 'in_1',
        error: 'Stripe was away',
        canReplay: true,
      },
    ]);
    const path = '/api/admin/incidents/evt_parked/replay';
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? admin : there).post(path)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, ...Array<number>(7).fill(409)]);
    expect(await replayed('evt_parked')).toHaveLength(1);
    expect(await incidents()).toEqual([]);
    await app.context.queue.drain();
    expect(await statusOf('evt_parked')).toBe('ignored'); // it concerns no subscription of ours
    await admin.post(path).expect(409);
    await admin.post('/api/admin/incidents/evt_unknown/replay').expect(404);
    await admin.post('/api/admin/incidents/6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b/replay').expect(404);
    await admin.post('/api/admin/incidents/a%20b/replay').expect(400);
  });

  it('show a job that used up its tries until it is replayed or sent again', async () => {
    let broken = true;
    const done: string[] = [];
    for (const each of [app, replica]) {
      await each.context.queue.define<{ thing: string }>('test-fragile', { retryLimit: 0 }, async ({ thing }) => {
        await Promise.resolve();
        if (broken) throw new Error('the thing is broken');
        done.push(thing);
      });
    }
    await app.context.queue.send(app.context.db, 'test-fragile', { thing: 'one' });
    await app.context.queue.send(app.context.db, 'test-fragile', { thing: 'two' });
    await app.context.queue.drain();
    const failed = await incidents();
    expect(failed.map(({ about }) => about).toSorted()).toEqual(['thing one', 'thing two']);
    expect(failed[0]).toMatchObject({ kind: 'job', name: 'test-fragile', error: 'the thing is broken', attempts: 1 });

    broken = false;
    const one = failed.find(({ about }) => about === 'thing one')!;
    const path = `/api/admin/incidents/${one.id}/replay`;
    const answers = await Promise.all([...Array<number>(6)].map((_, n) => (n % 2 === 0 ? admin : there).post(path)));
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    await app.context.queue.drain();
    expect(done).toEqual(['one']);
    expect(await replayed(one.id)).toHaveLength(1);
    expect((await incidents()).map(({ about }) => about)).toEqual(['thing two']);

    await app.context.queue.send(app.context.db, 'test-fragile', { thing: 'two' });
    await app.context.queue.drain();
    expect(done).toEqual(['one', 'two']);
    expect(await incidents()).toEqual([]);
  });

  it('fail again where the fault is still there', async () => {
    await app.context.queue.define('test-broken', { retryLimit: 0 }, () => Promise.reject(new Error('still broken')));
    await app.context.queue.send(app.context.db, 'test-broken', {});
    await app.context.queue.drain();
    const [incident] = await incidents();
    await admin.post(`/api/admin/incidents/${incident!.id}/replay`).expect(200);
    expect(await incidents()).toEqual([]);
    await app.context.queue.drain();
    expect(await incidents()).toMatchObject([{ id: incident!.id, attempts: 2, error: 'still broken' }]);
  });

  it('come with what the operator should know', async () => {
    const { body } = await admin.agent.get('/api/admin/incidents').expect(200);
    expect((body as { warnings: string[] }).warnings).toEqual(app.context.env.warnings);
    const [newest] = await app.context.db.select().from(auditLog).orderBy(desc(auditLog.createdAt)).limit(1);
    expect(newest).toBeDefined();
  });
});
