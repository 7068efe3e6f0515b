import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { day, plus } from '#shared/rules/dates.ts';
import { teamTools, toolAnnouncements } from '#shared/schema/record.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { stepsOf, tool } from '#server/testing/evidence-steps.ts';
import { createTeam } from '#server/testing/factories.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();
const { worked, stated, packOf, bytesOf } = stepsOf(app);

/** A practice in Sydney, with an adviser and an admin in Perth. */
async function practice() {
  const owner = await app.signedIn({ firstName: 'Grace', lastName: 'Taylor' });
  const admin = await app.signedIn({ firstName: 'Karen', lastName: 'Lee', businessState: 'WA' });
  const member = await app.signedIn({ firstName: 'Mia', lastName: 'Wong', businessState: 'WA' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  for (const [{ user }, role] of [
    [admin, 'admin'],
    [member, 'member'],
  ] as const)
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role });
  const record = `/api/teams/${team.id}/record`;
  const decide = (body: object, toolId = tool) => owner.agent.put(`${record}/tools/${toolId}`).send(body).expect(200);
  const read = async () => {
    const id = await packOf(owner.agent, { teamId: team.id });
    const csv = (await bytesOf(owner.agent, id, 'csv')).toString().split('\r\n');
    return {
      linesOf: (kind: string) => csv.filter((line) => line.split(',')[1] === kind),
      pdf: textOfPdf(await bytesOf(owner.agent, id, 'pdf')).replaceAll(/\s+/g, ' '),
    };
  };
  return { owner, admin, member, team, record, decide, read };
}

it('who allowed a tool stays who decided after a review and an edit by others', async () => {
  const { owner, admin, member, team, record, decide, read } = await practice();
  await decide({ allowed: true });
  await worked(member.user.id, { teamId: team.id });
  await admin.agent.post(`${record}/tools/${tool}/reviews`).send({ remark: 'Ten read', nextDue: null }).expect(200);
  const row = await app.context.db.select().from(teamTools).where(eq(teamTools.teamId, team.id));
  expect(row).toMatchObject([{ allowed: true, decidedById: owner.user.id }]);
  await decide({ usedFor: 'Risk profiles' });
  const { linesOf, pdf } = await read();
  expect(linesOf('Decision')).toHaveLength(1);
  expect(linesOf('Decision')[0]).toContain(`,${owner.user.id},${tool},`);
  expect(pdf).toMatch(/Risk Profile AI by Grace Taylor \([\da-f]{8}\) Allowed\. Reason: not given\./);
  expect(pdf).not.toMatch(/Risk Profile AI by Karen Lee \([\da-f]{8}\) Allowed/);
  expect(pdf).toContain('Used for: Risk profiles.');
});

it('a row that an older review overwrote still names who decided, or nobody', async () => {
  const { owner, admin, team, decide, read, member } = await practice();
  await worked(member.user.id, { teamId: team.id });
  await decide({ allowed: false, reason: 'It keeps recordings' });
  const overwrite = { decidedById: admin.user.id, decidedAt: plus(app.context.now(), day) };
  const ofTeam = eq(teamTools.teamId, team.id);
  await app.context.db.update(teamTools).set(overwrite).where(ofTeam);
  const older = { teamId: team.id, toolId: 'file-note-ai', allowed: true, allowedAt: plus(app.context.now(), -day) };
  await app.context.db.insert(teamTools).values({ ...older, ...overwrite });
  const decisions = (await read()).linesOf('Decision');
  expect(decisions).toHaveLength(2);
  expect(decisions[0]).toContain(',,,file-note-ai,');
  expect(decisions[0]).toContain('Allowed. Reason: not given. Who decided is not on file.');
  expect(decisions[1]).toContain(`,${owner.user.id},${tool},`);
  expect(decisions[1]).toContain('Not allowed. Reason: It keeps recordings.');
});

