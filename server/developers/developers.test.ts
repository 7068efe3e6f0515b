import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OwnToolDetails } from '#shared/api/developers.ts';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { mails } from '#shared/schema/notifications.ts';
import { testAdvisers, tools, toolSecrets } from '#shared/schema/tools.ts';
import { minute } from '#shared/rules/dates.ts';
import { administrator } from '#server/testing/administrator.ts';
import { password } from '#server/testing/factories.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { eventServer } from '#server/testing/event-receiver.ts';
import { answering, makePublishable } from '#server/testing/publishable.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp();
let receiver: Awaited<ReturnType<typeof eventServer>>;
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  receiver = await eventServer();
  admin = await administrator(app);
});
beforeEach(() => receiver.answerWith(204));
afterAll(() => receiver.stop());

const base = '/api/developers/tools';
type Made = { tool: { id: string; state: string }; secret: string; signingSecret: string };
const settings = (more: object = {}) => ({
  name: 'Fee Finder AI',
  description: 'Finds fees.',
  domain: 'http://localhost:5000/start',
  eventsUrl: `${receiver.url}/events`,
  scopes: ['name'],
  ...more,
});
async function registered(more: object = {}) {
  const { agent, user } = await app.signedIn();
  const made = (await agent.post(base).send(settings(more)).expect(201)).body as Made;
  receiver.verifyWith(made.signingSecret);
  return { agent, user, ...made, path: `${base}/${made.tool.id}` };
}
const show = async (agent: Agent, path: string) => (await agent.get(path).expect(200)).body as OwnToolDetails;
const codeOf = (answer: { body: unknown }) => (answer.body as { code: string }).code;

/** Exchanges a launch as the tool's server does; returns the introspection's answer. */
async function exchange({ tool, secret }: Pick<Made, 'tool' | 'secret'>, url: string) {
  const token = new URL(url).searchParams.get('auth_token');
  const call = app.agent().post('/api/tools/introspect').auth(tool.id, secret).type('form').send({ token });
  return (await call.expect(200)).body as Record<string, string>;
}
async function launched(made: Awaited<ReturnType<typeof registered>>) {
  const [adviser] = (await show(made.agent, made.path)).testAdvisers;
  const { body } = await made.agent.post(`${made.path}/test-advisers/${adviser!.id}/launch`).expect(200);
  return { adviser: adviser!, session: await exchange(made, (body as { url: string }).url) };
}
const report = ({ tool, secret }: Made, events: object[]) =>
  app.agent().post('/api/tools/usage').auth(tool.id, secret).send({ events }).expect(200);

describe('registering', () => {
  it('gives an id, a secret of each kind and a test adviser, and nobody else sees it', async () => {
    const { agent, path, tool, secret } = await registered();
    expect(tool).toMatchObject({ id: 'fee-finder-ai', state: 'draft' });
    expect(await show(agent, path)).toMatchObject({
      secrets: [{ kind: 'signing' }, { kind: 'call', name: 'First secret', lastUsedAt: null }],
      testAdvisers: [{ name: 'Alex Nguyen', ended: null }],
    });
    expect(JSON.stringify(await rowsOf(app, 'select * from tool_secrets'))).not.toContain(secret);
    const stranger = (await app.signedIn()).agent;
    expect((await stranger.get(base).expect(200)).body).toEqual([]);
    expect(codeOf(await stranger.get(path).expect(404))).toBe('tool_not_found');
    expect(codeOf(await stranger.patch(path).send({ name: 'Mine' }).expect(404))).toBe('tool_not_found');
    expect(codeOf(await admin.agent.get(path).expect(404))).toBe('tool_not_found');
    const catalogue = (await stranger.get('/api/tools').expect(200)).body as { id: string }[];
    expect(catalogue.map(({ id }) => id)).not.toContain(tool.id);
    expect(codeOf(await stranger.post('/api/auth/token').send({ toolId: tool.id }).expect(404))).toBe('tool_not_found');
    expect((await registered()).tool.id).toBe('fee-finder-ai-2');
  });

  it('is for verified people, ten unpublished tools each, also when asked at once', async () => {
    const unverified = (await app.signedIn({ emailVerified: false })).agent;
    expect(codeOf(await unverified.post(base).send(settings()).expect(403))).toBe('verify_first');
    const { agent } = await app.signedIn();
    const answers = await Promise.all(Array.from({ length: 12 }, () => agent.post(base).send(settings())));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(10).fill(201), 409, 409]);
  });

  it.each([
    [{ domain: 'http://fees.example' }, 'domain'],
    [{ eventsUrl: 'ftp://fees.example' }, 'eventsUrl'],
    [{ scopes: ['password'] }, 'scopes.0'],
    [{ name: '' }, 'name'],
    [{ isActive: true }, 'isActive'],
  ])('%j is refused by name', async (more, field) => {
    const { agent } = await app.signedIn();
    const { body } = await agent.post(base).send(settings(more)).expect(400);
    expect(Object.keys((body as { fields: object }).fields)).toContain(field);
  });
});

