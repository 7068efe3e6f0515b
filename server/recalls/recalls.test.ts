import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { OperatedRecall, RecallReach, RecallSession, RecallsOfTool, TouchingRecall } from '#shared/api/recalls.ts';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { mails, notifications } from '#shared/schema/notifications.ts';
import { recallSessions } from '#shared/schema/recalls.ts';
import { sessionStatements } from '#shared/schema/record.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { tools } from '#shared/schema/tools.ts';
import { administrator } from '#server/testing/administrator.ts';
import { stepsOf } from '#server/testing/evidence-steps.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { remindOfRecalls, tellRecalls } from './jobs.ts';

const toolId = 'file-note-ai';
const versions = ['1.0', '1.1', '2.0'];
const app = testApp();
const { worked, packOf, bytesOf, check } = stepsOf(app);
let maker: Awaited<ReturnType<typeof app.signedIn>>;
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  maker = await app.signedIn({ firstName: 'Ada', lastName: 'Maker' });
  admin = await administrator(app);
  await app.context.db.update(tools).set({ ownerId: maker.user.id }).where(eq(tools.id, toolId));
});

const path = `/api/developers/tools/${toolId}/recalls`;
const terms = (more: object = {}) => ({
  versions: ['1.1'],
  fromDay: sydneyDate(plus(app.context.now(), -20 * day)),
  untilDay: null,
  wrong: 'It left out the second page of long notes.',
  lookFor: 'Notes that end in the middle of a sentence.',
  severity: 'medium',
  stops: false,
  ...more,
});
async function opened(more: object = {}): Promise<string> {
  const { body } = await maker.agent.post(path).send(terms(more)).expect(201);
  await app.context.queue.drain();
  return (body as { id: string }).id;
}
const change = async (id: string, more: object) => {
  await maker.agent
    .put(`${path}/${id}`)
    .send({ ...terms(more), reason: 'We know more now' })
    .expect(200);
  await app.context.queue.drain();
};
const close = async (id: string) => {
  await maker.agent.post(`${path}/${id}/close`).send({ reason: 'It is mended.' }).expect(200);
  await app.context.queue.drain();
};
const listOf = async (agent: Agent, query: object = {}) =>
  (await agent.get('/api/record/recalls').query(query).expect(200)).body as TouchingRecall[];
async function sessionsOf(agent: Agent, id: string, query: object = {}): Promise<RecallSession[]> {
  const all: RecallSession[] = [];
  for (let after: string | null = ''; after !== null;) {
    const page = { ...query, ...(after && { after }) };
    const { body } = await agent.get(`/api/record/recalls/${id}/sessions`).query(page).expect(200);
    const { sessions, next } = body as { sessions: RecallSession[]; next: string | null };
    all.push(...sessions);
    after = next;
  }
  return all;
}
const look = (agent: Agent, id: string, body: object) => agent.post(`/api/record/recalls/${id}/looks`).send(body);
const mailsTo = async (email: string, kind = 'recall') =>
  (await app.context.db.select().from(mails).where(eq(mails.toAddress, email))).filter((mail) => mail.kind === kind);
const operated = async (id: string) => {
  const { body } = await maker.agent.get(path).expect(200);
  return (body as RecallsOfTool).recalls.find((one) => one.id === id) as OperatedRecall;
};

async function practice(name: string) {
  const owner = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name });
  const member = await app.signedIn({ firstName: 'Mei', lastName: 'Tan' });
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.user.id, role: 'member' });
  return { owner, member, team };
}

/** Two practices with 40 sessions of three versions; of one of them, an adviser has left. */
async function twoPractices() {
  const [harbour, marlow] = [await practice('Harbour'), await practice('Marlow')];
  const people = [harbour.member, harbour.owner, marlow.member, marlow.owner];
  const rows: Awaited<ReturnType<typeof worked>>[] = [];
  for (let at = 0; at < 40; at += 1)
    rows.push(
      await worked(people[at % 4]!.user.id, {
        toolId,
        teamId: (at % 4 < 2 ? harbour : marlow).team.id,
        toolVersion: versions[at % 3]!,
        clientReference: `F-${100 + (at % 5)}`,
        createdAt: plus(app.context.now(), -at * 3_600_000),
      }),
    );
  await harbour.owner.agent.delete(`/api/teams/${harbour.team.id}/members/${harbour.member.user.id}`).expect(200);
  const touched = (version: string, userId?: string, teamId?: string) =>
    rows
      .filter((row) => row.toolVersion === version)
      .filter((row) => (userId ? row.userId === userId : teamId ? row.teamId === teamId : true))
      .map(({ id }) => id);
  return { harbour, marlow, people, touched };
}
const idsIn = (sessions: { id: string }[]) => sessions.map(({ id }) => id).toSorted();

