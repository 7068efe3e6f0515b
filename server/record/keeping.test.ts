import { and, eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { day, plus, plusMonths } from '#shared/rules/dates.ts';
import type { RecordSession } from '#shared/api/recorded.ts';
import { mails, notifications } from '#shared/schema/notifications.ts';
import {
  recordHolds,
  recordSamples,
  sessionSignOffs,
  sessionStatements,
  teamTools,
  toolReviews,
} from '#shared/schema/record.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { transaction } from '#server/platform/data/database.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import { stepsOf, tool } from '#server/testing/evidence-steps.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { forgetOldRecord, remindOfStatements, tellReviewsDue } from './jobs.ts';

const app = testApp();
const { worked, stated, packOf, bytesOf, listed, check } = stepsOf(app);

async function practice() {
  const owner = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  const member = await app.signedIn({ firstName: 'Mia', lastName: 'Wong' });
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.user.id, role: 'member' });
  return { owner, member, team };
}
const state = (agent: Agent, id: string, line: object = { checked: true }) =>
  agent.post(`/api/record/sessions/${id}/statements`).send(line);
const daysAgo = (days: number) => plus(app.context.now(), -days * day);
const usual = { lateAfterDays: 7, refusesLate: false, remindsWeekly: false, needsClient: false };
const rules = (agent: Agent, teamId: string, change: object) =>
  agent.put(`/api/teams/${teamId}/record/rules`).send({ ...usual, ...change });

it('opens the practice’s tools for a client only, where the practice says so', async () => {
  const { owner, member, team } = await practice();
  const toolId = 'risk-profile-ai';
  await app.context.db
    .insert(toolSubscriptions)
    .values({ teamId: team.id, toolId, status: 'active', subscriptionType: 'team' });
  const open = (more = {}) => member.agent.post('/api/auth/token').send({ toolId, ...more });
  await open().expect(200);
  await rules(member.agent, team.id, { needsClient: true }).expect(403);
  await rules(owner.agent, team.id, { needsClient: true }).expect(200);
  const fields = async (more = {}) => ((await open(more).expect(400)).body as { fields: object }).fields;
  expect(await fields()).toEqual({
    clientReference: 'Harbour asks for a file number at each launch',
    purpose: 'Harbour asks for a purpose at each launch',
  });
  expect(Object.keys(await fields({ clientReference: 'F-1' }))).toEqual(['purpose']);
  await open({ clientReference: 'F-1', purpose: 'research' }).expect(200);
  const { body } = await member.agent.get('/api/user/subscriptions').expect(200);
  expect(body).toMatchObject([{ toolId, needsClient: true }]);
  // What somebody pays for themselves is theirs to open.
  await app.context.db.insert(toolSubscriptions).values({ userId: member.user.id, toolId, status: 'active' });
  await open().expect(200);
});

it.each<
  [string, { ago: number; ofTeam: boolean; left?: boolean; after?: number }, { late: boolean; byFormer: boolean }]
>([
  ['in time', { ago: 6, ofTeam: true }, { late: false, byFormer: false }],
  ['after eight days', { ago: 8, ofTeam: true }, { late: true, byFormer: false }],
  ['after eight days, where fourteen are given', { ago: 8, ofTeam: true, after: 14 }, { late: false, byFormer: false }],
  ['after leaving', { ago: 6, ofTeam: true, left: true }, { late: false, byFormer: true }],
  ['after leaving and too late', { ago: 142, ofTeam: true, left: true }, { late: true, byFormer: true }],
  ['of one’s own session, at any time', { ago: 142, ofTeam: false }, { late: false, byFormer: false }],
])('a review that comes %s is marked so, or refused where the practice says so', async (_when, of, marks) => {
  const { owner, member, team } = await practice();
  if (of.after) await rules(owner.agent, team.id, { lateAfterDays: of.after }).expect(200);
  const session = () => worked(member.user.id, { createdAt: daysAgo(of.ago), teamId: of.ofTeam ? team.id : null });
  const [first, second] = [await session(), await session()];
  if (of.left) await owner.agent.delete(`/api/teams/${team.id}/members/${member.user.id}`).expect(200);
  const { body } = await state(member.agent, first.id).expect(200);
  expect(body).toMatchObject({ ...marks, statedAt: expect.any(String) });

  await rules(owner.agent, team.id, { lateAfterDays: of.after ?? 7, refusesLate: true }).expect(200);
  const refused = marks.late || marks.byFormer;
  const answer = await state(member.agent, second.id);
  expect([answer.status, (answer.body as { code?: string }).code]).toEqual(
    refused ? [409, 'review_late'] : [200, undefined],
  );
});

