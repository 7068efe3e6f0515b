import { beforeAll, describe, expect, it } from 'vitest';
import { eq, sql } from 'drizzle-orm';
import { day, plusMonths } from '#shared/rules/dates.ts';
import { recordPageSize, usualChecks } from '#shared/rules/record/record.ts';
import { notifications } from '#shared/schema/notifications.ts';
import { sessionStatements } from '#shared/schema/record.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import type { RecordSession } from '#shared/api/recorded.ts';
import { transaction } from '#server/platform/data/database.ts';
import { createTeam, password } from '#server/testing/factories.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';
import { forgetOldRecord, remindOfStatements, tellReviewsDue } from './jobs.ts';

const tool = 'risk-profile-ai';
const app = testApp();
let secret: string;
beforeAll(async () => {
  secret = await makeSecret(app, tool);
});

/** Opens the tool as the adviser does, and has the tool exchange the token; returns the session's id. */
async function openTool(agent: Agent, openedFor = {}): Promise<string> {
  const { body } = await agent
    .post('/api/auth/token')
    .send({ toolId: tool, ...openedFor })
    .expect(200);
  const form = { token: body.token as string };
  const answer = await app.agent().post('/api/tools/introspect').auth(tool, secret).type('form').send(form).expect(200);
  return (answer.body as { session_id: string }).session_id;
}
const report = (session_id: string, more: object) =>
  app
    .agent()
    .post('/api/tools/usage')
    .auth(tool, secret)
    .send({ events: [{ event_id: `e-${session_id}`, session_id, duration_seconds: 300, ...more }] })
    .expect(200);
const register = async (agent: Agent, query = '') =>
  (await agent.get(`/api/record/sessions${query}`).expect(200)).body as {
    sessions: RecordSession[];
    next: string | null;
  };
const state = (agent: Agent, id: string, line: object) =>
  agent.post(`/api/record/sessions/${id}/statements`).send(line);

/** A practice that pays for the tool, its owner and a member. */
async function practice() {
  const owner = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  const member = await app.signedIn({ firstName: 'Mei', lastName: 'Tan' });
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.user.id, role: 'member' });
  await app.context.db
    .insert(toolSubscriptions)
    .values({ teamId: team.id, toolId: tool, status: 'active', subscriptionType: 'team' });
  return { owner, member, team };
}
async function adviser() {
  const one = await app.signedIn();
  await app.context.db.insert(toolSubscriptions).values({ userId: one.user.id, toolId: tool, status: 'active' });
  return one;
}