it('tells exactly those whose sessions a recall touches, who look again; it is widened, narrowed and closed', async () => {
  const { harbour, marlow, people, touched } = await twoPractices();
  const id = await opened();
  for (const { agent, user } of people) {
    const own = touched('1.1', user.id);
    expect(idsIn(await sessionsOf(agent, id))).toEqual(own.toSorted());
    const [mail, ...practices] = (await mailsTo(user.email)).toSorted((a, b) => a.subject.localeCompare(b.subject));
    expect(practices.length).toBe(user === harbour.owner.user || user === marlow.owner.user ? 1 : 0);
    expect([mail, ...practices].map((one) => one?.subject).join()).toContain(
      `File Note AI: please look at ${own.length} sessions again`,
    );
    expect(mail!.textBody).toContain('second page');
    expect(mail!.textBody).not.toContain('F-10');
  }
  const [toHarbour] = (await mailsTo(harbour.owner.user.email)).filter(({ subject }) => subject.includes('Harbour'));
  expect(toHarbour!.textBody).toContain('Some are of people who have left: Mei Tan.');
  const teamId = harbour.team.id;
  const [shown] = await listOf(harbour.owner.agent, { teamId });
  expect(shown).toMatchObject({ id, sessions: touched('1.1', undefined, teamId).length, closedAt: null });
  const reach = async (agent: Agent, query: object = {}) =>
    (await agent.get(`/api/record/recalls/${id}`).query(query).expect(200)).body as RecallReach;
  const { people: theirs, files } = await reach(harbour.owner.agent, { teamId });
  expect(theirs.filter(({ left }) => left)).toMatchObject([{ firstName: 'Mei', lastName: 'Tan' }]);
  expect(theirs).toHaveLength(2);
  expect(toHarbour!.textBody).toContain(`${shown!.sessions} sessions for ${files} client files`);
  expect((await reach(harbour.member.agent)).people).toEqual([]);
  expect(idsIn(await sessionsOf(harbour.owner.agent, id, { teamId }))).toEqual(
    touched('1.1', undefined, teamId).toSorted(),
  );

  // Nobody sees another's: neither a practice they are not in, nor sessions that are not in the recall.
  await marlow.owner.agent.get('/api/record/recalls').query({ teamId }).expect(404);
  await marlow.owner.agent.get(`/api/record/recalls/${id}`).query({ teamId }).expect(404);
  expect(await reach((await app.signedIn()).agent)).toEqual({ files: 0, people: [] });
  await harbour.member.agent.get('/api/record/recalls').query({ teamId }).expect(404);
  const foreign = { sessionIds: touched('1.1', marlow.owner.user.id).slice(0, 1), found: 'nothing' };
  await look(harbour.owner.agent, id, { teamId, ...foreign }).expect(404);
  await look(marlow.owner.agent, id, { sessionIds: touched('1.0', marlow.owner.user.id), found: 'nothing' }).expect(
    404,
  );

  // One press, and a bulk of a file's sessions with a remark.
  const [one] = await sessionsOf(marlow.member.agent, id);
  await look(marlow.member.agent, id, { sessionIds: [one!.id], found: 'nothing' }).expect(200);
  const open = await sessionsOf(harbour.owner.agent, id, { teamId, open: 'true' });
  for (const clientReference of new Set(open.map((session) => session.clientReference)))
    await look(harbour.owner.agent, id, { teamId, clientReference, found: 'fault', remark: 'Written anew' }).expect(
      200,
    );
  expect(await listOf(harbour.owner.agent, { teamId })).toMatchObject([{ open: 0 }]);
  const lines = await app.context.db.select().from(sessionStatements).where(eq(sessionStatements.recallId, id));
  expect(lines).toHaveLength(open.length + 1);
  expect(lines.filter(({ recallFault }) => recallFault)).toHaveLength(open.length);
  // Who has left may look at their own, and is marked.
  const [own] = await sessionsOf(harbour.member.agent, id);
  await look(harbour.member.agent, id, { sessionIds: [own!.id], found: 'nothing' }).expect(200);
  const said = await app.context.db.select().from(sessionStatements).where(eq(sessionStatements.sessionId, own!.id));
  expect(said.find(({ userId }) => userId === harbour.member.user.id)).toMatchObject({ byFormer: true });

  await change(id, { versions: ['1.1', '2.0'] });
  const both = [...touched('1.1'), ...touched('2.0')];
  expect(await operated(id)).toMatchObject({ sessions: both.length, open: both.length - lines.length, practices: 2 });
  expect(await mailsTo(marlow.member.user.email)).toHaveLength(2);
  await change(id, { versions: ['2.0'] });
  expect(await operated(id)).toMatchObject({ sessions: touched('2.0').length });
  expect(idsIn(await sessionsOf(marlow.member.agent, id))).toEqual(touched('2.0', marlow.member.user.id).toSorted());

  const all = await sessionsOf(marlow.member.agent, id);
  for (const one of all) await look(marlow.member.agent, id, { sessionIds: [one.id], found: 'nothing' }).expect(200);
  await close(id);
  await tellRecalls(app.context);
  await app.context.queue.drain();
  expect((await operated(id)).history.map(({ act }) => act)).toEqual(['opened', 'changed', 'changed', 'closed']);
  await maker.agent
    .put(`${path}/${id}`)
    .send({ ...terms(), reason: 'Again' })
    .expect(409);
  const heard = await app.context.db
    .select()
    .from(notifications)
    .where(eq(notifications.dedupeKey, `recall-closed:${id}`));
  expect(heard.map(({ userId }) => userId).toSorted()).toEqual(people.map(({ user }) => user.id).toSorted());
  const closing = async (user: { email: string }) => {
    const told = await mailsTo(user.email, 'recall-closed');
    expect(told).toHaveLength(1);
    return told[0]!.textBody;
  };
  const leftTo = async (agent: Agent, query: object = {}) =>
    (await listOf(agent, query)).find((one) => one.id === id)!.open;
  const [ownOpen, inTeam] = [await leftTo(harbour.owner.agent), await leftTo(harbour.owner.agent, { teamId })];
  expect(ownOpen).toBeGreaterThan(0);
  expect(await closing(harbour.owner.user)).toContain(
    `again at ${ownOpen} sessions of yours, ${inTeam} sessions of Harbour`,
  );
  expect(await closing(harbour.owner.user)).toContain('What to look for');
  expect(await closing(marlow.member.user)).toContain('Every session of yours was looked at again.');
});