it('an adviser reviews several sessions at once, of their own only', async () => {
  const { member, owner, team } = await practice();
  const ids = [await worked(member.user.id), await worked(member.user.id, { teamId: team.id })].map(({ id }) => id);
  const many = (agent: Agent, body: object) => agent.post('/api/record/statements').send({ checked: true, ...body });
  await many(owner.agent, { ids }).expect(404);
  await many(member.agent, { ids: [] }).expect(400);
  expect((await many(member.agent, { ids: [...ids, ids[0]] }).expect(200)).body).toEqual({ sessions: 2 });
  const { sessions } = (await member.agent.get('/api/record/sessions').expect(200)).body as {
    sessions: RecordSession[];
  };
  expect(sessions.map(({ checked, lines }) => [checked, lines])).toEqual([
    [true, 1],
    [true, 1],
  ]);

  // One that is too late says that none was reviewed.
  await rules(owner.agent, team.id, { refusesLate: true }).expect(200);
  const ofTeam = { teamId: team.id };
  const [fresh, late] = [
    await worked(member.user.id, ofTeam),
    await worked(member.user.id, { ...ofTeam, createdAt: daysAgo(8) }),
  ];
  expect((await many(member.agent, { ids: [fresh.id, late.id] }).expect(409)).body).toMatchObject({
    code: 'reviews_late',
  });
  expect((await many(member.agent, { ids: [late.id] }).expect(409)).body).toMatchObject({ code: 'review_late' });
  await many(member.agent, { ids: [fresh.id] }).expect(200);
});

it('the owner redacts a line: its words are gone everywhere, and packs say so and verify', async () => {
  const { owner, member, team } = await practice();
  const session = await worked(member.user.id, { teamId: team.id, clientReference: 'OLD-1' });
  await state(member.agent, session.id, { checked: true, remark: 'Ring Aurelia', clientReference: 'F-77' }).expect(200);
  const [line] = await app.context.db
    .select()
    .from(sessionStatements)
    .where(eq(sessionStatements.sessionId, session.id));
  const [before, others, own] = [
    await packOf(owner.agent, { teamId: team.id }),
    await packOf(owner.agent, { teamId: team.id, toolId: tool, toDay: '2020-01-01' }).catch(() => null),
    await packOf(member.agent),
  ];
  expect(others).toBeNull();
  const head = (await listed(owner.agent, { teamId: team.id }))[0]!.made!.head;
  const at = `/api/teams/${team.id}/record/lines/${line!.id}/redaction`;
  await member.agent.post(at).send({ reason: 'A name' }).expect(403);
  await owner.agent.post(at).send({ reason: '' }).expect(400);
  await owner.agent.post(at).send({ reason: 'A client is named' }).expect(200);
  const { body } = await owner.agent.get(`/api/record/sessions/${session.id}`).expect(200);
  expect(body.statements).toMatchObject([
    { checked: true, remark: null, clientReference: '', redactedFor: 'A client is named' },
  ]);
  expect(body.session).toMatchObject({ clientReference: null, remark: null });
  await owner.agent.post(at).send({ reason: 'Again' }).expect(409);

  for (const [agent, id] of [
    [owner.agent, before],
    [member.agent, own],
  ] as const)
    expect((await agent.get(`/api/record/packs/${id}/csv`).expect(409)).body).toMatchObject({ code: 'pack_withdrawn' });
  expect((await app.agent().get(`/api/record/issued/${head}`).expect(200)).body.issued).toMatchObject({ pack: before });
  const after = await packOf(owner.agent, { teamId: team.id });
  const [csv, pdf] = [await bytesOf(owner.agent, after, 'csv'), await bytesOf(owner.agent, after, 'pdf')];
  expect((await check({ 'a.csv': csv }))[0]!.faults).toEqual([]);
  const texts = [csv.toString(), textOfPdf(pdf).replaceAll(/\s+/g, ' ')];
  for (const text of texts) {
    expect(text).toMatch(/redacted on \d+ \w+ \d{4} by .+: A client is named/);
    expect(text).not.toMatch(/Aurelia|F-77/);
  }
});

