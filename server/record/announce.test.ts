import { beforeAll, expect, it } from 'vitest';
import { eq } from 'drizzle-orm';
import type { Inventory } from '#shared/api/recorded.ts';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { nothingStated } from '#shared/rules/record/disclosure.ts';
import { mails, notifications } from '#shared/schema/notifications.ts';
import { toolDisclosures } from '#shared/schema/record.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { toolPeople, tools } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam } from '#server/testing/factories.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { announceJob, tellAnnouncements } from './announce.ts';

const toolId = 'file-note-ai';
const path = `/api/developers/tools/${toolId}/announcements`;
const app = testApp();
let maker: Awaited<ReturnType<typeof app.signedIn>>;
beforeAll(async () => {
  maker = await app.signedIn();
  const { db } = app.context;
  await db.update(tools).set({ ownerId: maker.user.id }).where(eq(tools.id, toolId));
  const answers = { ...nothingStated, model: 'Old model', version: '1.0', dataLocation: 'Sydney' };
  await db
    .insert(toolDisclosures)
    .values({ toolId, version: 1, answers, madeById: maker.user.id, madeAt: app.context.now() });
});

const inDays = (days: number) => sydneyDate(plus(app.context.now(), days * day));
const said = (more: object = {}) => ({
  version: '2.0',
  model: 'New model',
  dataLocation: '',
  subProcessors: '',
  note: 'Notes become shorter.',
  onDay: inDays(14),
  mends: false,
  ...more,
});
async function announced(more: object = {}): Promise<string> {
  const { body } = await maker.agent.post(path).send(said(more)).expect(201);
  await app.context.queue.drain();
  return (body as { id: string }).id;
}
const mailsTo = async (email: string) =>
  (await app.context.db.select().from(mails).where(eq(mails.toAddress, email))).filter(
    ({ kind }) => kind === 'tool-announcement',
  );

async function practice() {
  const [owner, admin, reviewer, member] = [
    await app.signedIn(),
    await app.signedIn(),
    await app.signedIn(),
    await app.signedIn(),
  ];
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  const { db } = app.context;
  for (const [{ user }, role] of [
    [admin, 'admin'],
    [reviewer, 'reviewer'],
    [member, 'member'],
  ] as const)
    await db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role });
  await db.insert(toolSubscriptions).values({ teamId: team.id, toolId, status: 'active', subscriptionType: 'team' });
  await db.insert(toolPeople).values({ userId: member.user.id, toolId, teamId: team.id, createdAt: app.context.now() });
  return { owner, admin, reviewer, member, team };
}
const inRegister = async (agent: Agent, teamId: string) => {
  const { body } = await agent.get(`/api/teams/${teamId}/record`).expect(200);
  return (body as Inventory).tools.find((one) => one.toolId === toolId)!;
};

it('tells who uses the tool once; the practice sees what differs from what it reviewed, and decides', async () => {
  const { owner, admin, reviewer, member, team } = await practice();
  const adviser = await app.signedIn();
  const gone = await app.signedIn();
  const { db } = app.context;
  await db.insert(toolSubscriptions).values({ userId: adviser.user.id, toolId, status: 'active' });
  await db.insert(toolPeople).values({ userId: adviser.user.id, toolId, createdAt: app.context.now() });
  await db.insert(toolPeople).values({ userId: gone.user.id, toolId, mayUse: false, createdAt: app.context.now() });
  await owner.agent
    .post(`/api/teams/${team.id}/record/tools/${toolId}/reviews`)
    .send({ remark: 'Fit for us', nextDue: null })
    .expect(200);
  await app.clock.advance(day);

  const id = await announced();
  await app.context.queue.send(db, announceJob, { id });
  await tellAnnouncements(app.context);
  await app.context.queue.drain();
  for (const { user } of [owner, admin, reviewer, member, adviser]) {
    const [mail, ...more] = await mailsTo(user.email);
    expect(more).toEqual([]);
    expect(mail!.textBody).toContain('Old model → New model');
    expect(mail!.textBody).not.toContain('Sydney');
  }
  expect(await mailsTo(gone.user.email)).toEqual([]);
  const [notice] = await db.select().from(notifications).where(eq(notifications.userId, owner.user.id));
  expect(notice).toMatchObject({ title: 'File Note AI will change', actionUrl: `/teams?team=${team.id}&tab=record` });

  const shown = await inRegister(admin.agent, team.id);
  expect(shown).toMatchObject({
    toDecide: true,
    differences: [
      { about: 'version', before: '1.0', after: '2.0', onDay: inDays(13) },
      { about: 'model', before: 'Old model', after: 'New model', onDay: inDays(13) },
    ].map((one) => ({ ...one, onDay: expect.any(String) as string })),
  });
  await app.clock.advance(1000);
  const decide = `/api/teams/${team.id}/record/tools/${toolId}`;
  await owner.agent.put(decide).send({ usedFor: 'File notes' }).expect(200);
  expect((await inRegister(owner.agent, team.id)).toDecide).toBe(true);
  await owner.agent.put(decide).send({ allowed: true }).expect(200);
  expect((await inRegister(owner.agent, team.id)).toDecide).toBe(false);
  const { body } = await app.agent().get(`/api/tools/${toolId}/disclosure`).expect(200);
  expect(body).toMatchObject({ announcements: [{ model: 'New model', note: 'Notes become shorter.' }] });
});

