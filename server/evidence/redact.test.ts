import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditLog } from '#shared/schema/admin.ts';
import { evidencePacks } from '#shared/schema/evidence.ts';
import { recordHolds } from '#shared/schema/record.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, password } from '#server/testing/factories.ts';
import { stepsOf, tool } from '#server/testing/evidence-steps.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';
import { reports } from '#server/usage/service.ts';

const app = testApp();
const { worked, packOf, bytesOf, listed, check } = stepsOf(app);
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});

type Line = { id: string; remark: string | null; clientReference: string | null; redactedBy: string | null };

/** A practice in whose record a member has written a name. */
async function practice() {
  const owner = await app.signedIn({ firstName: 'Grace', lastName: 'Taylor' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  const member = await app.signedIn({ firstName: 'Mia', lastName: 'Wong' });
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.user.id, role: 'member' });
  const session = await worked(member.user.id, { teamId: team.id });
  const said = { checked: true, remark: 'Ring Aurelia', clientReference: 'F-77' };
  await member.agent.post(`/api/record/sessions/${session.id}/statements`).send(said).expect(200);
  const { body } = await member.agent.get(`/api/record/sessions/${session.id}`).expect(200);
  const [line] = (body as { statements: Line[] }).statements;
  return { owner, member, team, session, line: line!, record: `/api/admin/teams/${team.id}/record` };
}
const close = (teamId: string) => app.context.db.update(teams).set({ isActive: false }).where(eq(teams.id, teamId));

/** The texts of a new pack, which passes the check. */
async function textsOf(agent: Agent, body: object): Promise<string[]> {
  const id = await packOf(agent, body);
  const [csv, pdf] = [await bytesOf(agent, id, 'csv'), await bytesOf(agent, id, 'pdf')];
  expect((await check({ 'a.csv': csv }))[0]!.faults).toEqual([]);
  return [csv.toString(), textOfPdf(pdf).replaceAll(/\s+/g, ' ')];
}

it('a line says who redacted it, also once they have closed their account', async () => {
  const { owner, member, team, session, line } = await practice();
  const deputy = await app.signedIn({ firstName: 'Karen', lastName: 'Lee' });
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: deputy.user.id, role: 'admin' });
  const at = `/api/teams/${team.id}/record/lines/${line.id}/redaction`;
  await owner.agent.post(at).send({ reason: 'A client is named' }).expect(200);
  const { db } = app.context;
  await db.update(teams).set({ ownerId: deputy.user.id }).where(eq(teams.id, team.id));
  await db.update(teamMembers).set({ role: 'admin' }).where(eq(teamMembers.userId, owner.user.id));
  await owner.agent.post('/api/user/close-account').send({ password }).expect(200);
  const seen = (await member.agent.get(`/api/record/sessions/${session.id}`).expect(200)).body as {
    statements: Line[];
  };
  expect(seen.statements).toMatchObject([{ remark: null, redactedBy: 'Grace Taylor' }]);
  for (const text of await textsOf(deputy.agent, { teamId: team.id }))
    expect(text).toMatch(/redacted on \d+ \w+ \d{4} by Grace Taylor \([\da-f]{8}\): A client is named/);
});

it('the owner redacts the remark of a sign-off and the review of a tool', async () => {
  const { owner, member, team, session } = await practice();
  const record = `/api/teams/${team.id}/record`;
  const off = { ids: [session.id], remark: 'Rang Aurelia', sampleId: null };
  await owner.agent.post(`${record}/sign-offs`).send(off).expect(200);
  const review = { remark: 'Aurelia’s note was wrong', nextDue: null };
  await owner.agent.post(`${record}/tools/${tool}/reviews`).send(review).expect(200);
  const lines = async () => {
    const { signOffs } = (await member.agent.get(`/api/record/sessions/${session.id}`).expect(200)).body as {
      signOffs: Line[];
    };
    const { tools } = (await owner.agent.get(record).expect(200)).body as {
      tools: { toolId: string; reviews: Line[] }[];
    };
    return [...signOffs, ...tools.find(({ toolId }) => toolId === tool)!.reviews];
  };
  for (const { id } of await lines()) {
    const before = await packOf(owner.agent, { teamId: team.id });
    const redact = (agent: Agent) =>
      agent.post(`${record}/lines/${id}/redaction`).send({ reason: 'A client is named' });
    await redact(member.agent).expect(403);
    await redact((await practice()).owner.agent).expect(404);
    await redact(owner.agent).expect(200);
    await redact(owner.agent).expect(409);
    await owner.agent.get(`/api/record/packs/${before}/csv`).expect(409);
  }
  expect((await lines()).map(({ remark, redactedBy }) => [remark ?? '', redactedBy])).toEqual([
    ['', 'Grace Taylor'],
    ['', 'Grace Taylor'],
  ]);
  for (const text of await textsOf(owner.agent, { teamId: team.id })) {
    expect(text.match(/redacted on \d+ \w+ \d{4} by Grace Taylor \([\da-f]{8}\): A client is named/g)).toHaveLength(2);
    expect(text).not.toMatch(/Rang Aurelia|Aurelia’s note/);
  }
});