it('a line can be redacted in no other way, nor anything else be changed by it', async () => {
  const { member } = await practice();
  const session = await worked(member.user.id);
  await stated(session.id, member.user.id, { checked: true, remark: 'Read' });
  const change = (text: string) =>
    transaction(app.context.db, async (tx) => {
      await tx.execute(
        `select set_config('record.redacting', (select id::text from session_statements where session_id = '${session.id}'), true)`,
      );
      await tx.execute(`update session_statements set ${text} where session_id = '${session.id}'`);
    });
  await expect(change(`checked = false, redacted_at = now()`)).rejects.toThrow();
  await expect(change(`remark = 'Other words', redacted_at = now()`)).rejects.toThrow();
  await expect(change(`remark = null`)).rejects.toThrow();
  await change(`remark = null, redacted_at = now(), redacted_for = 'x'`);
});

it('a hold keeps a client reference, however it is written, until it is released', async () => {
  const { owner, member, team } = await practice();
  const { db } = app.context;
  const old = { teamId: team.id, createdAt: plusMonths(app.context.now(), -85) };
  const [held, other] = [
    await worked(member.user.id, { ...old, clientReference: 'f 10208' }),
    await worked(member.user.id, { ...old, clientReference: 'F-5' }),
  ];
  for (const { id } of [held, other])
    await stated(id, member.user.id, { checked: true, remark: 'Read', madeAt: old.createdAt });
  const holds = `/api/teams/${team.id}/record/holds`;
  const body = { clientReference: 'F-10208', reason: 'A complaint at AFCA' };
  await member.agent.post(holds).send(body).expect(403);
  await owner.agent
    .post(holds)
    .send({ ...body, clientReference: 'Jane Citizen' })
    .expect(400);
  const [hold] = (await owner.agent.post(holds).send(body).expect(200)).body as { id: string }[];
  await owner.agent
    .post(holds)
    .send({ ...body, clientReference: 'F10208' })
    .expect(409);
  const said = { teamId: team.id, userId: owner.user.id, remark: 'Compared', madeAt: old.createdAt };
  await db.insert(sessionSignOffs).values([held, other].map(({ id }) => ({ ...said, sessionId: id })));
  await db.insert(toolReviews).values({ ...said, toolId: tool });
  const drawn = { teamId: team.id, userId: owner.user.id, drawnFrom: 2, unreviewedOnly: false, drawnAt: old.createdAt };
  await db.insert(recordSamples).values([held, other].map(({ id }) => ({ ...drawn, sessionIds: [id] })));
  const left = async () => {
    const references = await db
      .select({ reference: toolUsage.clientReference })
      .from(toolUsage)
      .where(eq(toolUsage.teamId, team.id));
    const lines = await db.select().from(sessionStatements).where(eq(sessionStatements.userId, member.user.id));
    const signOffs = await db.$count(sessionSignOffs, eq(sessionSignOffs.teamId, team.id));
    const samples = await db.$count(recordSamples, eq(recordSamples.teamId, team.id));
    const reviews = await db.$count(toolReviews, eq(toolReviews.teamId, team.id));
    return [references.flatMap(({ reference }) => reference ?? []), lines.length, signOffs, samples, reviews];
  };
  await forgetOldRecord(app.context);
  expect(await left()).toEqual([['f 10208'], 1, 1, 1, 1]);
  await owner.agent.delete(`${holds}/${hold!.id}`).expect(200);
  await owner.agent.delete(`${holds}/${hold!.id}`).expect(404);
  await forgetOldRecord(app.context);
  expect(await left()).toEqual([[], 0, 0, 0, 0]);

  // What was held is forgotten seven years after it was released.
  const kept = () => db.$count(recordHolds, eq(recordHolds.teamId, team.id));
  expect(await kept()).toBe(1);
  await forgetOldRecord({ ...app.context, now: () => plusMonths(app.context.now(), 85) });
  expect(await kept()).toBe(0);
});

