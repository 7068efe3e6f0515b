import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { day, plus } from '#shared/rules/dates.ts';
import type { RecordSession } from '#shared/api/recorded.ts';
import { sessionSignOffs } from '#shared/schema/record.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { createTeam, password } from '#server/testing/factories.ts';
import { stepsOf } from '#server/testing/evidence-steps.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { rowsOf } from '#server/testing/purchases.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp();
const { worked, stated, packOf, bytesOf, check } = stepsOf(app);

async function practice() {
  const owner = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  const member = await app.signedIn({ firstName: 'Mia', lastName: 'Wong' });
  const admin = await app.signedIn({ firstName: 'Karen', lastName: 'Lee' });
  for (const [{ user }, role] of [[member, 'member'] as const, [admin, 'admin'] as const])
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role });
  const url = `/api/teams/${team.id}/record`;
  return { owner, member, admin, team, url };
}
const signOff = (agent: Agent, url: string, body: object) =>
  agent.post(`${url}/sign-offs`).send({ remark: '', sampledFrom: null, ...body });
const listed = async (agent: Agent, url: string, query = {}) =>
  (await agent.get(`${url}/sessions`).query(query).expect(200)).body as {
    sessions: RecordSession[];
    sampledFrom: number | null;
  };

it('owner, admins and reviewers sign the sessions of others off, all of them or none', async () => {
  const { owner, member, admin, team, url } = await practice();
  const [hers, karens] = [
    await worked(member.user.id, { teamId: team.id }),
    await worked(admin.user.id, { teamId: team.id }),
  ];
  const elsewhere = await worked(member.user.id);
  await signOff(member.agent, url, { ids: [karens.id] }).expect(403);
  await signOff((await app.signedIn()).agent, url, { ids: [hers.id] }).expect(404);
  await signOff(owner.agent, url, { ids: [hers.id, elsewhere.id] }).expect(404);
  await signOff(owner.agent, url, { ids: [] }).expect(400);
  await signOff(owner.agent, url, { ids: [hers.id], remark: 'TFN 123 456 782' }).expect(400);
  const own = await signOff(admin.agent, url, { ids: [hers.id, karens.id] }).expect(409);
  expect(own.body).toMatchObject({ code: 'own_sign_off' });
  expect((await listed(owner.agent, url)).sessions.map(({ signedOff }) => signedOff)).toEqual([null, null]);

  await signOff(admin.agent, url, { ids: [hers.id] }).expect(200);
  await Promise.all([1, 2].map(() => signOff(admin.agent, url, { ids: [hers.id] }).expect(200)));
  const rows = () => app.context.db.select().from(sessionSignOffs).where(eq(sessionSignOffs.sessionId, hers.id));
  expect(await rows()).toHaveLength(1);
  const seen = (await member.agent.get(`/api/record/sessions/${hers.id}`).expect(200)).body as object;
  expect(seen).toMatchObject({ session: { signedOff: { firstName: 'Karen', remark: null, sampledFrom: null } } });

  // What the adviser says later is signed off anew.
  await member.agent.post(`/api/record/sessions/${hers.id}/statements`).send({ checked: false }).expect(200);
  await signOff(admin.agent, url, { ids: [hers.id] }).expect(200);
  expect(await rows()).toHaveLength(2);
  await expect(rowsOf(app, `update session_sign_offs set remark = 'x'`)).rejects.toThrow(
    /append-only|permission denied/,
  );
  await expect(rowsOf(app, 'delete from session_sign_offs')).rejects.toThrow(/append-only|permission denied/);
});

it('a sample is drawn by chance from what fits, and says from how many', async () => {
  const { owner, member, team, url } = await practice();
  const at = app.context.now();
  for (let ago = 0; ago < 12; ago += 1)
    await worked(member.user.id, { teamId: team.id, createdAt: plus(at, -ago * day) });
  // Nobody can sign off their own, so these are not among them.
  await worked(owner.user.id, { teamId: team.id });
  await worked(member.user.id);
  const drawn = await Promise.all(
    Array.from({ length: 6 }, (_, draw) => listed(owner.agent, url, { sample: 5, draw })),
  );
  for (const { sessions, sampledFrom } of drawn)
    expect([new Set(sessions.map(({ id }) => id)).size, sampledFrom]).toEqual([5, 12]);
  expect(new Set(drawn.map(({ sessions }) => String(sessions.map(({ id }) => id)))).size).toBeGreaterThan(1);
  const none = await listed(owner.agent, url, { sample: 5, to: '2020-01-01' });
  expect(none).toMatchObject({ sessions: [], sampledFrom: 0 });
  for (const sample of [0, 26, 'x']) await owner.agent.get(`${url}/sessions`).query({ sample }).expect(400);
});

it('a practice’s pack has each sign-off with who and when, also once they have closed their account', async () => {
  const { owner, member, admin, team, url } = await practice();
  const session = await worked(member.user.id, { teamId: team.id, checked: true });
  await stated(session.id, member.user.id, { checked: true });
  await worked(member.user.id, { teamId: team.id });
  await signOff(admin.agent, url, { ids: [session.id], remark: 'Compared with the file', sampledFrom: 2 }).expect(200);
  await admin.agent.post('/api/user/close-account').send({ password }).expect(200);
  const id = await packOf(owner.agent, { teamId: team.id });
  const csv = await bytesOf(owner.agent, id, 'csv');
  const pdf = textOfPdf(await bytesOf(owner.agent, id, 'pdf')).replaceAll(/\s+/g, ' ');
  expect((await check({ 'a.csv': csv }))[0]!.faults).toEqual([]);
  const line = csv
    .toString()
    .split('\r\n')
    .find((one) => one.includes(',Sign-off,'));
  expect(line).toContain(`,${session.id},${admin.user.id},`);
  for (const text of [line, pdf])
    expect(text).toContain('One of a sample from 2 sessions, as the supervisor said. “Compared with the file”');
  expect(pdf).toMatch(/A[EW]S?[DS]T: Signed off by Karen Lee \([\da-f]{8}\)\./);
  expect(pdf).toMatch(/1 Signed off/);
  const own = await packOf(member.agent);
  expect((await bytesOf(member.agent, own, 'csv')).toString()).not.toMatch(/Sign-off|Karen/);
});