describe('the register of an adviser', () => {
  it('lists a session with what the tool said, and the statements as they were made', async () => {
    const { agent } = await adviser();
    const id = await openTool(agent);
    await report(id, { version: '2.1', purpose: 'risk_profile', client_reference: 'F-10234' });
    const { sessions } = await register(agent);
    const said = { toolVersion: '2.1', purpose: 'risk_profile', purposeFrom: 'tool', clientReference: 'F-10234' };
    expect(sessions).toMatchObject([{ id, toolId: tool, durationSeconds: 300, ...said, checked: null, lines: 0 }]);

    await state(agent, id, { checked: true }).expect(200);
    await state(agent, id, { checked: true }).expect(200);
    await state(agent, id, { checked: false, remark: 'Wrong client' }).expect(200);
    await state(agent, id, { clientReference: 'F-20', purpose: 'file_note' }).expect(200);
    const { body } = await agent.get(`/api/record/sessions/${id}`).expect(200);
    expect(body.session).toMatchObject({
      checked: false,
      remark: 'Wrong client',
      lines: 3,
      clientReference: 'F-20',
      referenceFrom: 'adviser',
      purpose: 'file_note',
    });
    expect(body.statements).toMatchObject([
      { checked: true, remark: null },
      { checked: false, remark: 'Wrong client' },
      { checked: null, clientReference: 'F-20', purpose: 'file_note' },
    ]);
    await report(id, { event_id: 'later', purpose: 'form', client_reference: 'F-99' });
    expect((await register(agent)).sessions).toMatchObject([{ clientReference: 'F-20', purpose: 'file_note' }]);
  });

  it('takes what the adviser gave at the launch as theirs once they state it, and no longer from the tool', async () => {
    const { agent } = await adviser();
    const id = await openTool(agent, { clientReference: 'F-10225', purpose: 'file_note' });
    await state(agent, id, { clientReference: 'F-10225' }).expect(200);
    await report(id, { purpose: 'form', client_reference: 'F-99' });
    const { sessions } = await register(agent);
    expect(sessions).toMatchObject([{ clientReference: 'F-10225', purpose: 'file_note', lines: 1 }]);
  });

  it('says what was checked, from the list that the practice may edit, as it stood then', async () => {
    const { owner, member, team } = await practice();
    const [own, ofTeam] = [await openTool((await adviser()).agent), await openTool(member.agent)];
    const rules = { lateAfterDays: 7, refusesLate: false, remindsWeekly: false };
    const setChecks = (checks: string[]) =>
      owner.agent.put(`/api/teams/${team.id}/record/rules`).send({ ...rules, checks });
    for (const checks of [['x'.repeat(61)], [''], ['Fees', 'Fees'], Array.from({ length: 13 }, (_, i) => `${i}`)]) {
      const { fields } = (await setChecks(checks).expect(400)).body as { fields: object };
      expect(Object.keys(fields)).toEqual([expect.stringMatching(/^checks(\.0)?$/)]);
    }
    const line = { checked: true, checks: ['Figures', 'Recommendations'] };
    const said = (await state(member.agent, ofTeam, line).expect(200)).body as RecordSession;
    expect(said).toMatchObject({ checks: line.checks, lines: 1, checkList: [...usualChecks] });
    await state(member.agent, ofTeam, line).expect(200);
    await setChecks(['Fees']).expect(200);
    for (const [id, agent, refused] of [
      [ofTeam, member.agent, { checked: true, checks: ['Figures'] }],
      [ofTeam, member.agent, { checked: false, checks: ['Fees'] }],
      [own, member.agent, { checked: true, checks: ['Fees'] }],
    ] as const)
      expect([400, 404]).toContain((await state(agent, id, refused)).status);
    const { body } = await member.agent.get(`/api/record/sessions/${ofTeam}`).expect(200);
    expect(body).toMatchObject({
      session: { checks: line.checks, checkList: ['Fees'] },
      statements: [{ checks: line.checks }],
    });
    const many = { ids: [ofTeam], checked: true, checks: ['Fees'] };
    await member.agent.post('/api/record/statements').send(many).expect(200);
    expect((await register(member.agent)).sessions).toMatchObject([{ checks: ['Fees'], lines: 2 }]);
    await setChecks([]).expect(200);
    await state(member.agent, ofTeam, { checked: true, checks: ['Fees'], remark: 'Again' }).expect(400);
  });

  it('refuses what is no statement, names the field, and knows nobody else’s sessions', async () => {
    const { agent } = await adviser();
    const id = await openTool(agent);
    for (const [line, field] of [
      [{}, 'checked'],
      [{ remark: 'Only a remark' }, 'remark'],
      [{ checked: 'yes' }, 'checked'],
      [{ purpose: 'for Jane' }, 'purpose'],
      [{ clientReference: 'Jane Citizen' }, 'clientReference'],
      [{ checked: true, remark: 'x'.repeat(501) }, 'remark'],
      [{ checked: true, remark: 'Met John Smith, TFN 123 456 782' }, 'remark'],
    ] as const) {
      const { body } = await state(agent, id, line).expect(400);
      expect(Object.keys((body as { fields: object }).fields)).toEqual([field]);
    }
    const stranger = await app.signedIn();
    await state(stranger.agent, id, { checked: true }).expect(404);
    await stranger.agent.get(`/api/record/sessions/${id}`).expect(404);
  });

  it('pages by key, filters, and counts what is not stated', async () => {
    const { agent, user } = await app.signedIn();
    const at = app.context.now();
    const rows = Array.from({ length: 2 * recordPageSize + 3 }, (_, i) => ({
      userId: user.id,
      toolId: i % 2 ? tool : 'fact-find-ai',
      // Several at the same moment.
      createdAt: new Date(at.getTime() - Math.floor(i / 4) * day),
    }));
    await app.context.db.insert(toolUsage).values(rows);
    expect((await agent.get('/api/record/unstated').expect(200)).body).toMatchObject({ kept: false });
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = await register(agent, next && `?after=${next}`);
      seen.push(...page.sessions.map(({ id }) => id));
      next = page.next;
    }
    expect(new Set(seen).size).toBe(rows.length);
    expect(seen).toHaveLength(rows.length);
    await state(agent, seen[0]!, { checked: true }).expect(200);
    expect((await register(agent, '?unstated=true')).sessions[0]!.id).toBe(seen[1]);
    expect((await register(agent, `?toolId=${tool}`)).sessions.every(({ toolId }) => toolId === tool)).toBe(true);
    const today = at.toLocaleDateString('en-CA', { timeZone: 'Australia/Sydney' });
    expect((await register(agent, `?from=${today}&to=${today}`)).sessions).toHaveLength(4);
    await agent.get('/api/record/sessions?from=yesterday').expect(400);
    const { body } = await agent.get('/api/record/unstated').expect(200);
    expect(body).toMatchObject({ count: rows.length - 1, kept: true, newest: { id: seen[1] } });
  });

  it('takes two statements at once one after the other, and none is changed or deleted', async () => {
    const { agent } = await adviser();
    const id = await openTool(agent);
    await Promise.all(
      [true, false, true, false].map((checked, i) => state(agent, id, { checked, remark: `${i}` }).expect(200)),
    );
    const { body } = await agent.get(`/api/record/sessions/${id}`).expect(200);
    expect(body.statements).toHaveLength(4);
    expect(body.session.checked).toBe((body.statements as { checked: boolean }[]).at(-1)!.checked);
    for (const change of [
      `update session_statements set checked = true`,
      'delete from session_statements',
      'truncate session_statements',
    ])
      await expect(rowsOf(app, change)).rejects.toThrow(/append-only|permission denied/);
  });

  it('deletes statements only where their person or moment is named, and nothing else with them', async () => {
    const [one, other] = [await adviser(), await adviser()];
    for (const { agent } of [one, other]) await state(agent, await openTool(agent), { checked: true }).expect(200);
    const erasing = (what: string, change: string) =>
      transaction(app.context.db, async (tx) => {
        await tx.execute(sql`select set_config('record.erasing', ${what}, true)`);
        return (await tx.execute(sql.raw(change))).rowCount;
      });
    const refused = { cause: { message: expect.stringMatching(/append-only|permission denied/) as string } };
    const ofOne = `delete from session_statements where user_id = '${one.user.id}'`;
    const ofOther = `delete from session_statements where user_id = '${other.user.id}'`;
    const long = new Date(Date.now() - 366 * day).toISOString();
    await expect(erasing(`person ${one.user.id}`, ofOther)).rejects.toMatchObject(refused);
    await expect(erasing(`person ${one.user.id}`, 'delete from session_statements')).rejects.toMatchObject(refused);
    await expect(erasing(`before ${long}`, ofOne)).rejects.toMatchObject(refused);
    await expect(erasing('', ofOne)).rejects.toMatchObject(refused);
    await rowsOf(
      app,
      `insert into tool_disclosures (tool_id, version, answers, made_by_id, made_at) values ('pre-fill-ai', 9, '{}', $1, now())`,
      [one.user.id],
    );
    for (const what of ['on', `person ${one.user.id}`])
      await expect(erasing(what, 'delete from tool_disclosures')).rejects.toMatchObject(refused);
    expect(await erasing(`person ${one.user.id}`, ofOne)).toBe(1);
    expect(await erasing(`before ${new Date(Date.now() + day).toISOString()}`, ofOther)).toBe(1);
  });

  it('forgets what is older than seven years', async () => {
    const { agent, user } = await adviser();
    const id = await openTool(agent);
    await state(agent, id, { checked: true, clientReference: 'F-7' }).expect(200);
    const later = { ...app.context, now: () => plusMonths(app.context.now(), 84 + 1) };
    await forgetOldRecord(app.context);
    expect((await register(agent)).sessions).toMatchObject([{ clientReference: 'F-7', lines: 1 }]);
    await forgetOldRecord(later);
    const mine = eq(sessionStatements.userId, user.id);
    expect(await app.context.db.select().from(sessionStatements).where(mine)).toEqual([]);
    expect((await register(agent)).sessions).toMatchObject([{ clientReference: null, checked: true, lines: 0 }]);
  });

  it('reminds whoever wants it weekly, once', async () => {
    const { agent, user } = await adviser();
    await openTool(agent);
    const settings = { emailReminders: true, inAppNotifications: true, reminderDays: [7] };
    await agent
      .post('/api/reminder-settings')
      .send({ ...settings, weeklyStatements: true })
      .expect(200);
    // A page of the previous release doesn't send it.
    const saved = await agent.post('/api/reminder-settings').send(settings).expect(200);
    expect(saved.body).toMatchObject({ weeklyStatements: true });
    await remindOfStatements(app.context);
    await remindOfStatements(app.context);
    const told = await app.context.db.select().from(notifications).where(eq(notifications.userId, user.id));
    expect(told.filter(({ title }) => title === 'Sessions to review')).toMatchObject([
      { message: 'Please review one session from the last seven days.' },
    ]);
  });
});