it('a hold keeps every line of a session that once had the client reference, and no other practice’s', async () => {
  const { owner, member, team } = await practice();
  const other = await practice();
  const madeAt = plusMonths(app.context.now(), -85);
  for (const [{ user }, teamId] of [
    [member, team.id],
    [other.member, other.team.id],
  ] as const) {
    const { id } = await worked(user.id, { teamId, createdAt: madeAt, clientReference: 'F-2' });
    await stated(id, user.id, { checked: true, clientReference: 'F-31', remark: 'Read', madeAt });
    await stated(id, user.id, { clientReference: 'F-2', madeAt: plus(madeAt, 1) });
  }
  const held = { clientReference: 'f 31', reason: 'A complaint at AFCA' };
  const holds = `/api/teams/${team.id}/record/holds`;
  const [hold] = (await owner.agent.post(holds).send(held).expect(200)).body as { id: string }[];
  const lines = ({ user }: { user: { id: string } }) =>
    app.context.db.$count(sessionStatements, eq(sessionStatements.userId, user.id));
  await forgetOldRecord(app.context);
  expect([await lines(member), await lines(other.member)]).toEqual([2, 0]);
  await owner.agent.delete(`${holds}/${hold!.id}`).expect(200);
  await forgetOldRecord(app.context);
  expect(await lines(member)).toBe(0);
});

it('what a practice had decided goes seven years after it closed, and not before', async () => {
  const { owner, team } = await practice();
  const { db } = app.context;
  const decided = { teamId: team.id, toolId: tool, decidedById: owner.user.id, decidedAt: daysAgo(3000) };
  await db.insert(teamTools).values({ ...decided, allowed: true, reason: null });
  const after = async (months: number) => {
    await forgetOldRecord({ ...app.context, now: () => plusMonths(app.context.now(), months) });
    return db.$count(teamTools, eq(teamTools.teamId, team.id));
  };
  expect(await after(85)).toBe(1);
  await owner.agent.delete(`/api/teams/${team.id}`).expect(200);
  expect(await after(83)).toBe(1);
  expect(await after(85)).toBe(0);
});

it('closing an account names nobody anew to a practice that they left longer ago than seven years', async () => {
  const { owner, team } = await practice();
  const { agent, user } = await app.signedIn({ firstName: 'Hugh' });
  await worked(user.id, { teamId: team.id, createdAt: plusMonths(app.context.now(), -85) });
  await agent.post('/api/user/close-account').send({ password }).expect(200);
  const { body } = await owner.agent.get(`/api/teams/${team.id}/record/sessions`).expect(200);
  expect((body as { sessions: RecordSession[] }).sessions).toMatchObject([{ firstName: '' }]);
});

it('who has left is forgotten after seven years, but not while the practice holds something', async () => {
  const { owner, member, team } = await practice();
  await worked(member.user.id, { teamId: team.id });
  await member.agent.post('/api/user/close-account').send({ password }).expect(200);
  const named = async () =>
    ((await owner.agent.get(`/api/teams/${team.id}/record/sessions`).expect(200)).body as { sessions: RecordSession[] })
      .sessions[0]!.firstName;
  const later = { ...app.context, now: () => plusMonths(app.context.now(), 85) };
  const holds = `/api/teams/${team.id}/record/holds`;
  const [hold] = (await owner.agent.post(holds).send({ clientReference: 'F-1', reason: 'AFCA' }).expect(200)).body as {
    id: string;
  }[];
  await forgetOldRecord(later);
  expect(await named()).toBe('Mia');
  await owner.agent.delete(`${holds}/${hold!.id}`).expect(200);
  await forgetOldRecord(later);
  expect(await named()).toBe('');
});

it('whoever closes their account reads before how much stays with which practice, and how much of their own goes', async () => {
  const { owner, member, team } = await practice();
  const ofTeam = { teamId: team.id };
  const [first] = [await worked(member.user.id, ofTeam), await worked(member.user.id, ofTeam)];
  const own = await worked(member.user.id);
  await worked(owner.user.id, ofTeam);
  for (const id of [first.id, first.id, own.id]) await stated(id, member.user.id, { checked: true });
  await app.context.db.update(teams).set({ isActive: false }).where(eq(teams.id, team.id));
  expect((await member.agent.get('/api/record/staying').expect(200)).body).toEqual({
    own: { sessions: 1, reviews: 1 },
    practices: [{ teamId: team.id, teamName: 'Harbour', sessions: 2, reviews: 2 }],
  });
  expect((await (await app.signedIn()).agent.get('/api/record/staying').expect(200)).body).toEqual({
    own: { sessions: 0, reviews: 0 },
    practices: [],
  });
});