describe('the sandbox', () => {
  it('opens the tool as a made-up person, of whom it gets what it asked for; launch and report are shown', async () => {
    const made = await registered({ scopes: ['name', 'dealer_group'] });
    const { adviser, session } = await launched(made);
    expect(session).toMatchObject({
      active: true,
      sub: adviser.id,
      name: 'Alex Nguyen',
      dealer_group: 'Harbour Licensee',
    });
    expect(Object.keys(session)).not.toContain('email');
    expect(Object.keys(session)).not.toContain('team');
    const event = { event_id: 'one', session_id: session['session_id'], duration_seconds: 600 };
    await report(made, [event]);
    const shown = await show(made.agent, made.path);
    expect(shown.launches).toMatchObject([{ who: 'Alex Nguyen', reports: 1, durationSeconds: 600 }]);
    expect(shown.launches[0]!.exchangedAt).not.toBeNull();
    expect(shown.secrets.find(({ kind }) => kind === 'call')!.lastUsedAt).not.toBeNull();
  });

  it('says why exchanges and reports were refused', async () => {
    const made = await registered();
    const { session } = await launched(made);
    const [adviser] = (await show(made.agent, made.path)).testAdvisers;
    const { url } = (await made.agent.post(`${made.path}/test-advisers/${adviser!.id}/launch`).expect(200)).body as {
      url: string;
    };
    await exchange(made, url);
    for (let i = 0; i < 3; i += 1) await exchange(made, url);
    await exchange(made, 'http://x.example/?auth_token=made-up');
    await report(made, [{ event_id: 'a', session_id: session['session_id'], duration_seconds: -1 }]);
    const told = async () =>
      (await show(made.agent, made.path)).refusals.reduce<Record<string, number>>(
        (sum, { message, times }) => ({ ...sum, [message]: (sum[message] ?? 0) + times }),
        {},
      );
    await vi.waitFor(
      async () =>
        expect(await told()).toEqual({
          'The token had been used: each works once.': 3,
          'No token of your tool.': 1,
          'out_of_range, duration_seconds: Too small: expected number to be >=0': 1,
        }),
      { timeout: 20_000, interval: 200 },
    );
  });

  it.each([
    ['cancelled', [['access.ended', 'cancelled']]],
    ['payment_failed', [['access.ended', 'payment_failed']]],
    ['member.removed', [['member.removed', undefined]]],
    [
      'account.closed',
      [
        ['account.closed', undefined],
        ['person.erase', undefined],
      ],
    ],
  ] as const)(
    '%s is told to the tool as in production, and shown; access can be given back',
    async (ended, expected) => {
      const made = await registered();
      const { adviser, session } = await launched(made);
      const access = `${made.path}/test-advisers/${adviser.id}/access`;
      await made.agent.post(access).send({ ended }).expect(200);
      await app.context.queue.drain();
      expect(receiver.of(adviser.id).map(({ type, data }) => [type, data.reason])).toEqual(expected);
      const status = `/api/tools/sessions/${session['session_id']}`;
      expect((await app.agent().get(status).auth(made.tool.id, made.secret)).body).toMatchObject({ access: false });
      const { deliveries } = await show(made.agent, made.path);
      expect(deliveries).toHaveLength(expected.length);
      expect(deliveries[0]).toMatchObject({ who: 'Alex Nguyen', lastStatus: 204, attempts: 1 });
      await made.agent.post(`${made.path}/deliveries/${deliveries[0]!.id}/replay`).expect(200);
      await app.context.queue.drain();
      expect(receiver.of(adviser.id)).toHaveLength(expected.length + 1);
      await made.agent.post(access).send({ ended: null }).expect(200);
      expect((await launched(made)).session).toMatchObject({ active: true });
    },
  );

  it('its people are nobody’s account: they can’t sign in, are not counted, found, written to or charged', async () => {
    const counted = async () => (await admin.agent.get('/api/admin/subscriber-stats').expect(200)).body as object;
    const { agent } = await app.signedIn();
    const before = await counted();
    const made = (
      await agent
        .post(base)
        .send(settings({ name: 'Counted' }))
        .expect(201)
    ).body as Made;
    const path = `${base}/${made.tool.id}`;
    for (let i = 0; i < 4; i += 1) await agent.post(`${path}/test-advisers`).expect(201);
    expect(codeOf(await agent.post(`${path}/test-advisers`).expect(409))).toBe('test_advisers_full');
    expect(await counted()).toEqual(before);
    const [row] = await app.context.db.select().from(testAdvisers).where(eq(testAdvisers.toolId, made.tool.id));
    const [person] = await app.context.db.select().from(users).where(eq(users.id, row!.userId));
    await app.agent().post('/api/login').send({ email: person!.email, password: '!' }).expect(401);
    await app.agent().post('/api/forgot-password').send({ email: person!.email }).expect(200);
    await app.context.queue.drain();
    expect(await app.context.db.select().from(mails).where(eq(mails.toAddress, person!.email))).toEqual([]);
    const found = await admin.agent.get(`/api/admin/users?search=${encodeURIComponent(person!.email)}`).expect(200);
    expect((found.body as { users: unknown[] }).users).toEqual([]);
    await admin.post('/api/admin/suspend', { userId: person!.id, reason: 'x' }).expect(404);
  });

  it('a test adviser opens no other tool, and belongs to no other maker', async () => {
    const made = await registered();
    const other = await registered({ name: 'Other' });
    const [theirs] = (await show(other.agent, other.path)).testAdvisers;
    for (const call of [
      made.agent.post(`${made.path}/test-advisers/${theirs!.id}/launch`),
      made.agent.post(`${made.path}/test-advisers/${theirs!.id}/access`).send({ ended: 'cancelled' }),
      made.agent.post(`${made.path}/test-advisers/${made.user.id}/launch`),
    ])
      expect(codeOf(await call.expect(404))).toBe('test_adviser_not_found');
    const [event] = (await show(other.agent, other.path)).deliveries;
    expect(event).toBeUndefined();
    const id = '6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b';
    expect(codeOf(await made.agent.post(`${made.path}/deliveries/${id}/replay`).expect(404))).toBe('event_not_found');
  });
});