describe('the register of a practice', () => {
  it('holds what was opened through its subscription, also by who has left, and not their own', async () => {
    const { owner, member, team } = await practice();
    const id = await openTool(member.agent);
    await report(id, { version: '3.0' });
    await state(member.agent, id, { checked: true, remark: 'Read it' }).expect(200);
    const url = `/api/teams/${team.id}/record`;
    const { body } = await owner.agent.get(url).expect(200);
    const ofTool = (body.tools as { toolId: string }[]).find(({ toolId }) => toolId === tool);
    const people = [{ firstName: 'Mei', lastName: 'Tan', sessions: 1, unstated: 0 }];
    expect(ofTool).toMatchObject({ allowed: true, version: '3.0', sessions: 1, durationSeconds: 300, people });
    await member.agent.get(url).expect(403);
    await member.agent.get(`${url}/sessions`).expect(403);
    await (await app.signedIn()).agent.get(url).expect(404);
    expect((await owner.agent.get(`/api/record/sessions/${id}`).expect(200)).body.statements).toHaveLength(1);

    await owner.agent.delete(`/api/teams/${team.id}/members/${member.user.id}`).expect(200);
    await app.context.db.insert(toolSubscriptions).values({ userId: member.user.id, toolId: tool, status: 'active' });
    const own = await openTool(member.agent);
    const kept = (await owner.agent.get(`${url}/sessions`).expect(200)).body as { sessions: RecordSession[] };
    expect(kept.sessions.map((session) => session.id)).toEqual([id]);
    expect((await register(member.agent)).sessions.map((session) => session.id)).toEqual([own, id]);
    await owner.agent.get(`/api/record/sessions/${own}`).expect(404);

    await member.agent.post('/api/user/close-account').send({ password }).expect(200);
    const after = (await owner.agent.get(`${url}/sessions`).expect(200)).body as { sessions: RecordSession[] };
    expect(after.sessions).toMatchObject([{ id, firstName: 'Mei', lastName: 'Tan', checked: true, remark: 'Read it' }]);
  });

  it('marks a tool as not allowed, which nobody opens or buys then, and nothing is cancelled', async () => {
    const { owner, member, team } = await practice();
    const id = await openTool(member.agent);
    const url = `/api/teams/${team.id}/record/tools/${tool}`;
    await member.agent.put(url).send({ allowed: false }).expect(403);
    const reason = 'Where its data is kept is not stated.';
    await owner.agent.put(url).send({ allowed: false, reason }).expect(200);
    for (const { agent } of [owner, member]) {
      const { body } = await agent.post('/api/auth/token').send({ toolId: tool }).expect(403);
      expect(body).toMatchObject({ code: 'tool_not_allowed' });
      for (const trial of [true, false])
        await agent.post('/api/create-subscription').send({ toolId: tool, trial }).expect(403);
      expect((await agent.get('/api/record/not-allowed').expect(200)).body).toEqual([
        { toolId: tool, teamName: 'Harbour', reason },
      ]);
    }
    await owner.agent.post('/api/create-subscription').send({ toolId: tool, teamId: team.id }).expect(403);
    const answered = await report(id, {});
    expect(answered.body).toMatchObject({ events: [{ accepted: true, access: false }] });
    const subscriptions = (await member.agent.get('/api/user/subscriptions').expect(200)).body as object[];
    expect(subscriptions).toMatchObject([{ toolId: tool, status: 'active' }]);

    await owner.agent.put(url).send({ allowed: true }).expect(200);
    await openTool(member.agent);
  });

  it('lets new tools wait for a decision, and keeps reviews with the next day due', async () => {
    const { owner, member, team } = await practice();
    const url = `/api/teams/${team.id}/record`;
    await owner.agent.put(`${url}/new-tools`).send({ allowed: false }).expect(200);
    await member.agent.post('/api/auth/token').send({ toolId: tool }).expect(403);
    await owner.agent.put(`${url}/tools/${tool}`).send({ allowed: true, reviewDue: '2027-02-01' }).expect(200);
    await openTool(member.agent);
    const review = { remark: 'Sampled ten files.', nextDue: '2027-08-01' };
    await owner.agent
      .post(`${url}/tools/${tool}/reviews`)
      .send({ ...review, remark: '' })
      .expect(400);
    const { body } = await owner.agent.post(`${url}/tools/${tool}/reviews`).send(review).expect(200);
    expect((body.tools as { toolId: string }[]).find(({ toolId }) => toolId === tool)).toMatchObject({
      allowed: true,
      decided: true,
      reviewDue: '2027-08-01',
      reviews: [{ ...review, disclosureVersion: null }],
    });
    await owner.agent.put(`${url}/tools/no-such-tool`).send({ allowed: true }).expect(404);
    await expect(rowsOf(app, `update tool_reviews set remark = ''`)).rejects.toThrow(/append-only|permission denied/);
  });

  it('tells the owner once of each review that is due, and no longer once the practice is closed', async () => {
    const { owner, member, team } = await practice();
    const decide = (reviewDue: string) =>
      owner.agent.put(`/api/teams/${team.id}/record/tools/${tool}`).send({ reviewDue }).expect(200);
    const on = (date: string) => tellReviewsDue({ ...app.context, now: () => new Date(`${date}T12:00:00+11:00`) });
    const told = async (userId: string) =>
      (await app.context.db.select().from(notifications).where(eq(notifications.userId, userId)))
        .filter(({ title }) => title === 'Risk Profile AI is due for review')
        .map(({ message, actionUrl }) => [message, actionUrl]);
    await decide('2027-02-01');
    await on('2027-01-31');
    expect(await told(owner.user.id)).toEqual([]);
    await on('2027-02-01');
    await on('2027-02-02');
    const first = [
      expect.stringContaining(`${team.name} planned to review Risk Profile AI by 1 Feb 2027. `),
      `/teams?team=${team.id}&tab=record`,
    ];
    expect(await told(owner.user.id)).toEqual([first]);
    await decide('2027-03-01');
    await on('2027-02-28');
    expect(await told(owner.user.id)).toHaveLength(1);
    await on('2027-03-01');
    expect(await told(owner.user.id)).toHaveLength(2);
    await decide('2027-04-01');
    await rowsOf(app, 'update teams set is_active = false where id = $1', [team.id]);
    await on('2027-04-01');
    expect(await told(owner.user.id)).toHaveLength(2);
    expect(await told(member.user.id)).toEqual([]);
  });
});