it('a practice that reminds everybody has its members reminded, and its owner told who has what to review', async () => {
  const { owner, member, team } = await practice();
  await worked(member.user.id, { teamId: team.id, createdAt: daysAgo(1) });
  const told = async (userId: string) =>
    (await app.context.db.select().from(notifications).where(eq(notifications.userId, userId)))
      .filter(({ type }) => type === 'performance_report')
      .map(({ title, message }) => `${title}: ${message}`);
  await remindOfStatements(app.context);
  expect([await told(member.user.id), await told(owner.user.id)]).toEqual([[], []]);
  await rules(owner.agent, team.id, { remindsWeekly: true }).expect(200);
  await remindOfStatements(app.context);
  await remindOfStatements(app.context);
  expect(await told(member.user.id)).toEqual([expect.stringContaining('Sessions to review: Please review one')]);
  expect(await told(owner.user.id)).toEqual([expect.stringMatching(/one session of Harbour to review.*Mia Wong: 1\./)]);
});

it('whoever looks after two practices has the digest of both, wherever a page of members ends', async () => {
  const { db } = app.context;
  const { user } = await app.signedIn({ id: 'ffffffff-ffff-4fff-bfff-ffffffffffff' });
  const reminding = async (name: string, ownerId: string) =>
    (await createTeam(app.context, { ownerId, name, remindsWeekly: true })).team;
  const both = [
    await reminding('Harbour', user.id),
    await reminding('Bridge', (await createUser(app.context, { id: '00000000-0000-4000-8000-000000000000' })).id),
  ];
  await db.insert(teamMembers).values({ teamId: both[1]!.id, userId: user.id, role: 'admin' });
  for (const { id } of both) await worked(user.id, { teamId: id, createdAt: daysAgo(1) });
  // A page has 200 rows: the first of the two practices is the last row of one.
  const large = await reminding('Large', (await createUser(app.context)).id);
  const reminded = await db
    .select({ id: teamMembers.id })
    .from(teamMembers)
    .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), eq(teams.remindsWeekly, true)));
  for (let row = reminded.length - both.length; row % 200 !== 199; row += 1) {
    const { id: userId } = await createUser(app.context);
    await db.insert(teamMembers).values({ teamId: large.id, userId, role: 'member' });
  }
  await remindOfStatements(app.context);
  const told = await db.select().from(notifications).where(eq(notifications.userId, user.id));
  const digests = told.map(({ title }) => title).filter((title) => title.startsWith('one session of'));
  expect(digests.toSorted()).toEqual(['one session of Bridge to review', 'one session of Harbour to review']);
});

it('the weekly digest names whoever has closed their account, as the record does', async () => {
  const { owner, member, team } = await practice();
  await worked(member.user.id, { teamId: team.id, createdAt: daysAgo(1) });
  await rules(owner.agent, team.id, { remindsWeekly: true }).expect(200);
  await member.agent.post('/api/user/close-account').send({ password }).expect(200);
  await remindOfStatements(app.context);
  const rows = await app.context.db.select().from(notifications).where(eq(notifications.userId, owner.user.id));
  expect(rows.map(({ message }) => message).join()).toContain('Mia Wong: 1.');
});

it('a review of a tool that is due goes by mail to the owner and the admins', async () => {
  const { owner, member, team } = await practice();
  const { db } = app.context;
  await db.update(teamMembers).set({ role: 'admin' }).where(eq(teamMembers.userId, member.user.id));
  const decided = { teamId: team.id, toolId: tool, decidedById: owner.user.id, decidedAt: app.context.now() };
  await db.insert(teamTools).values({ ...decided, reviewDue: '2020-01-01' });
  await tellReviewsDue(app.context);
  await tellReviewsDue(app.context);
  for (const { email } of [owner.user, member.user]) {
    const sent = await db.select().from(mails).where(eq(mails.toAddress, email));
    expect(sent.filter(({ kind }) => kind === 'review-due').map(({ subject }) => subject)).toEqual([
      'Risk Profile AI is due for review',
    ]);
  }
  await db.update(teams).set({ isActive: false }).where(eq(teams.id, team.id));
});
