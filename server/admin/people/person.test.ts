import { beforeAll, describe, expect, it } from 'vitest';
import { profileFields } from '#shared/rules/people/profile.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import type { adminApi } from '#shared/api/operators/admin.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { emailChanges } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { mails } from '#shared/schema/notifications.ts';
import { administrator } from '#server/testing/administrator.ts';
import { buy, DAY, live, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

type Timeline = Reply<typeof adminApi.userTimeline>;

const app = testApp();
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});

const timeline = async (id: string, query = '') =>
  (await admin.agent.get(`/api/admin/users/${id}/timeline${query}`).expect(200)).body as Timeline;
const sentences = async (id: string, query = '') => (await timeline(id, query)).rows.map(({ sentence }) => sentence);

describe('the page of a person', () => {
  it('shows who they are, what they subscribe to, who pays, and their teams', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    await agent.post('/api/teams').send({ name: 'Marlow Advice' }).expect(201);
    const { body } = await admin.agent.get(`/api/admin/users/${user.id}`).expect(200);
    expect(body).toMatchObject({
      user: { id: user.id, email: user.email, businessName: 'Nguyen Advice', hasSecondFactor: false },
      card: { brand: 'visa', last4: '4242' },
      subscriptions: [
        { toolId: 'lost-money-ai', status: 'active', monthlyCents: 0 },
        { toolId: 'file-note-ai', status: 'active', monthlyCents: 2500 },
      ],
      teams: [{ name: 'Marlow Advice', role: 'owner' }],
    });
    expect(Object.keys((body as { user: object }).user)).toEqual(expect.arrayContaining(profileFields));
    expect(JSON.stringify(body)).not.toContain('password');
  });

  it('is found by an id in capitals too', async () => {
    const { user } = await app.signedIn();
    const { body } = await admin.agent.get(`/api/admin/users/${user.id.toUpperCase()}`).expect(200);
    expect(body).toMatchObject({ user: { id: user.id } });
    await admin.agent.get(`/api/admin/users/${user.id.toUpperCase()}/timeline`).expect(200);
  });

  it('does not exist for a closed account, a stranger’s id or an adviser', async () => {
    const { agent, user } = await app.signedIn();
    await agent.get(`/api/admin/users/${user.id}`).expect(403);
    await agent.get(`/api/admin/users/${user.id}/timeline`).expect(403);
    const nobody = '00000000-0000-4000-8000-000000000000';
    await admin.agent.get(`/api/admin/users/${nobody}`).expect(404);
    await admin.agent.get(`/api/admin/users/${nobody}/timeline`).expect(404);
  });
});

describe('the search', () => {
  it('finds a person by their ABN, an invoice of theirs or their team’s, and Stripe’s ids', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    await rowsOf(app, "update users set abn = '51824753556' where id = $1", [user.id]);
    const [known] = await rowsOf(
      app,
      `select invoices.number, stripe_invoice_id as invoice, users.stripe_customer_id as customer, s.stripe_subscription_id as subscription
      from users join invoices on invoices.user_id = users.id join tool_subscriptions s on s.user_id = users.id and s.stripe_subscription_id is not null
      where users.id = $1`,
      [user.id],
    );
    const find = async (search: string) =>
      (
        (await admin.agent.get('/api/admin/users').query({ search }).expect(200)).body as { users: { id: string }[] }
      ).users.map(({ id }) => id);
    for (const text of [
      '51 824 753 556',
      'ABN 51-824-753-556',
      ...Object.values(known!).map(String),
      String(known!['number']).toLowerCase(),
    ])
      expect(await find(text), text).toEqual([user.id]);
    expect(await find('51 824 753 557')).toEqual([]);
    await rowsOf(app, 'update users set closed_at = now() where id = $1', [user.id]);
    expect(await find(String(known!['number']))).toEqual([]);
  });
});

