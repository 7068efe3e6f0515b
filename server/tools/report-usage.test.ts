import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { hour, minute } from '#shared/rules/dates.ts';
import { createUser } from '#server/testing/factories.ts';
import { buy } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';

const tool = 'risk-profile-ai';
const other = 'fact-find-ai';

const app = testApp();
let secrets: Record<string, string>;
let userId: string;
beforeAll(async () => {
  const make = (id: string) => makeSecret(app, id);
  secrets = { [tool]: await make(tool), [other]: await make(other) };
  userId = (await createUser(app.context)).id;
});

const send = (body: object | string, by = tool) =>
  app.agent().post('/api/tools/usage').auth(by, secrets[by]!).type('json').send(body);
const report = async (events: unknown[], by = tool) => (await send({ events }, by).expect(200)).body.events as object[];

async function openSession(toolId = tool) {
  const now = app.context.now();
  const [row] = await app.context.db
    .insert(toolUsage)
    .values({ userId, toolId, createdAt: now, lastAccessed: now })
    .returning();
  return row!.id;
}
const event = (session_id: string, more: object = {}) => ({
  event_id: randomUUID(),
  session_id,
  duration_seconds: 600,
  ...more,
});
const storedFor = (session: string) =>
  app.context.db.select().from(usageAnalytics).where(eq(usageAnalytics.usageId, session));
const sessionRow = async (id: string) =>
  (await app.context.db.select().from(toolUsage).where(eq(toolUsage.id, id)))[0]!;

// The adviser in these tests has no subscription.
const accepted = { accepted: true, duplicate: false, access: false };
const duplicate = { accepted: true, duplicate: true, access: false };
const refused = (reason: string) => ({
  accepted: false,
  duplicate: false,
  reason,
  message: expect.any(String) as string,
});