describe('secrets', () => {
  it('are rotated: two of a kind may be live, a revoked one is refused at once', async () => {
    const made = await registered();
    const make = (kind: string) => made.agent.post(`${made.path}/secrets`).send({ kind, name: 'Second' });
    const { secret } = (await make('call').expect(201)).body as { secret: string };
    expect(codeOf(await make('call').expect(409))).toBe('secrets_full');
    const { secrets } = await show(made.agent, made.path);
    const first = secrets.find(({ kind, name }) => kind === 'call' && name === 'First secret')!;
    await made.agent.delete(`${made.path}/secrets/${first.id}`).expect(200);
    expect(codeOf(await made.agent.delete(`${made.path}/secrets/${first.id}`).expect(404))).toBe('secret_not_found');
    const call = (by: string) =>
      app.agent().post('/api/tools/introspect').auth(made.tool.id, by).type('form').send({ token: 'x' });
    await call(made.secret).expect(401);
    await call(secret).expect(200);
    const signing = ((await make('signing').expect(201)).body as { secret: string }).secret;
    receiver.verifyWith(signing);
    const { adviser } = await launched({ ...made, secret });
    await made.agent.post(`${made.path}/test-advisers/${adviser.id}/access`).send({ ended: 'ended' }).expect(200);
    await app.context.queue.drain();
    expect(receiver.of(adviser.id)).toHaveLength(1);
  });

  it('tell their maker by mail when one is made later, but not their own when the tool is registered', async () => {
    const made = await registered({ name: 'Told' });
    const told = () => app.context.db.select().from(mails).where(eq(mails.toAddress, made.user.email));
    expect(await told()).toEqual([]);
    const secrets = [
      { kind: 'call', name: 'Spare' },
      { kind: 'signing', name: 'Spare' },
    ];
    for (const one of secrets) await made.agent.post(`${made.path}/secrets`).send(one).expect(201);
    const sent = await told();
    expect(sent.map(({ subject }) => subject)).toEqual(Array(2).fill('Told has a new secret'));
    expect(sent[0]!.textBody).toContain('“Spare”');
    expect(sent[0]!.textBody).toContain('revoke it');
  });

  it('ask for proof, and say no more than their name in the audit log', async () => {
    const made = await registered();
    await app.context.db.execute(
      `update sessions set sess = (sess::jsonb - 'provenAt')::json where user_id = '${made.user.id}'`,
    );
    const refused = await made.agent.post(`${made.path}/secrets`).send({ kind: 'call', name: 'x' }).expect(403);
    expect(codeOf(refused)).toBe('proof_needed');
    const rows = await app.context.db.select().from(auditLog).where(eq(auditLog.subjectId, made.tool.id));
    expect(rows.map(({ action }) => action).toSorted()).toEqual([
      'tool.own_secret_made',
      'tool.own_secret_made',
      'tool.registered',
    ]);
    expect(JSON.stringify(rows)).not.toContain(made.secret);
    const live = await app.context.db
      .select()
      .from(toolSecrets)
      .where(and(eq(toolSecrets.toolId, made.tool.id), eq(toolSecrets.kind, 'signing')));
    expect(live[0]!.sealed).not.toContain(made.signingSecret.slice(6));
  });
});

