import http from 'node:http';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { toolEvents, toolPeople, tools, toolSecrets } from '#shared/schema/tools.ts';
import { day, hour, minute, plus } from '#shared/rules/dates.ts';
import { runDueJobs } from '#server/jobs.ts';
import { seal, unseal } from '#server/platform/crypto/seal.ts';
import { administrator } from '#server/testing/administrator.ts';
import { receiveEvents } from '#server/testing/event-receiver.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import { buy, DAY, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { startTestApp, type Agent, freshTestApp } from '#server/testing/test-app.ts';
import { listenLocally } from '#server/testing/ports.ts';
import { until } from '#server/testing/until.ts';
import { deliver, replay } from './deliver.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';
import { resealSigningSecrets } from './signing.ts';
import { send as sendEvent, tellTools } from './tell-tools.ts';

vi.setConfig({ testTimeout: 120_000 });

const tool = 'risk-profile-ai';
const app = freshTestApp();
let receiver: Awaited<ReturnType<typeof receiveEvents>>;
let admin: Awaited<ReturnType<typeof administrator>>;
let secret: string;
beforeEach(async () => {
  receiver = await receiveEvents(app, tool);
  admin = await administrator(app);
  secret = await makeSecret(app, tool);
});
beforeEach(() => receiver.answerWith(204));
afterEach(() => receiver.stop());

const call = (path: string, by = secret) => app.agent().post(path).auth(tool, by);
async function open(agent: Agent) {
  const { body } = await agent.post('/api/auth/token').send({ toolId: tool }).expect(200);
  const form = { token: (body as { token: string }).token };
  const answer = await call('/api/tools/introspect').type('form').send(form).expect(200);
  expect(answer.body).toMatchObject({ active: true });
}
/** Runs every job that is due now, and the jobs they send. */
async function work() {
  await app.context.queue.drain();
  await runDueJobs(app.context);
  await app.context.queue.drain();
}
const wait = async (ms: number) => {
  await app.clock.advance(ms);
  await work();
};
const told = (userId: string) => receiver.of(userId).map(({ type, data }) => [type, data.reason]);
const logged = (userId: string) =>
  app.context.db.select().from(toolEvents).where(eq(toolEvents.userId, userId)).orderBy(toolEvents.position);

type Row = Partial<typeof toolSubscriptions.$inferInsert>;
const subscribe = (values: Row) =>
  app.context.db.insert(toolSubscriptions).values({ toolId: tool, status: 'active', ...values });

/** Somebody with a session at the tool, by a subscription of their own. */
async function opened(values: Row = {}) {
  const { agent, user } = await app.signedIn();
  await subscribe({ userId: user.id, ...values });
  await open(agent);
  return { agent, user };
}
/** Opens it by a team's subscription, as its member; with the owner's browser. */
async function openedByTeam() {
  const { agent: owner, user } = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: user.id });
  const { agent, user: member } = await app.signedIn({ membershipType: 'team' });
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.id, role: 'member' });
  await subscribe({ teamId: team.id, subscriptionType: 'team' });
  await open(agent);
  return { owner, team, agent, member };
}
const cancelNow = (agent: Agent) =>
  agent.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately: true }).expect(200);