it.each<['the owner' | 'an administrator', string]>([
  ['the owner', 'Grace Taylor'],
  ['an administrator', 'Adviserly, for the closed practice'],
])('%s redacts a client reference that nobody stated, and no tool reports it again', async (who, name) => {
  const { owner, member, team, session: stated, record } = await practice();
  const { id } = await worked(member.user.id, { teamId: team.id, clientReference: 'AURELIA-8', referenceFrom: 'tool' });
  const before = await packOf(owner.agent, { teamId: team.id });
  if (who === 'an administrator') await close(team.id);
  const at = (session: string) =>
    `${who === 'the owner' ? `/api/teams/${team.id}/record` : record}/lines/${session}/redaction`;
  const redact = (session: string) => {
    const body = { reason: 'A client is named' };
    return who === 'the owner' ? owner.agent.post(at(session)).send(body) : admin.post(at(session), body);
  };
  await member.agent.post(at(id)).send({ reason: 'A client is named' }).expect(403);
  await redact((await worked(member.user.id, { clientReference: 'OWN-1' })).id).expect(404);
  // What somebody stated is redacted in the line that says it.
  await redact(stated.id).expect(404);
  await redact(id).expect(200);
  await redact(id).expect(404);

  await reports.keepSaid(app.context.db, [{ usageId: id, version: null, purpose: null, reference: 'AURELIA-8' }]);
  const line = { clientReference: '', checked: null, redactedBy: name, redactedFor: 'A client is named' };
  expect((await member.agent.get(`/api/record/sessions/${id}`).expect(200)).body).toMatchObject({
    session: { clientReference: null, checked: null },
    statements: [line],
  });
  await owner.agent.get(`/api/record/packs/${before}/csv`).expect(409);
  for (const text of await textsOf(owner.agent, { teamId: team.id })) {
    expect(text).toMatch(
      /redacted on \d+ \w+ \d{4} by (Grace Taylor \([\da-f]{8}\)|Adviserly, for the closed practice): A/,
    );
    expect(text).not.toContain('AURELIA');
  }
});

