import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import type { RecordSession } from '#shared/api/recorded.ts';
import { sessionSignOffs } from '#shared/schema/record.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { createTeam, password } from '#server/testing/factories.ts';
import { stepsOf, tool } from '#server/testing/evidence-steps.ts';
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
  agent.post(`${url}/sign-offs`).send({ remark: '', sampleId: null, ...body });
const listed = async (agent: Agent, url: string, query = {}) =>
  (await agent.get(`${url}/sessions`).query(query).expect(200)).body as {
    sessions: RecordSession[];
    sample: { id: string; size: number; drawnFrom: number } | null;
  };
const draw = async (agent: Agent, url: string, body: object) =>
  ((await agent.post(`${url}/samples`).send(body).expect(200)).body as { id: string }).id;

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
  expect(seen).toMatchObject({
    session: { signedOff: { firstName: 'Karen', remark: null, sampledFrom: null, sampleId: null } },
  });

  // What the adviser says later is signed off anew.
  await member.agent.post(`/api/record/sessions/${hers.id}/statements`).send({ checked: false }).expect(200);
  await signOff(admin.agent, url, { ids: [hers.id] }).expect(200);
  expect(await rows()).toHaveLength(2);
  await expect(rowsOf(app, `update session_sign_offs set remark = 'x'`)).rejects.toThrow(
    /append-only|permission denied/,
  );
  await expect(rowsOf(app, 'delete from session_sign_offs')).rejects.toThrow(/append-only|permission denied/);
});

it('a sample is drawn at random from the sessions of others that fit, and is kept', async () => {
  const { owner, member, admin, team, url } = await practice();
  const at = app.context.now();
  for (let ago = 0; ago < 12; ago += 1)
    await worked(member.user.id, { teamId: team.id, createdAt: plus(at, -ago * day) });
  // Nobody can sign off their own, so these are not among them.
  await worked(owner.user.id, { teamId: team.id });
  await worked(member.user.id);
  const ids = await Promise.all(Array.from({ length: 6 }, () => draw(owner.agent, url, { size: 5 })));
  const drawn = await Promise.all(ids.map((sample) => listed(owner.agent, url, { sample })));
  for (const [index, { sessions, sample }] of drawn.entries()) {
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(5);
    expect(sample).toMatchObject({ id: ids[index], size: 5, drawnFrom: 12 });
  }
  expect(new Set(drawn.map(({ sessions }) => String(sessions.map(({ id }) => id)))).size).toBeGreaterThan(1);
  // It stays what it was, whatever is asked for beside it, and for everybody who sees the record.
  const again = await listed(admin.agent, url, { sample: ids[0], to: '2020-01-01' });
  expect(again.sessions.map(({ id }) => id)).toEqual(drawn[0]!.sessions.map(({ id }) => id));
  await member.agent.get(`${url}/sessions`).query({ sample: ids[0] }).expect(403);
  await expect(rowsOf(app, `update record_samples set drawn_from = 1`)).rejects.toThrow(
    /append-only|permission denied/,
  );
  await expect(rowsOf(app, 'delete from record_samples')).rejects.toThrow(/append-only|permission denied/);
});

it('a sample is drawn from days, a tool, a person or what is to review, and only by who sees the record', async () => {
  const { owner, member, admin, team, url } = await practice();
  const fits = await worked(member.user.id, { teamId: team.id, createdAt: plus(app.context.now(), -3 * day) });
  await worked(member.user.id, { teamId: team.id, createdAt: plus(app.context.now(), -9 * day) });
  await worked(member.user.id, { teamId: team.id, createdAt: fits.createdAt, checked: true });
  await worked(admin.user.id, { teamId: team.id, createdAt: fits.createdAt });
  await worked(member.user.id, { teamId: team.id, createdAt: fits.createdAt, toolId: 'file-note-ai' });
  const from = sydneyDate(plus(app.context.now(), -5 * day));
  const narrow = { from, to: sydneyDate(app.context.now()), toolId: tool, userId: member.user.id, unstated: true };
  const { sessions, sample } = await listed(owner.agent, url, {
    sample: await draw(owner.agent, url, { size: 10, ...narrow }),
  });
  expect([sessions.map(({ id }) => id), sample]).toMatchObject([[fits.id], { size: 1, drawnFrom: 1 }]);
  await member.agent.post(`${url}/samples`).send({ size: 10 }).expect(403);
  await (await app.signedIn()).agent.post(`${url}/samples`).send({ size: 10 }).expect(404);
  for (const size of [0, 26, 'x']) await owner.agent.post(`${url}/samples`).send({ size }).expect(400);
  const none = await owner.agent.post(`${url}/samples`).send({ size: 5, to: '2020-01-01' }).expect(409);
  expect(none.body).toMatchObject({ code: 'sample_empty' });
});

it('a sign-off names a sample of that practice, and only sessions of it', async () => {
  const { owner, member, admin, team, url } = await practice();
  const first = await worked(member.user.id, { teamId: team.id });
  const sampleId = await draw(owner.agent, url, { size: 5 });
  const second = await worked(member.user.id, { teamId: team.id });
  const refused = async (body: object) => {
    const answer = (await signOff(admin.agent, url, body).expect(400)).body as { fields?: Record<string, string> };
    return Object.keys(answer.fields ?? {});
  };
  expect(await refused({ ids: [first.id, second.id], sampleId })).toEqual(['ids']);
  const other = await practice();
  await worked(other.member.user.id, { teamId: other.team.id });
  const elsewhere = await draw(other.owner.agent, other.url, { size: 5 });
  expect(await refused({ ids: [first.id], sampleId: elsewhere })).toEqual(['sampleId']);
  expect((await owner.agent.get(`${url}/sessions`).query({ sample: elsewhere }).expect(404)).body).toMatchObject({
    code: 'sample_not_found',
  });
  await signOff(admin.agent, url, { ids: [first.id], sampleId: 7 }).expect(400);
  const signed = () => app.context.db.select().from(sessionSignOffs).where(eq(sessionSignOffs.teamId, team.id));
  await signOff(admin.agent, url, { ids: [first.id] }).expect(200);
  // That it was drawn is news; a second press says nothing new.
  for (const _press of [1, 2]) await signOff(admin.agent, url, { ids: [first.id], sampleId }).expect(200);
  expect(await signed()).toMatchObject([
    { sampleId: null, sampledFrom: null },
    { sampleId, sampledFrom: 1 },
  ]);
});

it('a practice’s pack has each sign-off with who and when, also from before samples were kept, or of a closed account', async () => {
  const { owner, member, admin, team } = await practice();
  const session = await worked(member.user.id, { teamId: team.id, checked: true });
  await stated(session.id, member.user.id, { checked: true });
  await worked(member.user.id, { teamId: team.id });
  await app.context.db.insert(sessionSignOffs).values({
    sessionId: session.id,
    teamId: team.id,
    userId: admin.user.id,
    remark: 'Compared with the file',
    sampledFrom: 2,
    madeAt: app.context.now(),
  });
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
    expect(text).toContain(
      'One of a sample from 2 sessions, as the supervisor said. Adviserly did not keep samples then. “Compared with the file”',
    );
  expect(pdf).toMatch(/A[EW]S?[DS]T: Signed off by Karen Lee \([\da-f]{8}\)\./);
  expect(pdf).toMatch(/1 Signed off/);
  const own = await packOf(member.agent);
  expect((await bytesOf(member.agent, own, 'csv')).toString()).not.toMatch(/Sign-off|Karen/);
});