describe('a tool is told once that access ended, where', () => {
  it('somebody cancels now', async () => {
    const { agent, user } = await opened();
    await cancelNow(agent);
    await work();
    await wait(10 * day);
    expect(told(user.id)).toEqual([['access.ended', 'cancelled']]);
    expect(receiver.of(user.id)[0]!.data).toEqual({ sub: user.id, tool_id: tool, reason: 'cancelled' });
  });

  it('somebody cancels, and the period runs out', async () => {
    const { agent, user } = await app.signedIn();
    await buy(app, agent, tool);
    await open(agent);
    await agent.post('/api/cancel-subscription').send({ toolId: tool }).expect(200);
    await work();
    expect(told(user.id)).toEqual([]);
    await passTo(app, (await shown(agent, tool))!.endDate!, minute);
    expect(told(user.id)).toEqual([['access.ended', 'cancelled']]);
    await pass(app, 10 * DAY);
    expect(told(user.id)).toHaveLength(1);
  });

  it('a trial runs out', async () => {
    const { user } = await opened({ status: 'trial', trialEndDate: plus(app.context.now(), 5 * day) });
    await wait(4 * day);
    expect(told(user.id)).toEqual([]);
    await wait(day + minute);
    expect(told(user.id)).toEqual([['access.ended', 'ended']]);
  });

  it('a payment fails, and the days of grace are over', async () => {
    const { user } = await opened({ status: 'grace_period', gracePeriodEnd: plus(app.context.now(), 5 * day) });
    await wait(4 * day);
    expect(told(user.id)).toEqual([]);
    await wait(day + minute);
    expect(told(user.id)).toEqual([['access.ended', 'payment_failed']]);
  });

  it('somebody is suspended, and cancels once reinstated', async () => {
    const { user } = await opened();
    await admin.post('/api/admin/suspend', { userId: user.id, reason: 'Misuse' }).expect(200);
    await work();
    expect(told(user.id)).toEqual([['access.ended', 'suspended']]);
    await admin.post('/api/admin/reinstate', { userId: user.id, reason: 'Cleared' }).expect(200);
    await work();
    await cancelNow((await app.signIn(user.email)).agent);
    await work();
    expect(told(user.id)).toEqual([
      ['access.ended', 'suspended'],
      ['access.restored', undefined],
      ['access.ended', 'cancelled'],
    ]);
  });

  it('somebody is removed from the team that paid, but not where their own subscription opens it', async () => {
    const { owner, team, member } = await openedByTeam();
    await owner.delete(`/api/teams/${team.id}/members/${member.id}`).expect(200);
    await work();
    expect(told(member.id)).toEqual([['member.removed', undefined]]);
    const other = await openedByTeam();
    await subscribe({ userId: other.member.id });
    await other.owner.delete(`/api/teams/${other.team.id}/members/${other.member.id}`).expect(200);
    await work();
    expect(told(other.member.id)).toEqual([]);
  });

  it('the team is closed', async () => {
    const { owner, team, member } = await openedByTeam();
    await owner.delete(`/api/teams/${team.id}`).expect(200);
    await work();
    expect(told(member.id)).toEqual([['access.ended', 'ended']]);
  });

  it('the team asks for a second factor that the member lacks', async () => {
    const { owner, team, member } = await openedByTeam();
    await owner.put(`/api/teams/${team.id}/second-factor`).send({ required: true }).expect(200);
    await work();
    expect(told(member.id)).toEqual([['access.ended', 'second_factor']]);
  });

  it('the account is closed: the person is to be erased, even where access ended before', async () => {
    const { agent, user } = await opened();
    await cancelNow(agent);
    await work();
    await agent.post('/api/user/close-account').send({ password }).expect(200);
    await work();
    expect(told(user.id)).toEqual([
      ['access.ended', 'cancelled'],
      ['account.closed', undefined],
      ['person.erase', undefined],
    ]);
    expect(await rowsOf(app, 'select * from tool_people where user_id = $1', [user.id])).toEqual([]);
  });

  it('somebody had opened the tool and lost access, and not otherwise', async () => {
    const { agent, user } = await app.signedIn();
    await subscribe({ userId: user.id });
    await cancelNow(agent);
    const kept = await opened();
    await tellTools(app.context, { userId: kept.user.id, teamId: null });
    await wait(40 * day);
    expect([...told(user.id), ...told(kept.user.id)]).toEqual([]);
  });

  it('access ends while the tool is being opened, which is noticed a minute later', async () => {
    const user = await createUser(app.context);
    await app.context.db.execute(
      `insert into tool_people (user_id, tool_id, check_at) values ('${user.id}', '${tool}', now())`,
    );
    await wait(minute);
    expect(told(user.id)).toEqual([['access.ended', 'ended']]);
  });
});

it('an event that fails for many people keeps no others waiting, and is told once it works', async () => {
  const many = await Promise.all(Array.from({ length: 120 }, () => createUser(app.context, { lastName: 'Unlucky' })));
  const behind = await createUser(app.context);
  const known = [...many, behind].map(({ id }, index) => ({
    userId: id,
    toolId: tool,
    checkAt: plus(app.context.now(), index - 200),
  }));
  await app.context.db.insert(toolPeople).values(known);
  await app.context.db.execute(`
    create function fail_for_some() returns trigger language plpgsql as $$ begin
      if exists (select from users where id = new.user_id and last_name = 'Unlucky') then raise 'no luck'; end if;
      return new;
    end $$;
    create trigger fail_for_some before insert on tool_events for each row execute function fail_for_some()`);
  await work();
  await app.context.db.execute('drop function fail_for_some cascade');
  expect(told(behind.id)).toEqual([['access.ended', 'ended']]);
  expect(told(many[0]!.id)).toEqual([]);
  await wait(minute);
  expect(many.flatMap(({ id }) => told(id))).toEqual(many.map(() => ['access.ended', 'ended']));
});

