import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { nothingStated } from '#shared/rules/record/disclosure.ts';
import type { PackManifest } from '#shared/rules/record/evidence.ts';
import { teamTools, toolDisclosures } from '#shared/schema/record.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { stepsOf, tool } from '#server/testing/evidence-steps.ts';
import { createTeam } from '#server/testing/factories.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();
const { worked, stated, packOf, bytesOf, check } = stepsOf(app);
const ago = (days: number) => plus(app.context.now(), -days * day);

async function practice() {
  const owner = await app.signedIn({ firstName: 'Grace', lastName: 'Taylor' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  const member = await app.signedIn({ firstName: 'Mia', lastName: 'Wong' });
  await app.context.db
    .insert(teamMembers)
    .values({ teamId: team.id, userId: member.user.id, role: 'member', joinedAt: ago(90) });
  const teamId = team.id;
  const record = `/api/teams/${teamId}/record`;
  const read = async () => {
    const id = await packOf(owner.agent, { teamId });
    const csv = await bytesOf(owner.agent, id, 'csv');
    expect((await check({ 'a.csv': csv }))[0]!.faults).toEqual([]);
    return {
      csv: csv.toString(),
      pdf: textOfPdf(await bytesOf(owner.agent, id, 'pdf')).replaceAll(/\s+/g, ' '),
      people: await bytesOf(owner.agent, id, 'people'),
      manifest: await bytesOf(owner.agent, id, 'manifest'),
    };
  };
  return { owner, member, teamId, record, read };
}

const nothingToLookAt = [
  'Sessions outside Adviserly, recorded by hand',
  'Sessions whose version differs from the supplier due diligence',
  'Sessions whose version differs from the practice’s review of the tool',
  'Sessions whose supplier due diligence names no version',
  'Sessions not reviewed, more than 7 days old',
  'Tools that the practice should have reviewed by now',
  'Sessions whose tool was not allowed when they began',
  'Sessions before the practice’s first decision about their tool, while its rule “Tools not assessed” let members use it',
  'Sessions before the practice’s first decision about their tool, while that rule did not let members use it',
  'Sessions with a tool that the practice has never decided about, while that rule did not let members use it',
  'Sessions of a sample that are not signed off',
  'Sessions under a legal hold',
  'Sessions signed off before the adviser reviewed them',
  'Late statements',
  'Statements made after leaving the practice',
  'Former members in “Who is who”',
  'Legal holds on client references of this pack',
  'Lines whose words were taken out (redacted)',
];

it('a pack without exceptions says so of each', async () => {
  const { member, teamId, read } = await practice();
  await worked(member.user.id, { teamId });
  const { pdf } = await read();
  for (const words of [
    ...nothingToLookAt.map((label) => `${label}: none`),
    'Sessions on Adviserly whose tool did not report its version: 1',
    'Sessions on Adviserly without supplier due diligence: 1',
    'Sessions with a tool that the practice has never decided about, while its rule “Tools not assessed” let members use it: 1',
    /Sessions without a client reference: 1, in line \d+/,
    'No change of this rule is on file. Every practice on Adviserly begins with it.',
    'No sample was drawn that has a session of this pack.',
    'How to verify it stands at the end.',
    'If Adviserly no longer exists, you can still check that the CSV agrees with itself.',
    'They do not show that the record was unchanged before.',
    'shasum -a 256',
    'certutil -hashfile',
    'A column of the CSV: how many actions',
    'The hold does not reach what the tools’ makers keep.',
    'Sessions with a tool that the practice has never reviewed: 1',
    'Sessions before the practice’s first review of the tool: none',
    'Now it offers: Figures; Recommendations; The client’s circumstances.',
    'its owner now',
    'It has decided nothing about these tools of this pack: Risk Profile AI.',
    'It has not reviewed these tools of this pack: Risk Profile AI.',
    'The practice has held none of the client references in this pack.',
    'No time-stamping authority vouches for this pack.',
    /version not reported (· )?length not reported/,
  ])
    expect(pdf).toMatch(words);
  expect(pdf).not.toMatch(/between the first and the last decision/);
});

it('a pack counts and names what a reader has to look at', async () => {
  const { owner, member, teamId, record, read } = await practice();
  const { db } = app.context;
  await db.update(teams).set({ lateAfterDays: 1 }).where(eq(teams.id, teamId));
  const answers = { ...nothingStated, version: '2026.10' };
  await db
    .insert(toolDisclosures)
    .values({ toolId: tool, version: 3, answers, madeById: owner.user.id, madeAt: ago(60) });
  const of = (days: number, more = {}) =>
    worked(member.user.id, { teamId, createdAt: ago(days), toolVersion: '2026.10', ...more });
  const [first, second] = [await of(40, { clientReference: 'F-10 1' }), await of(39, { clientReference: 'f101' })];
  await of(38, { toolVersion: '2026.11' });
  const lines = [
    { id: first.id, checked: true, late: true, madeAt: ago(30), remark: 'Ring Aurelia' },
    { id: second.id, checked: false, byFormer: true, madeAt: ago(20) },
  ];
  for (const { id, ...line } of lines) await stated(id, member.user.id, line);
  await db.insert(teamTools).values({
    teamId,
    toolId: tool,
    allowed: false,
    allowedAt: ago(39.5),
    decidedById: owner.user.id,
    decidedAt: ago(1),
  });
  await owner.agent.post(`${record}/tools/${tool}/reviews`).send({ remark: 'Ten read', nextDue: null }).expect(200);
  await worked(member.user.id, { teamId, toolVersion: '2026.12' });
  // A review without a next one takes the day away.
  await db
    .update(teamTools)
    .set({ reviewDue: sydneyDate(ago(2)) })
    .where(eq(teamTools.teamId, teamId));
  await owner.agent
    .post(`${record}/sign-offs`)
    .send({ ids: [first.id, second.id], remark: '', sampleId: null })
    .expect(200);
  const unreviewed = await of(3);
  await owner.agent
    .post(`${record}/sign-offs`)
    .send({ ids: [unreviewed.id], remark: 'Seen', sampleId: null })
    .expect(200);
  const { sessions } = (await owner.agent.get(`${record}/sessions`).expect(200)).body as {
    sessions: { id: string }[];
  };
  expect(sessions).toHaveLength(5);
  const { statements } = (await owner.agent.get(`/api/record/sessions/${first.id}`).expect(200)).body as {
    statements: { id: string }[];
  };
  await owner.agent
    .post(`${record}/lines/${statements[0]!.id}/redaction`)
    .send({ reason: 'A client is named' })
    .expect(200);
  for (const clientReference of ['F 101', 'F-202'])
    await owner.agent.post(`${record}/holds`).send({ clientReference, reason: 'A complaint is open' }).expect(200);
  await owner.agent.delete(`/api/teams/${teamId}/members/${member.user.id}`).send({}).expect(200);

  const { csv, pdf, people, manifest } = await read();
  for (const words of [
    'Sessions whose version differs from the supplier due diligence: 2',
    'Sessions whose version differs from the practice’s review of the tool: 1',
    'Sessions not reviewed, more than 1 day old: 4',
    /first decision about their tool, while its rule “Tools not assessed” let members use it: 1, in line \d+/,
    /never decided about, while its rule “Tools not assessed” let members use it: none/,
    'Sessions before the practice’s first review of the tool: 4',
    'Sessions with a tool that the practice has never reviewed: none',
    'Sessions after the practice’s review of the tool, where the version used or the version reviewed is not known: none',
    'Statements that an adviser made on the output of several sessions at once: none',
    /Sign-offs that a supervisor made for several sessions at once: 2, in 1 go, in lines \d+ and \d+/,
    'Tools that the practice should have reviewed by now: 1, Risk Profile AI',
    /Sessions under a legal hold: 2, in lines \d+ and \d+/,
    'supplier due diligence 3, version 2026.10',
    /supplier due diligence 3, given on \d+ \w+ \d{4}/,
    /client reference f101 (· )?version 2026\.10 (· )?length not reported (· )?supplier due diligence 3 (· )?legal hold/,
    'Sessions signed off before the adviser reviewed them: 1',
    /Late statements: 1, in line \d+/,
    'Statements made after leaving the practice: 1',
    'Former members in “Who is who”: 1',
    'Legal holds on client references of this pack: 1',
    'Lines whose words were taken out (redacted): 1',
    'Now it allows 1 day.',
    'Signed off by Grace Taylor',
  ])
    expect(pdf).toMatch(words);
  for (const words of [
    'Not allowed. Reason: not given.',
    '[late: made 10 days after the session began]',
    /Next review of the tool due \d+ \w+ \d{4}, overdue when this pack was made\./,
    '“Ten read”. Sessions after this review ran in version 2026.12, which it is not about.',
    'The adviser had not reviewed it by then. Chosen by the supervisor. “Seen”',
    /F 101,? .*by Grace Taylor \([\da-f]{8}\).*still held.* A complaint is open/,
    'Nobody is named as accountable.',
  ])
    for (const text of [csv, pdf]) expect(text).toMatch(words);
  for (const text of [csv, pdf]) expect(text).not.toMatch(/F-202|Aurelia/);
  expect(people.toString().split('\r\n')[0]).toMatch(/ABN,Role$/);
  const said = JSON.parse(manifest.toString()) as PackManifest;
  expect(said.files.people).toMatchObject({
    bytes: people.length,
    sha256: createHash('sha256').update(people).digest('hex'),
  });
  const { people: _older, ...files } = said.files;
  for (const one of [manifest, Buffer.from(JSON.stringify({ ...said, files }))])
    expect((await check({ 'a.json': one, 'p.csv': people })).map(({ kind, faults }) => [kind, faults])).toEqual([
      ['manifest', []],
      ['people', []],
    ]);
});