describe('an administrator', () => {
  it('finds the reviews of tools of a closed practice, redacts one, and releases what it holds', async () => {
    const { owner, team, record } = await practice();
    const ofOwner = `/api/teams/${team.id}/record`;
    const review = { remark: 'Aurelia’s note was wrong', nextDue: null };
    await owner.agent.post(`${ofOwner}/tools/${tool}/reviews`).send(review).expect(200);
    const held = { clientReference: 'F-77', reason: 'A complaint at AFCA' };
    await owner.agent.post(`${ofOwner}/holds`).send(held).expect(200);
    const kept = async () =>
      (await admin.agent.get(`${record}/kept`).expect(200)).body as { reviews: Line[]; holds: { id: string }[] };
    const release = (of: string, hold: string) =>
      admin.post(`/api/admin/teams/${of}/record/holds/${hold}/release`, { reason: 'The complaint is settled' });
    expect((await admin.agent.get(`${record}/kept`).expect(409)).body).toMatchObject({ code: 'practice_open' });
    await close(team.id);

    const { reviews, holds } = await kept();
    expect(reviews).toMatchObject([{ toolName: 'Risk Profile AI', firstName: 'Grace', remark: review.remark }]);
    expect(holds).toMatchObject([{ ...held, firstName: 'Grace' }]);
    await admin.post(`${record}/lines/${reviews[0]!.id}/redaction`, { reason: 'A client is named' }).expect(200);

    const other = await practice();
    expect((await release(other.team.id, holds[0]!.id).expect(409)).body).toMatchObject({ code: 'practice_open' });
    await close(other.team.id);
    await release(other.team.id, holds[0]!.id).expect(404);
    await admin.post(`${record}/holds/${holds[0]!.id}/release`, { reason: '' }).expect(400);
    await release(team.id, holds[0]!.id).expect(200);
    await release(team.id, holds[0]!.id).expect(404);
    expect(await kept()).toMatchObject({
      reviews: [{ remark: '', redactedBy: 'Adviserly, for the closed practice' }],
      holds: [],
    });
    const [row] = await app.context.db.select().from(recordHolds).where(eq(recordHolds.teamId, team.id));
    expect(row).toMatchObject({ releasedAt: expect.any(Date), releasedById: null });
    const ofTeam = and(eq(auditLog.subjectId, team.id), eq(auditLog.action, 'admin.reference_released'));
    expect(await app.context.db.select().from(auditLog).where(ofTeam)).toMatchObject([
      { actorId: admin.user.id, after: { hold: holds[0]!.id, reason: 'The complaint is settled' } },
    ]);
  });

  it('redacts a line of a closed practice: its words are gone, packs are withdrawn, say so and verify', async () => {
    const { owner, member, team, session, line, record } = await practice();
    const before = await packOf(owner.agent, { teamId: team.id });
    const head = (await listed(owner.agent, { teamId: team.id }))[0]!.made!.head;
    await close(team.id);
    await owner.agent
      .post(`/api/teams/${team.id}/record/lines/${line.id}/redaction`)
      .send({ reason: 'A client is named' })
      .expect(404);

    for (const search of [session.id, 'f 77'])
      expect((await admin.agent.get(record).query({ search }).expect(200)).body).toMatchObject([
        { id: session.id, firstName: 'Mia', statements: [{ id: line.id, remark: 'Ring Aurelia', redactedBy: null }] },
      ]);
    const at = `${record}/lines/${line.id}/redaction`;
    await admin.post(at, { reason: '' }).expect(400);
    await admin.post(at, { reason: 'A client is named' }).expect(200);
    expect((await admin.post(at, { reason: 'Again' }).expect(409)).body).toMatchObject({ code: 'already_redacted' });

    const [found] = (await admin.agent.get(record).query({ search: session.id }).expect(200)).body as {
      statements: Line[];
    }[];
    const byUs = 'Adviserly, for the closed practice';
    expect(found!.statements).toMatchObject([{ remark: null, clientReference: '', redactedBy: byUs }]);
    const own = (await member.agent.get(`/api/record/sessions/${session.id}`).expect(200)).body as object;
    expect(own).toMatchObject({ session: { remark: null, clientReference: null }, statements: [{ redactedBy: byUs }] });
    expect((await owner.agent.get(`/api/record/packs/${before}/csv`).expect(409)).body).toMatchObject({
      code: 'pack_withdrawn',
    });
    expect((await app.agent().get(`/api/record/issued/${head}`).expect(200)).body).toMatchObject({
      issued: { pack: before },
    });
    for (const text of await textsOf(owner.agent, { teamId: team.id })) {
      expect(text).toMatch(/redacted on \d+ \w+ \d{4} by Adviserly, for the closed practice: A client is named/);
      expect(text).not.toMatch(/Aurelia|F-77/);
    }
    const [row] = await app.context.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, team.id), eq(auditLog.action, 'admin.line_redacted')));
    expect(row).toMatchObject({ actorId: admin.user.id, subjectType: 'team' });
    expect(row!.after).toEqual({ line: line.id, reason: 'A client is named' });
  });

  it('sees and redacts nothing of a practice that is open, nor lines of another one', async () => {
    const [open, closed, other] = [await practice(), await practice(), await practice()];
    for (const { team } of [closed, other]) await close(team.id);
    const redacts = (record: string, id: string) =>
      admin.post(`${record}/lines/${id}/redaction`, { reason: 'A client is named' });
    const codes = [];
    for (const call of [
      admin.agent.get(open.record).query({ search: open.session.id }),
      redacts(open.record, open.line.id),
      redacts(closed.record, other.line.id),
      redacts(closed.record, open.line.id),
      admin.agent.get(`/api/admin/teams/${open.line.id}/record`).query({ search: 'F-77' }),
    ]) {
      const { status, body } = await call;
      codes.push([status, (body as { code: string }).code]);
    }
    expect(codes).toEqual([
      [409, 'practice_open'],
      [409, 'practice_open'],
      [404, 'statement_not_found'],
      [404, 'statement_not_found'],
      [404, 'team_not_found'],
    ]);
    for (const search of [other.session.id, open.session.id])
      expect((await admin.agent.get(closed.record).query({ search }).expect(200)).body).toEqual([]);
    await admin.agent.get(closed.record).query({ search: '' }).expect(400);
  });
});