describe('the delivery of an event', () => {
  /** Somebody whose access ended while the tool's server answered like this. */
  async function refused(answer: Parameters<typeof receiver.answerWith>[0]) {
    receiver.answerWith(answer);
    const { agent, user } = await opened();
    await cancelNow(agent);
    await work();
    return { agent, user };
  }

  it.each([
    [500, 500, 'the tool answered 500'],
    [302, 302, 'the tool answered 302'],
    ['hang up', null, 'socket hang up'],
  ] as const)('is tried again after %s, in order, until the tool takes it', async (answer, lastStatus, lastError) => {
    const { agent, user } = await refused(answer);
    expect(await logged(user.id)).toMatchObject([{ attempts: 1, lastStatus, lastError, deliveredAt: null }]);
    await agent.post('/api/user/close-account').send({ password }).expect(200);
    await work();
    expect(told(user.id)).toEqual([['access.ended', 'cancelled']]);
    receiver.answerWith(200);
    await wait(minute);
    expect(told(user.id).map(([type]) => type)).toEqual([
      'access.ended',
      'access.ended',
      'account.closed',
      'person.erase',
    ]);
    const [first, again] = receiver.of(user.id);
    expect(again).toEqual(first);
    expect(await logged(user.id)).toMatchObject([{ attempts: 2, lastError: null }, { attempts: 1 }, { attempts: 1 }]);
  });

  it('is given up after nine tries in two days, and can be asked for again', async () => {
    const { user } = await refused(503);
    for (const waited of [1, 5, 30, 120, 300, 600, 840, 960]) await wait(waited * minute);
    await wait(3 * day);
    const [event] = await logged(user.id);
    expect(event).toMatchObject({ attempts: 9, nextAttemptAt: null, deliveredAt: null, lastStatus: 503 });
    expect(told(user.id)).toHaveLength(9);
    receiver.answerWith(204);
    await replay(app.context, event!.id);
    await expect(replay(app.context, event!.id)).rejects.toMatchObject({ code: 'event_waits' });
    await work();
    expect((await logged(user.id))[0]).toMatchObject({ attempts: 1, lastStatus: 204, nextAttemptAt: null });
  });

  it('happens once, in order, with two replicas', async () => {
    const { agent, user } = await refused(500);
    await agent.post('/api/user/close-account').send({ password }).expect(200);
    await app.context.queue.drain();
    receiver.answerWith(204);
    await app.clock.advance(minute);
    const events = await logged(user.id);
    await Promise.all([...events, ...events, ...events].map(({ id }) => deliver(app.context, id)));
    await work();
    expect(told(user.id).map(([type]) => type)).toEqual([
      'access.ended',
      'access.ended',
      'account.closed',
      'person.erase',
    ]);
  });

  it('is taken over where its process died', async () => {
    const { user } = await refused(500);
    await app.context.db
      .update(toolEvents)
      .set({ claimedUntil: plus(new Date(), hour), nextAttemptAt: app.context.now() })
      .where(eq(toolEvents.userId, user.id));
    receiver.answerWith(204);
    await wait(minute);
    expect(told(user.id)).toHaveLength(1);
    await app.context.db
      .update(toolEvents)
      .set({ claimedUntil: new Date(0) })
      .where(eq(toolEvents.userId, user.id));
    await work();
    expect(told(user.id)).toHaveLength(2);
  });

  it('is signed with two secrets while one replaces the other', async () => {
    const newer = await receiver.rotate();
    const first = await opened();
    await cancelNow(first.agent);
    await work();
    receiver.verifyWith(newer);
    const second = await opened();
    await cancelNow(second.agent);
    await work();
    expect([told(first.user.id), told(second.user.id)]).toEqual([
      [['access.ended', 'cancelled']],
      [['access.ended', 'cancelled']],
    ]);
    const live = and(eq(toolSecrets.toolId, tool), eq(toolSecrets.kind, 'signing'));
    const secrets = await app.context.db.select().from(toolSecrets).where(live);
    expect(secrets.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(2);
    expect(secrets.some(({ sealed }) => sealed!.includes(newer) || sealed!.includes('whsec_'))).toBe(false);
    // A secret that signs events can't authenticate a call.
    await call('/api/tools/introspect', newer).type('form').send({ token: 'x' }).expect(401);
  });

  it('goes on with secrets that are sealed anew with the newest FACTOR_SECRET', async () => {
    const [old] = app.context.env.factorSecrets;
    const purpose = 'tool-signing:fact-find-ai';
    const row = {
      toolId: 'fact-find-ai',
      kind: 'signing' as const,
      secretHash: 'x',
      sealed: seal([old], purpose, 'w'),
    };
    await app.context.db.insert(toolSecrets).values(row);
    const factorSecrets = ['a-newer-secret', old] as typeof app.context.env.factorSecrets;
    await resealSigningSecrets({ ...app.context, env: { ...app.context.env, factorSecrets } });
    const [after] = await app.context.db.select().from(toolSecrets).where(eq(toolSecrets.secretHash, 'x'));
    expect(unseal(['a-newer-secret'], purpose, after!.sealed!)).toBe('w');
    await resealSigningSecrets({ ...app.context, env: { ...app.context.env, factorSecrets: [old, 'a-newer-secret'] } });
  });

  it('reaches the tool within five seconds of the fact', async () => {
    const replica = await startTestApp({ JOBS: 'on' }, app.database);
    const { agent, user } = await opened();
    await cancelNow(agent);
    const { ms } = await until('the event', 20_000, () => told(user.id).length > 0);
    await replica.stop();
    expect(ms).toBeLessThan(5000);
  });

  it('reaches the tool though another’s server takes ten seconds for each of very many', async () => {
    const silent = await listenLocally(http.createServer((req) => void req.resume()));
    const other = 'fact-find-ai';
    await app.context.db.update(tools).set({ eventsUrl: silent.url }).where(eq(tools.id, other));
    await makeSecret(app, other, 'signing');
    const replica = await startTestApp({ JOBS: 'on' }, app.database);
    const send = (userId: string, toolId: string) =>
      sendEvent(app.context, { userId, toolId }, { type: 'access.restored' });
    for (let count = 0; count < 32; count += 1) await send((await createUser(app.context)).id, other);
    const tried = () => rowsOf(app, 'select 1 from tool_events where tool_id = $1 and attempts > 0', [other]);
    await until('the first tries', 20_000, async () => (await tried()).length > 0);
    const user = await createUser(app.context);
    await send(user.id, tool);
    const { ms } = await until('the event', 100_000, () => told(user.id).length > 0);
    await replica.stop();
    await silent.stop();
    expect(ms).toBeLessThan(15_000);
  });
});

describe('an erasure', () => {
  async function erased() {
    const { agent, user } = await opened();
    await agent.post('/api/user/close-account').send({ password }).expect(200);
    await work();
    const { data } = receiver.of(user.id).find(({ type }) => type === 'person.erase')!;
    return { user, id: data.erasure_id! };
  }
  const incidentsOf = async (id: string) =>
    (await app.context.queue.failed(50)).filter((job) => job.name === 'confirm-erasure' && job.data['eventId'] === id);

  it('is confirmed by the tool that was asked, as often as it likes', async () => {
    const { user, id } = await erased();
    const other = await makeSecret(app, 'fact-find-ai');
    const path = `/api/tools/erasures/${id}`;
    const foreign = await app.agent().post(path).auth('fact-find-ai', other).expect(404);
    expect(foreign.body).toMatchObject({ code: 'erasure_not_found' });
    expect((await call(path).expect(200)).body).toEqual({ confirmed: true });
    await call(path).expect(200);
    const [closed] = await logged(user.id);
    await call(`/api/tools/erasures/${closed!.id}`).expect(404);
    await wait(40 * day);
    expect(await incidentsOf(id)).toEqual([]);
  });

  it('is an incident while nobody has confirmed it in 30 days', async () => {
    const { user, id } = await erased();
    await wait(29 * day);
    expect(await incidentsOf(id)).toEqual([]);
    await wait(2 * day);
    const [incident, ...more] = await incidentsOf(id);
    expect(incident).toMatchObject({ error: `${tool} has not confirmed in 30 days that it erased a person` });
    expect(more).toEqual([]);
    const asked = () => told(user.id).filter(([type]) => type === 'person.erase').length;
    const before = asked();
    await admin.post(`/api/admin/incidents/${incident!.id}/replay`).expect(200);
    await work();
    expect(asked()).toBe(before + 1);
    await call(`/api/tools/erasures/${id}`).expect(200);
    await admin.post(`/api/admin/incidents/${incident!.id}/replay`).expect(200);
    await work();
    expect(await incidentsOf(id)).toEqual([]);
  });
});