describe('the reports of a tool that is not published', () => {
  const batch = (session_id: string, count = 50) =>
    Array.from({ length: count }, () => ({ event_id: randomUUID(), session_id, duration_seconds: 0 }));
  const sent = (made: Made, events: object[]) =>
    app.agent().post('/api/tools/usage').auth(made.tool.id, made.secret).send({ events });

  it('have a budget of 1,000 a day for each tool, at whatever batch; a published one has none', async () => {
    const made = await registered({ name: 'Talkative' });
    const session = (await launched(made)).session['session_id']!;
    for (let i = 0; i < 19; i += 1) await report(made, batch(session));
    await report(made, batch(session, 49));
    expect((await sent(made, batch(session, 2)).expect(429)).headers['retry-after']).toMatch(/^\d+$/);
    expect(codeOf(await sent(made, batch(session, 1)).expect(429))).toBe('rate_limited');
    const [counted] = await rowsOf(app, 'select count(*)::int from usage_analytics where usage_id = $1', [session]);
    expect(counted).toEqual({ count: 999 });

    const other = await registered({ name: 'Quiet' });
    await report(other, batch((await launched(other)).session['session_id']!));
    await rowsOf(app, 'update tools set is_active = true where id = $1', [made.tool.id]);
    await report(made, batch(session));
    await rowsOf(app, 'update tools set is_active = false where id = $1', [made.tool.id]);
  });
});

