import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import type { Inventory, RecordSession } from '#shared/api/recorded.ts';
import { usualChecks } from '#shared/rules/record/record.ts';
import { mails } from '#shared/schema/notifications.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { createAdmin, createTeam } from '#server/testing/factories.ts';
import { correctRanking } from '#server/admin/jobs.ts';
import { reportMonth } from '#server/analytics/monthly-report.ts';
import { stepsOf } from '#server/testing/evidence-steps.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp();
const { packOf, bytesOf, check } = stepsOf(app);

async function practice() {
  const owner = await app.signedIn({ firstName: 'Karen', lastName: 'Lee' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  const member = await app.signedIn({ firstName: 'Mia', lastName: 'Wong' });
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.user.id, role: 'member' });
  const about = {
    name: 'ChatGPT Team',
    usedFor: 'Drafts of letters',
    dataAllowed: 'Nothing about clients',
    accountableId: owner.user.id,
    reviewDue: '2027-06-01',
  };
  const url = `/api/teams/${team.id}/record`;
  return { owner, member, team, about, url };
}
const listedIn = (body: unknown) => (body as Inventory).tools.find(({ outside }) => outside);
async function withTool() {
  const all = await practice();
  const { body } = await all.owner.agent.post(`${all.url}/tools`).send(all.about).expect(200);
  return { ...all, toolId: listedIn(body)!.toolId };
}
const session = (toolId: string, more: object = {}) => ({
  id: randomUUID(),
  toolId,
  usedAt: plus(app.context.now(), -60_000).toISOString(),
  purpose: 'client_letter',
  clientReference: 'F-4521',
  checked: true,
  remark: 'Read twice',
  ...more,
});
const recorded = (agent: Agent, body: object) => agent.post('/api/record/sessions').send(body);
const fieldsOf = (body: unknown) => Object.keys((body as { fields: object }).fields);

it('a practice lists a tool from elsewhere, with who answers for it, and its members are told what may go in', async () => {
  const { owner, member, about, url } = await practice();
  await member.agent.post(`${url}/tools`).send(about).expect(403);
  const stranger = await app.signedIn();
  await stranger.agent.post(`${url}/tools`).send(about).expect(404);
  for (const field of ['name', 'usedFor', 'dataAllowed', 'accountableId'])
    expect(
      fieldsOf(
        (
          await owner.agent
            .post(`${url}/tools`)
            .send({ ...about, [field]: '' })
            .expect(400)
        ).body,
      ),
    ).toEqual([field]);
  const other = { ...about, accountableId: stranger.user.id };
  expect(fieldsOf((await owner.agent.post(`${url}/tools`).send(other).expect(400)).body)).toEqual(['accountableId']);

  const tool = listedIn((await owner.agent.post(`${url}/tools`).send(about).expect(200)).body)!;
  expect(tool).toMatchObject({
    toolName: 'ChatGPT Team',
    allowed: true,
    usedFor: about.usedFor,
    accountable: { userId: owner.user.id, firstName: 'Karen', isMember: true },
  });
  expect((await member.agent.get('/api/record/outside-tools').expect(200)).body).toEqual([
    {
      toolId: tool.toolId,
      toolName: 'ChatGPT Team',
      teamName: 'Harbour',
      allowed: true,
      usedFor: about.usedFor,
      dataAllowed: about.dataAllowed,
      checkList: [...usualChecks],
    },
  ]);
  expect((await stranger.agent.get('/api/record/outside-tools').expect(200)).body).toEqual([]);
  const sent = await app.context.db.select().from(mails);
  expect(sent.filter(({ toAddress }) => toAddress === member.user.email)).toMatchObject([
    { subject: 'Harbour allows ChatGPT Team' },
  ]);
});

it('whoever answers for any tool, ours too, can be changed, and it shows once they have left', async () => {
  const { owner, member, url, toolId } = await withTool();
  const ours = `${url}/tools/risk-profile-ai`;
  await owner.agent.put(ours).send({ accountableId: member.user.id, usedFor: 'Risk profiles' }).expect(200);
  await owner.agent.put(ours).send({ accountableId: randomUUID() }).expect(400);
  await owner.agent.put(ours).send({ name: 'My own name' }).expect(400);
  await owner.agent.put(`${url}/tools/${toolId}`).send({ name: 'ChatGPT Enterprise' }).expect(200);
  await owner.agent.delete(`${url.replace('/record', '')}/members/${member.user.id}`).expect(200);
  const { tools } = (await owner.agent.get(url).expect(200)).body as Inventory;
  expect(tools.find((tool) => tool.toolId === 'risk-profile-ai')).toMatchObject({
    usedFor: 'Risk profiles',
    allowed: true,
    accountable: { firstName: 'Mia', isMember: false },
  });
  expect(tools.find((tool) => tool.toolId === toolId)).toMatchObject({ toolName: 'ChatGPT Enterprise' });
});