it('tells of the closing also whom it touches no more, and who was told before it waited for an administrator', async () => {
  const [first, second] = [await app.signedIn(), await app.signedIn()];
  await worked(first.user.id, { toolId, toolVersion: '4.0' });
  await worked(second.user.id, { toolId, toolVersion: '4.1' });
  const id = await opened({ versions: ['4.0', '4.1'] });
  for (let at = 0; at < 101; at += 1) await worked(maker.user.id, { toolId, toolVersion: '4.2', teamId: randomUUID() });
  await change(id, { versions: ['4.0', '4.2'] });
  expect(await operated(id)).toMatchObject({ confirmed: false, sessions: 1 });
  await close(id);
  const texts = await Promise.all(
    [first, second].map(async ({ user }) => (await mailsTo(user.email, 'recall-closed')).map((mail) => mail.textBody)),
  );
  expect(texts).toEqual([
    [expect.stringContaining('one session of yours')],
    [expect.stringContaining('Every session')],
  ]);
  expect(await mailsTo(maker.user.email, 'recall-closed')).toEqual([]);
});

it('leaves out the opening for whom nobody told before the closing', async () => {
  const adviser = await app.signedIn();
  const session = await worked(adviser.user.id, { toolId, toolVersion: '3.0' });
  const id = await opened({ versions: ['3.0'] });
  await app.context.db.update(recallSessions).set({ toldAt: null }).where(eq(recallSessions.sessionId, session.id));
  await app.context.db.delete(mails).where(eq(mails.toAddress, adviser.user.email));
  await close(id);
  expect(await mailsTo(adviser.user.email)).toEqual([]);
  const [told] = await mailsTo(adviser.user.email, 'recall-closed');
  expect(told?.textBody).toContain('second page');
});

it('finds sessions whose version comes later, and tells each person once', async () => {
  const adviser = await app.signedIn();
  const session = await worked(adviser.user.id, { toolId, toolVersion: '7.1' });
  const id = await opened({ versions: ['7.1', '7.2'] });
  const later = await worked(adviser.user.id, { toolId, toolVersion: '7.2' });
  await tellRecalls(app.context);
  await app.context.queue.drain();
  expect(idsIn(await sessionsOf(adviser.agent, id))).toEqual([session.id, later.id].toSorted());
  expect(await mailsTo(adviser.user.email)).toHaveLength(1);
});