describe('usage reports', () => {
  it('stores an event and marks the session used and ended', async () => {
    const session = await openSession();
    const opened = await sessionRow(session);
    const sent = event(session, { actions_performed: 12, data_processed: 2_000_000_000, performance_score: 9.456 });
    await app.clock.advance(10 * minute);
    expect(await report([sent])).toEqual([{ event_id: sent.event_id, ...accepted }]);
    expect(await storedFor(session)).toMatchObject([
      {
        userId,
        toolId: tool,
        sessionDuration: 600,
        actionsPerformed: 12,
        dataProcessed: 2_000_000_000,
        performanceScore: '9.46',
        date: opened.createdAt,
      },
    ]);
    const after = await sessionRow(session);
    expect(after.lastAccessed.getTime()).toBeGreaterThan(opened.lastAccessed.getTime());
    expect(after.endedAt).toEqual(after.lastAccessed);
  });

  it('counts a repeat once, and refuses its id with another session or other figures by name', async () => {
    const [session, second] = [await openSession(), await openSession()];
    const sent = event(session);
    expect(await report([sent, sent])).toMatchObject([accepted, duplicate]);
    const before = await sessionRow(session);
    expect(await report([sent])).toMatchObject([duplicate]);
    for (const other of [{ duration_seconds: 1 }, { performance_score: 7 }, { actions_performed: 3 }])
      expect(await report([{ ...sent, ...other }])).toMatchObject([
        { ...refused('event_id_reused'), field: 'event_id', message: expect.stringContaining('other figures') },
      ]);
    const elsewhere = { ...sent, event_id: randomUUID() };
    expect(
      await report([{ ...sent, session_id: second }, elsewhere, { ...elsewhere, session_id: second }]),
    ).toMatchObject([
      { ...refused('event_id_reused'), message: expect.stringContaining('another session') },
      accepted,
      refused('event_id_reused'),
    ]);
    expect(await storedFor(session)).toMatchObject([{ sessionDuration: 600 }, { sessionDuration: 600 }]);
    expect(await storedFor(second)).toEqual([]);
    expect((await sessionRow(session)).createdAt).toEqual(before.createdAt);
  });

  it('counts once an event that is sent 20 times at once, over crossing sessions, without a fault', async () => {
    const sessions = [await openSession(), await openSession(), await openSession()];
    const events = Array.from({ length: 12 }, (_, i) => event(sessions[i % 3]!));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => report(i % 2 === 0 ? events : events.toReversed())),
    );
    expect(answers.flat().filter((one) => !(one as { accepted: boolean }).accepted)).toEqual([]);
    expect(answers.flat().filter((one) => !(one as { duplicate: boolean }).duplicate)).toHaveLength(12);
    expect((await Promise.all(sessions.map(storedFor))).flat()).toHaveLength(12);
  });

  it('counts once an id that arrives at once for different sessions', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession()));
    const event_id = randomUUID();
    const answers = await Promise.all(sessions.map((session) => report([event(session, { event_id })])));
    expect(answers.flat().filter((one) => (one as { accepted: boolean }).accepted)).toHaveLength(1);
    expect((await Promise.all(sessions.map(storedFor))).flat()).toHaveLength(1);
  });

  it('keeps the ids of two tools apart, and a tool out of another’s sessions', async () => {
    const [mine, theirs] = [await openSession(), await openSession(other)];
    const sent = event(mine);
    expect(await report([event(theirs)])).toMatchObject([refused('unknown_session')]);
    expect(await report([sent])).toMatchObject([accepted]);
    expect(await report([{ ...sent, session_id: theirs }], other)).toMatchObject([accepted]);
  });

  it('keeps what is said for the record: the last word of a session, and nothing over the adviser’s own', async () => {
    const session = await openSession();
    const first = event(session, { version: '1.0', purpose: 'file_note', client_reference: 'F-1' });
    expect(await report([first, event(session, { version: '1.1', client_reference: null })])).toMatchObject([
      accepted,
      accepted,
    ]);
    const said = {
      toolVersion: '1.1',
      purpose: 'file_note',
      purposeFrom: 'tool',
      clientReference: 'F-1',
      referenceFrom: 'tool',
    };
    expect(await sessionRow(session)).toMatchObject({ ...said, reports: 2, durationSeconds: 1200 });
    expect(await report([{ ...first, purpose: 'form' }])).toMatchObject([duplicate]);
    expect(await sessionRow(session)).toMatchObject(said);
    await app.context.db
      .update(toolUsage)
      .set({ purpose: 'research', purposeFrom: 'adviser' })
      .where(eq(toolUsage.id, session));
    await report([event(session, { purpose: 'form', client_reference: 'F-2' })]);
    const now = { toolVersion: '1.1', purpose: 'research', purposeFrom: 'adviser', clientReference: 'F-2' };
    expect(await sessionRow(session)).toMatchObject({ ...now, reports: 3, durationSeconds: 1800 });
  });

  it('corrects what came with the launch, until the adviser states it', async () => {
    const session = await openSession();
    const change = (row: Partial<typeof toolUsage.$inferInsert>) =>
      app.context.db.update(toolUsage).set(row).where(eq(toolUsage.id, session));
    const given = { purpose: 'research', clientReference: 'F-1', fromLaunch: true } as const;
    await change({ ...given, purposeFrom: 'adviser', referenceFrom: 'adviser' });
    await report([event(session, { purpose: 'research', client_reference: 'F-2', version: '2' })]);
    const corrected = { clientReference: 'F-2', referenceFrom: 'tool', toolVersion: '2' };
    expect(await sessionRow(session)).toMatchObject({ ...corrected, purpose: 'research', purposeFrom: 'adviser' });
    await change({ fromLaunch: false });
    await report([event(session, { purpose: 'form' })]);
    expect(await sessionRow(session)).toMatchObject({ purpose: 'research', purposeFrom: 'adviser' });
  });

  it('refuses item by item and takes the rest', async () => {
    const session = await openSession();
    const good = event(session);
    const hostile: [unknown, string, string | undefined][] = [
      [null, 'invalid', undefined],
      ['text', 'invalid', undefined],
      [[], 'invalid', undefined],
      [{}, 'invalid', 'event_id'],
      [event(session, { event_id: '' }), 'invalid', 'event_id'],
      [event(session, { event_id: 7 }), 'invalid', 'event_id'],
      [event(session, { event_id: 'a\u0000b' }), 'invalid', 'event_id'],
      [event(session, { event_id: '\ud800' }), 'invalid', 'event_id'],
      [event(session, { event_id: 'x'.repeat(101) }), 'invalid', 'event_id'],
      [event('not-a-session'), 'invalid', 'session_id'],
      [event(session, { client_reference: 'Jane Citizen' }), 'invalid', 'client_reference'],
      [event(session, { client_reference: 'F-1'.repeat(20) }), 'invalid', 'client_reference'],
      [event(session, { purpose: 'advice for Jane' }), 'invalid', 'purpose'],
      [event(session, { version: 'x'.repeat(41) }), 'invalid', 'version'],
      [event(session, { version: '<1>' }), 'invalid', 'version'],
      [event(session, { duration_seconds: '600' }), 'invalid', 'duration_seconds'],
      [event(session, { duration_seconds: 1.5 }), 'invalid', 'duration_seconds'],
      [event(session, { duration_seconds: undefined }), 'invalid', 'duration_seconds'],
      [event(session, { user_id: userId }), 'invalid', 'user_id'],
      [event(randomUUID()), 'unknown_session', 'session_id'],
      [event(session, { duration_seconds: -1 }), 'out_of_range', 'duration_seconds'],
      [event(session, { duration_seconds: 86_401 }), 'out_of_range', 'duration_seconds'],
      [event(session, { duration_seconds: 1e20 }), 'out_of_range', 'duration_seconds'],
      [event(session, { actions_performed: 1_000_001 }), 'out_of_range', 'actions_performed'],
      [event(session, { data_processed: 2_000_000_001 }), 'out_of_range', 'data_processed'],
      [event(session, { performance_score: -0.01 }), 'out_of_range', 'performance_score'],
      [event(session, { performance_score: 10.01 }), 'out_of_range', 'performance_score'],
    ];
    const answers = await report([...hostile.map(([item]) => item), good]);
    const reasons = answers.map((one) => one as { reason?: string; field?: string });
    expect(reasons.map(({ reason, field }) => [reason, field])).toEqual([
      ...hostile.map(([, reason, field]) => [reason, field]),
      [undefined, undefined],
    ]);
    expect(answers.at(-1)).toEqual({ event_id: good.event_id, ...accepted });
    expect(answers[0]).toEqual({ event_id: null, access: null, ...refused('invalid') });
    expect(await storedFor(session)).toHaveLength(1);
  });

  it('lets a session’s reports add up to its age and a day at most', async () => {
    const session = await openSession();
    await app.clock.advance(30 * minute);
    expect(await report([event(session, { duration_seconds: 82_800 })])).toMatchObject([accepted]);
    expect(
      await report([event(session, { duration_seconds: 5000 }), event(session, { duration_seconds: 1000 })]),
    ).toMatchObject([accepted, { ...refused('out_of_range'), field: 'duration_seconds' }]);
    expect(await report([event(session, { duration_seconds: 300 })])).toMatchObject([accepted]);
    await app.clock.advance(30 * minute);
    expect(await report([event(session, { duration_seconds: 1700 })])).toMatchObject([accepted]);
  });

  it('takes the example of /api/docs', async () => {
    const { body } = await app.agent().get('/api/docs/openapi.json').expect(200);
    const schema = body.paths['/api/tools/usage'].post.requestBody.content['application/json'].schema;
    const { properties, required } = schema.properties.events.items as {
      properties: Record<string, { description: string; examples: unknown[] }>;
      required: string[];
    };
    expect(required).toEqual(['event_id', 'session_id', 'duration_seconds']);
    for (const { description } of Object.values(properties)) expect(description).toBeTruthy();
    const example = Object.fromEntries(Object.entries(properties).map(([name, { examples }]) => [name, examples[0]]));
    expect(await report([{ ...example, session_id: await openSession() }])).toMatchObject([accepted]);
  });

  it('says in each answer whether the adviser still has access, as the session itself does', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    const { body: opened } = await agent.post('/api/auth/token').send({ toolId: tool }).expect(200);
    const { body: introspected } = await app
      .agent()
      .post('/api/tools/introspect')
      .auth(tool, secrets[tool]!)
      .type('form')
      .send({ token: (opened as { token: string }).token });
    const session = (introspected as { session_id: string }).session_id;
    const ask = (id: string, by = tool) => app.agent().get(`/api/tools/sessions/${id}`).auth(by, secrets[by]!);
    expect((await ask(session).expect(200)).body).toMatchObject({ sub: user.id, access: true, status: 'active' });
    expect(await report([event(session)])).toMatchObject([{ accepted: true, access: true }]);
    await agent.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately: true }).expect(200);
    expect((await ask(session).expect(200)).body).toMatchObject({ session_id: session, access: false, status: null });
    expect(await report([event(session)])).toMatchObject([{ accepted: true, access: false }]);
    expect((await ask(session, other).expect(404)).body).toMatchObject({ code: 'session_not_found' });
    await ask(randomUUID()).expect(404);
    await app.agent().get(`/api/tools/sessions/${session}`).expect(401);
  });

  it('lets a refused id be used again', async () => {
    const session = await openSession();
    const sent = event(session);
    expect(await report([{ ...sent, session_id: randomUUID() }, sent])).toMatchObject([
      refused('unknown_session'),
      accepted,
    ]);
  });

  it('takes reports until 48 hours after the session’s last report, and a repeat even later', async () => {
    const [heard, silent] = [await openSession(), await openSession()];
    const first = event(heard);
    await app.clock.advance(47 * hour);
    expect(await report([first])).toMatchObject([accepted]);
    await app.clock.advance(2 * hour);
    expect(await report([event(heard), event(silent)])).toMatchObject([accepted, refused('too_late')]);
    await app.clock.advance(49 * hour);
    expect(await report([event(heard), first])).toMatchObject([refused('too_late'), duplicate]);
  });

  it.each([
    [{}, 'events'],
    [{ events: 'all' }, 'events'],
    [{ events: [] }, 'events'],
    [{ events: Array.from({ length: 51 }, () => ({})) }, 'events'],
    [{ events: [{}], more: 1 }, 'more'],
    [[], 'body'],
  ])('names the field of bad input: %#, %s', async (body, field) => {
    const answer = await send(body).expect(400);
    expect(Object.keys(answer.body.fields)).toContain(field);
  });

  it('refuses malformed JSON, another type, too much, and callers that are no tool', async () => {
    await send('{"events":').expect(400);
    await app.agent().post('/api/tools/usage').auth(tool, secrets[tool]!).type('form').send('a=1').expect(415);
    const large = await send({ events: ['x'.repeat(110_000)] }).expect(413);
    expect(large.body).toMatchObject({ fields: { body: 'At most 100 kB are taken.' } });
    await app.agent().post('/api/tools/usage').send({ events: [] }).expect(401);
    const { agent } = await app.signedIn();
    await agent.post('/api/tools/usage').send({ events: [] }).expect(401);
  });
});

