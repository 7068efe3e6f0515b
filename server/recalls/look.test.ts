import { beforeAll, expect, it } from 'vitest';
import type { RecordSession } from '#shared/api/recorded.ts';
import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { administrator } from '#server/testing/administrator.ts';
import { stepsOf } from '#server/testing/evidence-steps.ts';
import { createTeam } from '#server/testing/factories.ts';
import { textOfPdf } from '#server/testing/pdf-text.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();
const { worked, packOf, bytesOf } = stepsOf(app);
const toolId = 'file-note-ai';
const ago = (days: number) => plus(app.context.now(), -days * day);
let admin: Awaited<ReturnType<typeof administrator>>;
beforeAll(async () => {
  admin = await administrator(app);
});

/** A practice whose member reviewed one session late and another never; a recall touches both. */
async function recalled() {
  const owner = await app.signedIn({ firstName: 'Grace', lastName: 'Taylor' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour' });
  const member = await app.signedIn({ firstName: 'Mia', lastName: 'Wong', businessState: 'WA' });
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.user.id, role: 'member' });
  const of = { toolId, teamId: team.id, toolVersion: '1.0' };
  const reviewed = await worked(member.user.id, { ...of, createdAt: ago(9) });
  const open = await worked(member.user.id, { ...of, createdAt: ago(8) });
  const review = { checked: true, checks: ['Figures'], remark: 'Compared with the file' };
  await member.agent.post(`/api/record/sessions/${reviewed.id}/statements`).send(review).expect(200);
  const terms = { versions: ['1.0'], fromDay: sydneyDate(ago(20)), untilDay: null, severity: 'low', stops: false };
  const said = { ...terms, wrong: 'It left out a page.', lookFor: 'Missing pages.' };
  const { body } = await admin.post(`/api/admin/tools/${toolId}/recalls`, said).expect(201);
  await app.context.queue.drain();
  const { id: recallId } = body as { id: string };
  return { owner, member, team, reviewed, open, recallId };
}

it('what somebody else finds on looking again is no review by the adviser, in the register, a pack or at closing', async () => {
  const { owner, member, team, reviewed, open, recallId } = await recalled();
  const teamId = team.id;
  const found = { teamId, sessionIds: [reviewed.id, open.id], found: 'nothing', remark: 'Read again' };
  await owner.agent.post(`/api/record/recalls/${recallId}/looks`).send(found).expect(200);
  const off = { ids: [open.id], remark: '', sampleId: null };
  await owner.agent.post(`/api/teams/${teamId}/record/sign-offs`).send(off).expect(200);

  for (const [agent, path] of [
    [owner.agent, `/api/teams/${teamId}/record/sessions`],
    [member.agent, '/api/record/sessions'],
  ] as const) {
    const { sessions } = (await agent.get(path).expect(200)).body as { sessions: RecordSession[] };
    expect(sessions).toMatchObject([
      { id: open.id, checked: null, remark: null, checks: [], late: false, lines: 1 },
      { id: reviewed.id, checked: true, remark: 'Compared with the file', checks: ['Figures'], late: true, lines: 2 },
    ]);
  }
  expect((await member.agent.get('/api/record/staying').expect(200)).body).toMatchObject({
    practices: [{ teamId, sessions: 2, reviews: 1 }],
  });

  const pack = await packOf(owner.agent, { teamId });
  const pdf = textOfPdf(await bytesOf(owner.agent, pack, 'pdf')).replaceAll(/\s+/g, ' ');
  for (const words of [
    'Statements that an adviser made on the output of several sessions at once: none',
    'Sessions signed off before the adviser reviewed them: 1',
    /AWST: Grace Taylor \([\da-f]{8}\) looked at it\. \[looked at again for recall [\da-f]{8}: nothing wrong\] “Read again”/,
    'The adviser had not reviewed it by then.',
  ])
    expect(pdf).toMatch(words);
  expect(pdf.match(/: Output checked\./g)).toHaveLength(1);
  expect(pdf.match(/Not reviewed\./g)).toHaveLength(1);
  const csv = (await bytesOf(owner.agent, pack, 'csv')).toString().split('\r\n');
  const looks = csv.filter((line) => line.includes('Read again'));
  expect(looks).toHaveLength(2);
  for (const line of looks) {
    expect(line).toMatch(new RegExp(`,Statement,.*,${owner.user.id},.* AWST,`));
    expect(line).not.toMatch(/,yes,/);
  }
});

it('whom a recall no longer touches is still named in the pack for having looked again', async () => {
  const { owner, member, team, open, recallId } = await recalled();
  const deputy = await app.signedIn({ firstName: 'Karen', lastName: 'Lee' });
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: deputy.user.id, role: 'admin' });
  const found = { teamId: team.id, sessionIds: [open.id], found: 'fault' };
  await deputy.agent.post(`/api/record/recalls/${recallId}/looks`).send(found).expect(200);
  const terms = { versions: ['2.0'], fromDay: sydneyDate(ago(20)), untilDay: null, severity: 'low', stops: false };
  const said = { ...terms, wrong: 'It left out a page.', lookFor: 'Missing pages.', reason: 'Another version' };
  await admin.agent
    .put(`/api/admin/tools/${toolId}/recalls/${recallId}`)
    .send({ ...said, _csrf: admin.csrfToken })
    .expect(200);
  await app.context.queue.drain();
  const id = await packOf(owner.agent, { teamId: team.id, adviserId: member.user.id });
  const csv = (await bytesOf(owner.agent, id, 'csv')).toString().split('\r\n');
  const people = csv.filter((line) => line.split(',')[1] === 'Person');
  expect(people.filter((line) => line.includes(deputy.user.id))).toHaveLength(1);
});
