import { describe, expect, it } from 'vitest';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, DAY, pass, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();

/** A practice of nine; answers its owner and what its eight others were mailed since, one list for each. */
async function practiceOfNine() {
  const owner = await app.signedIn({ firstName: 'Grace' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour Advice', members: 8 });
  const mailed = async () => {
    const rows = await rowsOf(
      app,
      `select u.email, coalesce(json_agg(json_build_object('subject', m.subject, 'text', m.text_body)) filter (where m.id is not null), '[]') mails
       from team_members t join users u on u.id = t.user_id left join mails m on m.to_address = u.email and m.kind like 'team-%'
       where t.team_id = $1 and t.role <> 'owner' group by u.email`,
      [team.id],
    );
    await app.context.db.$client.query(`delete from mails where kind like 'team-%'`);
    return rows.map(({ mails }) => mails as { subject: string; text: string }[]);
  };
  return { owner, team, mailed };
}
const subjects = (boxes: { subject: string }[][]) => boxes.map((box) => box.map(({ subject }) => subject));
const eight = (subject: string) => Array.from({ length: 8 }, () => [subject]);
const decide = (agent: Agent, teamId: string, body: object) =>
  agent.put(`/api/teams/${teamId}/record/tools/file-note-ai`).send(body).expect(200);

describe('a tool that the practice stops', () => {
  it('reaches eight mailboxes with the reason, and their bells, once', async () => {
    const { owner, team, mailed } = await practiceOfNine();
    for (const _again of [1, 2])
      await decide(owner.agent, team.id, { allowed: false, reason: 'Wrong dates in two notes' });
    const boxes = await mailed();
    expect(subjects(boxes)).toEqual(eight('Harbour Advice has stopped File Note AI'));
    expect(boxes[0]![0]!.text).toContain(
      'You can’t open or buy File Note AI until Harbour Advice allows it again.\n\nGrace Nguyen’s reason: “Wrong dates in two notes”',
    );
    const [bell] = await rowsOf(app, `select count(*)::int count from notifications where dedupe_key like $1`, [
      `team-tool-stopped:${team.id}:%`,
    ]);
    expect(bell).toEqual({ count: 8 });
    await decide(owner.agent, team.id, { allowed: true });
    expect(subjects(await mailed())).toEqual(eight('Harbour Advice allows File Note AI'));
  });

  it('is no news where only a review is due, or an allowed tool is allowed', async () => {
    const { owner, team, mailed } = await practiceOfNine();
    await decide(owner.agent, team.id, { reviewDue: '2027-01-31' });
    await decide(owner.agent, team.id, { allowed: true });
    expect((await mailed()).flat()).toEqual([]);
  });

  it('is told also where tools are allowed one by one from now on', async () => {
    const { owner, team, mailed } = await practiceOfNine();
    for (const _again of [1, 2])
      await owner.agent.put(`/api/teams/${team.id}/record/new-tools`).send({ allowed: false }).expect(200);
    expect(subjects(await mailed())).toEqual(eight('Harbour Advice allows tools one by one'));
    await decide(owner.agent, team.id, { allowed: true });
    expect(subjects(await mailed())).toEqual(eight('Harbour Advice allows File Note AI'));
  });
});

describe('a tool of the practice', () => {
  it('is told when it begins, ends, and goes on after all', async () => {
    const { owner, team, mailed } = await practiceOfNine();
    const teamId = team.id;
    await buy(app, owner.agent, 'file-note-ai', 'pm_card_visa', { teamId });
    expect(subjects(await mailed())).toEqual(eight('You can now use File Note AI'));
    const cancel = (more: object = {}) =>
      owner.agent.post('/api/cancel-subscription').send({ toolId: 'file-note-ai', teamId, ...more });
    const { body } = await cancel().expect(200);
    const until = formatSydneyDate(new Date((body as { endDate: string }).endDate));
    const ending = await mailed();
    expect(subjects(ending)).toEqual(eight('File Note AI ends at Harbour Advice'));
    expect(ending[0]![0]!.text).toContain(until);
    await owner.agent.post('/api/reactivate-subscription').send({ toolId: 'file-note-ai', teamId }).expect(200);
    expect(subjects(await mailed())).toEqual(eight('File Note AI continues at Harbour Advice'));
    await cancel({ cancelImmediately: true }).expect(200);
    expect(subjects(await mailed())).toEqual(eight('File Note AI has ended at Harbour Advice'));
    await pass(app, 40 * DAY);
    expect((await mailed()).flat()).toEqual([]);
  });

  it('is told when its trial begins, and when it ends by itself', async () => {
    const { owner, team, mailed } = await practiceOfNine();
    const trial = { toolId: 'fact-find-ai', teamId: team.id, trial: true };
    await owner.agent.post('/api/create-subscription').send(trial).expect(200);
    const boxes = await mailed();
    expect(subjects(boxes)).toEqual(eight('You can now use Fact Find AI'));
    expect(boxes[0]![0]!.text).toContain('Harbour Advice tries Fact Find AI until');
    await pass(app, 46 * DAY);
    expect(subjects(await mailed())).toEqual(eight('Fact Find AI has ended at Harbour Advice'));
  });
});