describe('the timeline', () => {
  it('answers “why was I charged this?” line by line, beside acts, emails and refunds', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, 'file-note-ai');
    await buy(app, agent, 'risk-profile-ai');
    await live(app, 31 * DAY);
    const charged = (await timeline(user.id, '?kind=invoice')).rows.toSorted((a, b) =>
      b.sentence.localeCompare(a.sentence),
    );
    const days = '\\d+ \\w+( \\d+)? to \\d+ \\w+ \\d+';
    expect(charged.map(({ sentence }) => sentence)).toEqual(
      [`2 tools, ${days}: \\$52.25`, `Risk Profile AI, ${days}: \\$28.50`, `File Note AI, ${days}: \\$25.00`].map(
        (what) => expect.stringMatching(new RegExp(`^Invoice \\S+ for ${what}, paid on \\d+ \\w+ \\d{4}\\.$`)),
      ),
    );
    expect(charged.at(-1)!.details).toEqual([expect.stringMatching(/^File Note AI, .+: \$25\.00$/), 'GST: $2.27']);
    expect(charged[0]!.details.toSorted()).toEqual([
      'Bulk discount (5%): −$1.25',
      'Bulk discount (5%): −$1.50',
      expect.stringMatching(/^File Note AI, .+: \$25\.00$/),
      'GST: $4.75',
      expect.stringMatching(/^Risk Profile AI, .+: \$30\.00$/),
    ]);

    const [row] = await rowsOf(
      app,
      'select stripe_invoice_id as id from invoices where user_id = $1 and total_cents = 2850 order by issued_at limit 1',
      [user.id],
    );
    await app.sandbox!.controls.refundInvoice(String(row!['id']), 1500);
    await app.sandbox!.deliverPending();
    await app.context.queue.drain();
    expect((await timeline(user.id, '?kind=adjustment_note')).rows[0]).toMatchObject({
      sentence: expect.stringMatching(/^Adjustment note \S+: \$15\.00 off invoice \S+ for Risk Profile AI, .+\.$/),
    });
    expect(await sentences(user.id, '?kind=mail')).toContainEqual(
      expect.stringMatching(new RegExp(`^Email “.*Receipt.*” to ${user.email}, sent\\.$`, 'i')),
    );
    await admin.post('/api/admin/grant-free-access', { userId: user.id }).expect(200);
    const all = await timeline(user.id);
    const kinds = new Set(all.rows.map(({ kind }) => kind));
    // The provider’s events are there for whoever asks for them.
    expect([...kinds].toSorted()).toEqual(['act', 'adjustment_note', 'invoice', 'mail']);
    expect(await sentences(user.id, '?kind=stripe')).toEqual(
      expect.arrayContaining([
        'Stripe: a subscription began.',
        'Stripe: an invoice was paid.',
        'Stripe: money was sent back.',
      ]),
    );
    expect(all.rows.map(({ sentence }) => sentence)).toContain('Alex Nguyen gave Alex Nguyen free access.');
    const times = all.rows.map(({ at }) => new Date(at).getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });

  it('goes on where a page ended, without losing or repeating rows of one moment', async () => {
    const { user } = await app.signedIn();
    const at = new Date('2026-01-02T03:04:05.678Z');
    const many = Array.from({ length: 120 }, () => ({
      action: 'account.data_exported' as const,
      actorId: user.id,
      subjectType: 'user',
      subjectId: user.id,
      createdAt: at,
    }));
    await app.context.db.insert(auditLog).values(many);
    const seen: string[] = [];
    for (let older: string | null | undefined; older !== null;) {
      const page = await timeline(user.id, `?kind=act${older ? `&before=${older}` : ''}`);
      seen.push(...page.rows.filter(({ at: when }) => String(when) === at.toISOString()).map(({ id }) => id));
      older = page.older;
    }
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
  });

  it('shows no mail to somebody who had the address before', async () => {
    const { user: before } = await app.signedIn();
    const { user } = await app.signedIn();
    const { db, now } = app.context;
    const hours = (count: number) => plus(now(), count * hour);
    await rowsOf(app, 'update users set created_at = $2 where id = $1', [user.id, hours(-1)]);
    const mail = (subject: string, at: Date) =>
      db.insert(mails).values({ kind: 'x', toAddress: user.email, subject, textBody: '', htmlBody: '', createdAt: at });
    await mail('Your invitation', hours(-3));
    await mail('Your account', hours(0));
    const told = async () => (await sentences(user.id, '?kind=mail')).map((sentence) => /“(.*)”/.exec(sentence)?.[1]);
    expect(await told()).toEqual(['Your account', 'Your invitation']);
    await db.insert(emailChanges).values({
      userId: before.id,
      fromEmail: user.email,
      toEmail: before.email,
      token: 'x',
      expiresAt: hours(-2),
      confirmedAt: hours(-2),
    });
    expect(await told()).toEqual(['Your account']);
  });

  it.each(['yesterday', '2026-01-01', "2026-01-02T03:04:05.678901Z_' or 1=1"])(
    'refuses %s as a place to go on from',
    async (before) => {
      const answer = await admin.agent.get(`/api/admin/users/${admin.user.id}/timeline`).query({ before }).expect(400);
      expect(answer.body).toMatchObject({ fields: { before: 'Not a place in the timeline' } });
    },
  );
});