it('a session elsewhere is recorded by hand once, and stands in both registers and the inventory', async () => {
  const { owner, member, url, toolId } = await withTool();
  const body = session(toolId);
  for (const [change, field] of [
    [{ usedAt: plus(app.context.now(), day).toISOString() }, 'usedAt'],
    [{ usedAt: '1999-01-01T00:00:00Z' }, 'usedAt'],
    [{ clientReference: 'Jane Citizen' }, 'clientReference'],
    [{ remark: 'TFN 123 456 782' }, 'remark'],
    [{ checked: undefined }, 'checked'],
  ] as const)
    expect(fieldsOf((await recorded(member.agent, { ...body, ...change }).expect(400)).body)).toEqual([field]);
  const both = await Promise.all([recorded(member.agent, body), recorded(member.agent, body)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  await recorded(owner.agent, body).expect(404);
  const stands = {
    id: body.id,
    outside: true,
    toolName: 'ChatGPT Team',
    clientReference: 'F-4521',
    checked: true,
    lines: 1,
  };
  for (const [agent, path] of [
    [member.agent, '/api/record/sessions'],
    [owner.agent, `${url}/sessions`],
  ] as const)
    expect(((await agent.get(path).expect(200)).body as { sessions: RecordSession[] }).sessions).toMatchObject([
      stands,
    ]);
  expect(listedIn((await owner.agent.get(url).expect(200)).body)).toMatchObject({
    sessions: 1,
    people: [{ firstName: 'Mia', sessions: 1 }],
  });
  for (const page of ['/api/analytics/dashboard', '/api/analytics/usage', '/api/user/usage', '/api/user/export'])
    expect([page, (await member.agent.get(page)).status]).toEqual([page, 200]);
});

it('a late session is marked, and one with a tool that is not allowed is recorded all the same', async () => {
  const { owner, member, url, toolId } = await withTool();
  const late = await recorded(
    member.agent,
    session(toolId, { usedAt: plus(app.context.now(), -8 * day).toISOString() }),
  );
  expect(late.body).toMatchObject({ late: true });
  await owner.agent.put(`${url}/tools/${toolId}`).send({ allowed: false, reason: 'No contract' }).expect(200);
  await recorded(member.agent, session(toolId)).expect(200);
});

it('a tool from elsewhere is no tool to anybody else', async () => {
  const { member, toolId } = await withTool();
  const { owner, url, member: other } = await practice();
  await owner.agent.put(`${url}/tools/${toolId}`).send({ allowed: false }).expect(404);
  await owner.agent.post(`${url}/tools/${toolId}/reviews`).send({ remark: 'Fine', nextDue: null }).expect(404);
  await recorded(other.agent, session(toolId)).expect(404);
  for (const body of [{ toolId }, { toolId, trial: true }])
    await member.agent.post('/api/create-subscription').send(body).expect(404);
  await member.agent.post('/api/auth/token').send({ toolId }).expect(404);
  await app.agent().get(`/api/tools/${toolId}/disclosure`).expect(404);
  expect(
    ((await app.agent().get('/api/tools').expect(200)).body as { id: string }[]).map(({ id }) => id),
  ).not.toContain(toolId);
});

it('a pack has the tools, who answers for them, and the sessions recorded by hand', async () => {
  const { owner, member, team, toolId } = await withTool();
  await recorded(member.agent, session(toolId)).expect(200);
  const id = await packOf(owner.agent, { teamId: team.id });
  const csv = await bytesOf(owner.agent, id, 'csv');
  const pdf = textOfPdf(await bytesOf(owner.agent, id, 'pdf')).replaceAll(/\s+/g, ' ');
  expect((await check({ 'a.csv': csv }))[0]!.faults).toEqual([]);
  for (const words of [
    'ChatGPT Team',
    'outside Adviserly, recorded by hand',
    'Allowed, a tool from elsewhere. Used for: Drafts of letters. Data that may go in: Nothing about clients.',
    /Accountable: Karen Lee \([\da-f]{8}\)/,
  ])
    for (const text of [csv.toString(), pdf]) expect(text).toMatch(words);
  await packOf(owner.agent, { teamId: team.id, toolId });
});

it('a session with a tool from elsewhere is in the record, and is no use of ours in figures, reports or the ranking', async () => {
  const { member, toolId } = await withTool();
  await recorded(member.agent, session(toolId)).expect(200);
  const { body } = await member.agent.get('/api/analytics/dashboard').expect(200);
  expect(body).toMatchObject({
    totalSessions: 0,
    everUsed: false,
    recentAnalytics: [],
    thisMonth: { sessions: 0, minutesSaved: 0 },
  });
  expect((await member.agent.get('/api/analytics/usage?days=30').expect(200)).body).toMatchObject({ tools: [] });
  expect((await member.agent.get('/api/analytics/usage.csv').expect(200)).text).not.toContain('ChatGPT Team');
  const month = sydneyDate(app.context.now()).slice(0, 7);
  await reportMonth(app.context, month, [member.user.id]);
  const reports = await app.context.db
    .select()
    .from(mails)
    .where(and(eq(mails.kind, 'monthly-report'), eq(mails.toAddress, member.user.email)));
  expect(reports).toEqual([]);
  const admin = await app.signIn((await createAdmin(app.context)).email);
  const ranking = async () => JSON.stringify((await admin.agent.get('/api/admin/usage-stats').expect(200)).body);
  expect(await ranking()).not.toContain(member.user.id);
  // As an older release has counted it.
  await app.context.db.execute(sql`update user_usage set total_usage = 1 where user_id = ${member.user.id}`);
  expect(await ranking()).toContain(member.user.id);
  await correctRanking(app.context);
  expect(await ranking()).not.toContain(member.user.id);
});