it('a withdrawn pack no longer says for which client reference it was, however it was written', async () => {
  const { owner, member, team, line } = await practice();
  await worked(member.user.id, { teamId: team.id, clientReference: 'F-78', referenceFrom: 'tool' });
  for (const clientReference of ['f 77', 'F-78', 'F-77'])
    await packOf(owner.agent, { teamId: team.id, clientReference });
  const at = `/api/teams/${team.id}/record/lines/${line.id}/redaction`;
  await owner.agent.post(at).send({ reason: 'A client is named' }).expect(200);
  const covered = (await listed(owner.agent, { teamId: team.id })).map(({ clientReference }) => clientReference);
  expect(covered).toEqual(['', 'F-78', '']);
  const [row] = await app.context.db
    .select()
    .from(evidencePacks)
    .where(and(eq(evidencePacks.teamId, team.id), eq(evidencePacks.clientReference, 'f 77')));
  expect(row).toBeUndefined();
});

it('a pack that is being made when a line is redacted has to be asked for again', async () => {
  const { owner, team, line } = await practice();
  await owner.agent.post('/api/record/packs').send({ teamId: team.id }).expect(201);
  const at = `/api/teams/${team.id}/record/lines/${line.id}/redaction`;
  await owner.agent.post(at).send({ reason: 'A client is named' }).expect(200);
  await app.context.queue.drain();
  expect(await listed(owner.agent, { teamId: team.id })).toMatchObject([{ state: 'withdrawn', made: null }]);
  for (const text of await textsOf(owner.agent, { teamId: team.id })) expect(text).not.toMatch(/Aurelia|F-77/);
});

it('a pack that was asked for before a line, and read after it, is withdrawn with it', async () => {
  const { owner, member, team, session } = await practice();
  const { body } = await owner.agent.post('/api/record/packs').send({ teamId: team.id }).expect(201);
  const said = { checked: true, remark: 'Ring Beatrix' };
  await member.agent.post(`/api/record/sessions/${session.id}/statements`).send(said).expect(200);
  await app.context.queue.drain();
  const csv = `/api/record/packs/${(body as { id: string }).id}/csv`;
  expect((await bytesOf(owner.agent, (body as { id: string }).id, 'csv')).toString()).toContain('Beatrix');
  const read = (await owner.agent.get(`/api/record/sessions/${session.id}`).expect(200)).body as { statements: Line[] };
  const line = read.statements.find(({ remark }) => remark === 'Ring Beatrix')!;
  const at = `/api/teams/${team.id}/record/lines/${line.id}/redaction`;
  await owner.agent.post(at).send({ reason: 'A client is named' }).expect(200);
  expect((await owner.agent.get(csv).expect(409)).body).toMatchObject({ code: 'pack_withdrawn' });
});

it('the notice of a pack does not keep the client reference that is redacted', async () => {
  const { owner, team, line } = await practice();
  await packOf(owner.agent, { teamId: team.id, clientReference: 'F-77' });
  const at = `/api/teams/${team.id}/record/lines/${line.id}/redaction`;
  await owner.agent.post(at).send({ reason: 'A client is named' }).expect(200);
  const notices = (await owner.agent.get('/api/notifications').expect(200)).body as { message: string }[];
  const texts = notices.map(({ message }) => message).join();
  expect(texts).toContain('It holds one session of Harbour for one client reference.');
  expect(texts).not.toContain('F-77');
});

it('nothing of a client reference under a legal hold is redacted before it is released', async () => {
  const { owner, member, team, line } = await practice();
  const { id } = await worked(member.user.id, { teamId: team.id, clientReference: 'f 77', referenceFrom: 'tool' });
  const record = `/api/teams/${team.id}/record`;
  const held = { clientReference: 'F-77', reason: 'A complaint at AFCA' };
  const [hold] = (await owner.agent.post(`${record}/holds`).send(held).expect(200)).body as { id: string }[];
  const redact = (of: string) =>
    owner.agent.post(`${record}/lines/${of}/redaction`).send({ reason: 'A client is named' });
  for (const of of [line.id, id]) expect((await redact(of).expect(409)).body).toMatchObject({ code: 'reference_held' });
  await owner.agent.delete(`${record}/holds/${hold!.id}`).expect(200);
  for (const of of [line.id, id]) await redact(of).expect(200);
});