it('waits for an administrator where a maker’s recall touches more than a hundred people', async () => {
  const adviser = await app.signedIn();
  for (let at = 0; at < 101; at += 1)
    await worked(adviser.user.id, { toolId, toolVersion: '8.0', teamId: randomUUID() });
  const id = await opened({ versions: ['8.0'] });
  expect(await operated(id)).toMatchObject({ confirmed: false, sessions: 0 });
  expect(await listOf(adviser.agent)).toEqual([]);
  await admin.post(`/api/admin/tools/${toolId}/recalls/${id}/confirm`).expect(200);
  await app.context.queue.drain();
  expect(await listOf(adviser.agent)).toMatchObject([{ id, sessions: 101 }]);
  await admin.post(`/api/admin/tools/${toolId}/recalls/${id}/confirm`).expect(409);
});

describe('a recall that stops its tool', () => {
  it('lets nobody open a new session until it is closed', async () => {
    const { agent, user } = await app.signedIn();
    await app.context.db.insert(toolSubscriptions).values({ userId: user.id, toolId, status: 'active' });
    const open = () => agent.post('/api/auth/token').send({ toolId });
    const id = await opened({ versions: ['9.0'], stops: true });
    expect((await open().expect(409)).body).toMatchObject({ code: 'tool_stopped' });
    await close(id);
    await open().expect(200);
  });
});

it('reminds once a week of what nobody has looked at again', async () => {
  const adviser = await app.signedIn();
  await worked(adviser.user.id, { toolId, toolVersion: '6.0' });
  await opened({ versions: ['6.0'] });
  const later = { ...app.context, now: () => plus(app.context.now(), 8 * day) };
  await remindOfRecalls(app.context);
  await remindOfRecalls(later);
  await remindOfRecalls(later);
  const rows = await app.context.db.select().from(notifications).where(eq(notifications.userId, adviser.user.id));
  expect(rows.map(({ title }) => title)).toContain('You have one session to look at again');
  expect(rows.filter(({ title }) => title.startsWith('You have'))).toHaveLength(1);
});

it('knows only one’s own tools, and names the field of bad input', async () => {
  const other = await app.signedIn();
  await other.agent.get(path).expect(404);
  await other.agent.post(path).send(terms()).expect(404);
  for (const [more, field] of [
    [{ wrong: '' }, 'wrong'],
    [{ wrong: 'Sign in at https://else.example' }, 'wrong'],
    [{ lookFor: 'Write to help@else.example' }, 'lookFor'],
    [{ severity: 'awful' }, 'severity'],
    [{ untilDay: '2020-01-01' }, 'untilDay'],
    [{ versions: ['<b>'] }, 'versions'],
  ] as const) {
    const { body } = await maker.agent.post(path).send(terms(more)).expect(400);
    expect(Object.keys((body as { fields: object }).fields).join()).toContain(field);
  }
});

it('makes a pack of the sessions that a recall touches, with what was found, which verifies', async () => {
  const user = await createUser(app.context);
  const adviser = await app.signedIn();
  const session = await worked(adviser.user.id, { toolId, toolVersion: '5.0', clientReference: 'F-77' });
  await worked(adviser.user.id, { toolId, toolVersion: '5.1' });
  await worked(user.id, { toolId, toolVersion: '5.0' });
  const recallId = await opened({ versions: ['5.0'] });
  await look(adviser.agent, recallId, { sessionIds: [session.id], found: 'fault', remark: 'Half a note' }).expect(200);
  const id = await packOf(adviser.agent, { recallId });
  const [csv, pdf] = [await bytesOf(adviser.agent, id, 'csv'), await bytesOf(adviser.agent, id, 'pdf')];
  expect(csv.toString().match(/,Session,/g)).toHaveLength(1);
  expect(csv.toString()).toContain('second page');
  expect(csv.toString()).toContain('something was wrong');
  expect(textOfPdf(pdf).replaceAll(/\s+/g, ' ')).toMatch(/What the recalls say .* versions? 5\.0 .*second page/);
  const manifest = await bytesOf(adviser.agent, id, 'manifest');
  const files = await check({ 'a.csv': csv, 'a.pdf': pdf, 'a.json': manifest });
  expect(files.map(({ faults }) => faults)).toEqual([[], [], []]);
});