describe('publishing', () => {
  const requests = async () =>
    (await admin.agent.get('/api/admin/tool-requests').expect(200)).body as { id: string; requestedAt: string }[];
  const mailsTo = async (address: string) =>
    (
      await app.context.db
        .select()
        .from(mails)
        .where(and(eq(mails.toAddress, address), eq(mails.kind, 'tool-decided')))
        .orderBy(asc(mails.createdAt))
    ).map(({ subject, textBody }) => `${subject} ${textBody}`);

  it('a tool is not published under the name of another', async () => {
    const made = await registered({ name: 'risk profile AI' });
    await made.agent.post(`${made.path}/publication`).expect(200);
    const asked = (await requests()).find(({ id }) => id === made.tool.id)!;
    const approval = { priceCents: 2500, requestedAt: asked.requestedAt };
    const answer = await admin.post(`/api/admin/tool-requests/${made.tool.id}/approve`, approval).expect(409);
    expect(codeOf(answer)).toBe('tool_name_taken');
    const reason = 'Please choose another name';
    await admin.post(`/api/admin/tool-requests/${made.tool.id}/refuse`, { reason }).expect(200);
  });

  it('an administrator opens what is asked to be published as a test adviser, while it waits', async () => {
    const made = await registered({ name: 'Tried Before' });
    const tryOut = () => admin.post(`/api/admin/tool-requests/${made.tool.id}/launch`, {});
    expect(codeOf(await tryOut().expect(409))).toBe('not_requested');
    await made.agent.post(`${made.path}/publication`).expect(200);
    await made.agent.post(`/api/admin/tool-requests/${made.tool.id}/launch`).send({}).expect(403);
    const { url, name } = (await tryOut().expect(200)).body as { url: string; name: string };
    expect(name).toBe('Alex Nguyen');
    expect(new URL(url).origin + new URL(url).pathname).toBe('http://localhost:5000/start');
    expect(await exchange(made, url)).toMatchObject({ active: true, name, tool_id: made.tool.id });
    expect(await exchange(made, url)).toEqual({ active: false });
    expect((await show(made.agent, made.path)).launches).toMatchObject([{ who: name, fromCheck: false }]);
    const told = await app.context.db
      .select({ who: auditLog.actorId, after: auditLog.after })
      .from(auditLog)
      .where(eq(auditLog.action, 'admin.tool_tried'));
    expect(told).toEqual([{ who: admin.user.id, after: { name } }]);

    const endAll = async () => {
      for (const { id } of (await show(made.agent, made.path)).testAdvisers)
        await made.agent.post(`${made.path}/test-advisers/${id}/access`).send({ ended: 'cancelled' }).expect(200);
    };
    await endAll();
    expect((await tryOut().expect(200)).body).toMatchObject({ name: `Siobhán </b>"&' O’Brien-Smith` });
    for (let i = 2; i < 5; i += 1) await made.agent.post(`${made.path}/test-advisers`).expect(201);
    await endAll();
    expect(codeOf(await tryOut().expect(409))).toBe('test_adviser_ended');
    await app.context.queue.drain();
    await admin.post(`/api/admin/tool-requests/${made.tool.id}/refuse`, { reason: 'Later.' }).expect(200);
    expect(codeOf(await tryOut().expect(409))).toBe('not_requested');
  });

  it('an administrator opens nobody’s tool from its maker’s page, which would leave no trace in the audit log', async () => {
    const made = await registered({ name: 'Not Tried Yet' });
    const { testAdvisers: known } = await show(made.agent, made.path);
    const path = `${made.path}/test-advisers/${known[0]!.id}/launch`;
    expect(codeOf(await admin.post(path, {}).expect(404))).toBe('tool_not_found');
    await made.agent.post(path).expect(200);
    expect(await show(made.agent, made.path)).toMatchObject({ launches: [{}] });
  });

  it('an administrator refuses with a reason, and then approves; real advisers open it', async () => {
    const made = await registered({ name: 'Road To Catalogue', scopes: [] });
    const { adviser } = await launched(made);
    const ask = () => made.agent.post(`${made.path}/publication`).expect(200);
    const approve = async () => {
      const { requestedAt } = (await requests()).find(({ id }) => id === made.tool.id) ?? { requestedAt: asked };
      return admin.post(`${at}/approve`, { priceCents: 2500, requestedAt });
    };
    const asked = app.context.now().toISOString();
    expect((await ask()).body).toMatchObject({ state: 'requested' });
    await ask();
    expect((await requests()).map(({ id }) => id)).toContain(made.tool.id);
    const at = `/api/admin/tool-requests/${made.tool.id}`;
    await admin.post(`${at}/refuse`, { reason: 'Please add a privacy page.' }).expect(200);
    expect((await show(made.agent, made.path)).tool).toMatchObject({
      state: 'refused',
      refusedFor: 'Please add a privacy page.',
    });
    expect(codeOf(await approve())).toBe('not_requested');
    const server = await answering();
    await makePublishable(app, { agent: made.agent, id: made.tool.id }, { domain: server.url });
    await app.clock.advance(minute);
    await ask();
    expect((await approve()).status).toBe(200);
    await server.stop();
    await app.context.queue.drain();
    expect(await requests()).toEqual([]);
    const [refusedMail, publishedMail] = await mailsTo(made.user.email);
    expect(refusedMail).toContain('Please add a privacy page.');
    expect(publishedMail).toContain('$25.00 a month');
    expect(receiver.of(adviser.id)).toMatchObject([{ type: 'access.ended', data: { reason: 'ended' } }]);

    const catalogue = (await app.agent().get('/api/tools').expect(200)).body as object[];
    expect(catalogue).toContainEqual(expect.objectContaining({ id: made.tool.id, basePrice: '25.00', isActive: true }));
    const { agent } = await app.signedIn();
    await agent.post('/api/create-subscription').send({ toolId: made.tool.id, trial: true }).expect(200);
    const { url } = (await agent.post('/api/auth/token').send({ toolId: made.tool.id }).expect(200)).body as {
      url: string;
    };
    const session = await exchange(made, url);
    expect(session).toMatchObject({ active: true, status: 'trial' });
    expect(Object.keys(session).toSorted()).toEqual([
      'active',
      'client_reference',
      'exp',
      'purpose',
      'session_id',
      'status',
      'sub',
      'tool_id',
    ]);

    for (const change of [{ domain: 'https://elsewhere.example' }, { scopes: ['email'] }, { name: 'Other' }])
      expect(codeOf(await made.agent.patch(made.path).send(change).expect(409))).toBe('tool_published');
    await made.agent.patch(made.path).send({ eventsUrl: 'https://events.example/in' }).expect(200);
    for (const path of ['launch', 'access'])
      expect(
        codeOf(
          await made.agent
            .post(`${made.path}/test-advisers/${adviser.id}/${path}`)
            .send(path === 'access' ? { ended: null } : {})
            .expect(409),
        ),
      ).toBe('no_staging');
  });

  it('is for administrators', async () => {
    const made = await registered();
    await made.agent.post(`${made.path}/publication`).expect(200);
    const requestedAt = app.context.now().toISOString();
    await made.agent.get('/api/admin/tool-requests').expect(403);
    await made.agent
      .post(`/api/admin/tool-requests/${made.tool.id}/approve`)
      .send({ priceCents: 100, requestedAt })
      .expect(403);
    await admin.post('/api/admin/tool-requests/risk-profile-ai/approve', { priceCents: 100, requestedAt }).expect(404);
  });

  it('is not asked for without a word on what the tool does', async () => {
    const made = await registered({ description: '  ' });
    expect(codeOf(await made.agent.post(`${made.path}/publication`).expect(409))).toBe('tool_undescribed');
    expect((await show(made.agent, made.path)).tool.state).toBe('draft');
  });

  it('what was looked at is what is published: a change takes the request back', async () => {
    const made = await registered();
    const ask = () => made.agent.post(`${made.path}/publication`).expect(200);
    const at = `/api/admin/tool-requests/${made.tool.id}/approve`;
    await ask();
    const looked = (await requests()).find(({ id }) => id === made.tool.id)!;
    const changed = await made.agent.patch(made.path).send({ domain: 'https://elsewhere.example' }).expect(200);
    expect(changed.body).toMatchObject({ state: 'draft' });
    expect((await requests()).map(({ id }) => id)).not.toContain(made.tool.id);
    await app.clock.advance(minute);
    await ask();
    const approval = { priceCents: 2500, requestedAt: looked.requestedAt };
    expect(codeOf(await admin.post(at, approval).expect(409))).toBe('not_requested');
    await made.agent.patch(made.path).send({ eventsUrl: 'https://events.example/in' }).expect(200);
    expect((await requests()).map(({ id }) => id)).toContain(made.tool.id);
  });
});

describe('a maker who closes their account', () => {
  const close = ({ agent }: { agent: Agent }) => agent.post('/api/user/close-account').send({ password });

  it('ends the tools that were not published, and their secrets', async () => {
    const made = await registered();
    await made.agent.post(`${made.path}/publication`).expect(200);
    const call = () =>
      app.agent().post('/api/tools/introspect').auth(made.tool.id, made.secret).type('form').send({ token: 'unknown' });
    await call().expect(200);
    await close(made).expect(200);
    await call().expect(401);
    const waiting = (await admin.agent.get('/api/admin/tool-requests').expect(200)).body as { id: string }[];
    expect(waiting.map(({ id }) => id)).not.toContain(made.tool.id);
  });

  it('has to write to us first where one is published', async () => {
    const made = await registered();
    await app.context.db.update(tools).set({ isActive: true }).where(eq(tools.id, made.tool.id));
    expect(codeOf(await close(made).expect(409))).toBe('owns_tool');
  });
});