describe('GET /api/user/usage', () => {
  it('counts the sessions of each tool in all, however long ago, and nobody else’s', async () => {
    const { agent, user } = await app.signedIn();
    const now = app.context.now().getTime();
    const at = (hours: number) => new Date(now - hours * hour);
    const sessions = (toolId: string, times: Date[]) =>
      times.map((time) => ({ userId: user.id, toolId, createdAt: time, lastAccessed: time }));
    const often = Array.from({ length: 503 }, (_, i) => at(i));
    const longAgo = at(150 * 24);
    await app.context.db
      .insert(toolUsage)
      .values([...sessions(tool, [...often, at(91 * 24)]), ...sessions('portfolio-ai', [longAgo])]);
    expect((await agent.get('/api/user/usage').expect(200)).body).toEqual([
      {
        toolId: tool,
        sessions: 504,
        createdAt: at(91 * 24).toISOString(),
        lastAccessed: often[0]!.toISOString(),
      },
      { toolId: 'portfolio-ai', sessions: 1, createdAt: longAgo.toISOString(), lastAccessed: longAgo.toISOString() },
    ]);
    const { agent: stranger } = await app.signedIn();
    expect((await stranger.get('/api/user/usage').expect(200)).body).toEqual([]);
    await app.agent().get('/api/user/usage').expect(401);
  });
});