it('tells again whoever a crash left out, and nobody else', async () => {
  const [first, second] = [await app.signedIn(), await app.signedIn()];
  const { db } = app.context;
  for (const { user } of [first, second])
    await db.insert(toolSubscriptions).values({ userId: user.id, toolId, status: 'active' });
  const { body } = await maker.agent.post(path).send(said()).expect(201);
  const dedupeKey = `tool-announcement:${(body as { id: string }).id}`;
  const seen = { type: 'system_alert', title: 'Told', message: 'Told', createdAt: app.context.now() } as const;
  await db.insert(notifications).values({ ...seen, userId: first.user.id, dedupeKey });
  await app.context.queue.drain();
  expect([await mailsTo(first.user.email), await mailsTo(second.user.email)].map((all) => all.length)).toEqual([0, 1]);
});

it('shows a version that sessions report and nobody announced to maker, practice and administrator', async () => {
  const { owner, member, team } = await practice();
  const admin = await administrator(app);
  const use = { userId: member.user.id, teamId: team.id, toolId, createdAt: app.context.now() };
  await app.context.db.insert(toolUsage).values({ ...use, toolVersion: '9.9' });
  const seen = async () => {
    const answers = await Promise.all(
      [() => maker.agent.get(path), () => admin.agent.get(`/api/admin/tools/${toolId}/announcements`)].map(
        async (ask) => (await ask().expect(200)).body as { versions: { version: string; announced: boolean }[] },
      ),
    );
    const register = await inRegister(owner.agent, team.id);
    return [
      ...answers.map(({ versions }) => versions.find((one) => one.version === '9.9')!.announced),
      register.announced,
    ];
  };
  expect(await seen()).toEqual([false, false, false]);
  await announced({ version: '9.9', mends: true, onDay: inDays(0) });
  expect(await seen()).toEqual([true, true, true]);
});

it.each([
  [{ onDay: '2026-01-01', mends: true }, 'onDay'],
  [{ version: '', model: '' }, 'version'],
  [{ model: 'See https://else.example' }, 'model'],
  [{ note: 'Write to help@else.example' }, 'note'],
  [{ mends: 'yes' }, 'mends'],
])('refuses %j and names the field', async (more, field) => {
  const { body } = await maker.agent.post(path).send(said(more)).expect(400);
  expect(Object.keys((body as { fields: object }).fields)).toContain(field);
});

it('demands 14 days’ notice of what mends no fault, and knows only one’s own tools', async () => {
  const { body } = await maker.agent
    .post(path)
    .send(said({ onDay: inDays(13) }))
    .expect(400);
  expect((body as { fields: object }).fields).toHaveProperty('onDay');
  const other = await app.signedIn();
  await other.agent.post(path).send(said()).expect(404);
  await other.agent.get(path).expect(404);
  const admin = await administrator(app);
  await admin.post(`/api/admin/tools/${toolId}/announcements`).send(said()).expect(409);
});