it('the pack tells every decision in order, and whether a session’s tool was allowed then', async () => {
  const { owner, member, team, record, decide, read } = await practice();
  const begins = () => worked(member.user.id, { teamId: team.id, createdAt: app.context.now() });
  await begins();
  await owner.agent.put(`${record}/new-tools`).send({ allowed: false }).expect(200);
  await begins();
  await decide({ allowed: true });
  await decide({ allowed: false, reason: 'It keeps recordings' });
  await begins();
  await decide({ allowed: true });
  await begins();
  const { linesOf, pdf } = await read();
  const [allowed, not] = ['Allowed. Reason: not given.', 'Not allowed. Reason: not given.'];
  const said = [not, allowed, 'Not allowed. Reason: It keeps recordings.', allowed];
  expect(linesOf('Decision').map((line) => said.find((one) => line.includes(`,${one},`)))).toEqual(said);
  expect(linesOf('Decision')[0]).toContain(',Tools not assessed,');
  for (const words of [
    /Sessions whose tool was not allowed when they began: 2, in lines \d+ and \d+/,
    /first decision about their tool, while its rule “Tools not assessed” let members use it: 1, in line \d+/,
    /first decision about their tool, while that rule did not let members use it: 1, in line \d+/,
    /between the first and the last decision about their tool, while it was allowed: none/,
    /between the first and the last decision about their tool, while it was not allowed: 1, in line \d+/,
    /Tools not assessed Members may not use them\. The rule holds since .{10,40}, set by Grace Taylor \([\da-f]{8}\)\. Before the first of these, members might use them\./,
    'The practice’s tools open without a client reference, too.',
    'Late ones are taken, and marked as late.',
    'The record is kept for 7 years.',
  ])
    expect(pdf).toMatch(words);
  expect(linesOf('Practice').join('\n')).toContain('The record is kept for 7 years.');
});

it('what an adviser did has their time, and everything else Sydney’s, in both files', async () => {
  const { admin, member, team, record, read } = await practice();
  const session = await worked(member.user.id, { teamId: team.id });
  await stated(session.id, member.user.id, { checked: true, remark: '[late]' });
  await admin.agent
    .post(`${record}/sign-offs`)
    .send({ ids: [session.id], remark: '', sampleId: null })
    .expect(200);
  await admin.agent.post(`${record}/tools/${tool}/reviews`).send({ remark: 'Ten read', nextDue: null }).expect(200);
  const { linesOf, pdf } = await read();
  for (const kind of ['Session', 'Statement']) expect(linesOf(kind)[0]).toContain(' AWST,');
  for (const kind of ['Pack', 'Sign-off', 'Review']) expect(linesOf(kind)[0]).toMatch(/ AE[DS]T,/);
  expect(pdf).toMatch(/AWST: Output checked\. “\[late\]”/);
  expect(linesOf('Statement')[0]).toContain(',“[late]”,');
  expect(pdf).toMatch(/AE[DS]T: Signed off by Karen Lee/);
});

it('what the makers of the tools announced stands in both files', async () => {
  const { owner, member, team, read } = await practice();
  await worked(member.user.id, { teamId: team.id });
  const announced = { announcedById: owner.user.id, announcedAt: app.context.now(), onDay: '2027-01-15', mends: false };
  const change = { version: '2027.01', note: 'Clearer reasons' };
  for (const toolId of [tool, 'pre-fill-ai'])
    await app.context.db.insert(toolAnnouncements).values({ ...announced, ...change, toolId });
  const { linesOf, pdf } = await read();
  expect(linesOf('Announced change')).toHaveLength(1);
  for (const text of [linesOf('Announced change')[0], pdf])
    expect(text).toContain('On 15 Jan 2027. Version: 2027.01. “Clearer reasons”.');
});

it('the rule about tools not assessed tells each change of it, and a tool never reviewed is due its first review', async () => {
  const { owner, admin, member, team, record, decide, read } = await practice();
  await worked(member.user.id, { teamId: team.id });
  await app.context.db.update(teamMembers).set({ role: 'reviewer' }).where(eq(teamMembers.userId, admin.user.id));
  for (const [agent, allowed] of [
    [owner.agent, false],
    [owner.agent, false],
    [admin.agent, true],
  ] as const)
    await agent.put(`${record}/new-tools`).send({ allowed }).expect(200);
  await decide({ allowed: true, reviewDue: '2030-01-15' });
  const { linesOf, pdf } = await read();
  const rule =
    /Members may use them, unless the practice stops one\. The rule holds since .{10,40}, set by Karen Lee \([\da-f]{8}\)\. Before that: Members may not use them, since .{10,40}, set by Grace Taylor \([\da-f]{8}\)\. Before the first of these, members might use them\./;
  for (const text of [linesOf('Practice').join('\n'), pdf]) expect(text).toMatch(rule);
  for (const text of [linesOf('Tool').join('\n'), pdf])
    expect(text).toContain('First review of the tool due 15 Jan 2030.');
  await admin.agent.post(`${record}/tools/${tool}/reviews`).send({ remark: 'Read', nextDue: '2030-02-15' }).expect(200);
  expect((await read()).pdf).toContain('Next review of the tool due 15 Feb 2030.');
});
