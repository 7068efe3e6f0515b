import { expect, it } from 'vitest';
import { createTeam } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { testApp } from '#server/testing/test-app.ts';

const app = testApp();

it('the owner reads who did what in the team, also by who has left, without addresses or devices; as a list and CSV', async () => {
  const { agent, user } = await app.signedIn({ firstName: 'Grace', lastName: 'Taylor' });
  const { team } = await createTeam(app.context, { ownerId: user.id, name: 'Harbour Advice' });
  const member = await app.signedIn({ firstName: 'Ravi', lastName: 'Rao' });
  await rowsOf(app, `insert into team_members (team_id, user_id, role) values ($1, $2, 'member')`, [
    team.id,
    member.user.id,
  ]);
  await buy(app, agent, 'file-note-ai', 'pm_card_visa', { teamId: team.id });
  await agent.patch(`/api/teams/${team.id}/members/${member.user.id}`).send({ role: 'reviewer' }).expect(200);
  await member.agent.put(`/api/teams/${team.id}/record/tools/file-note-ai`).send({ allowed: false }).expect(200);
  await member.agent.post(`/api/teams/${team.id}/leave`).expect(200);
  // Another team's, and an administrator's act with its reason, are not among them.
  await createTeam(app.context, { name: 'Other' });
  await rowsOf(
    app,
    `insert into audit_log (action, subject_type, subject_id, after) values ('admin.charge_retried', 'team', $1, '{"reason":"Secret"}')`,
    [team.id],
  );
  const { body } = await agent.get(`/api/teams/${team.id}/activity?page=1`).expect(200);
  const { rows } = body as { rows: { sentence: string; actor: string | null }[] };
  expect(rows.map(({ sentence }) => sentence)).toEqual([
    'Ravi Rao left the team.',
    'Ravi Rao stopped allowing File Note AI.',
    'Grace Taylor changed the role of Ravi Rao from member to reviewer.',
    'The subscription to File Note AI began.',
  ]);
  const csv = (await agent.get(`/api/teams/${team.id}/activity.csv`).expect(200)).text;
  expect(csv).toContain('Ravi Rao,Team: left,Ravi Rao left the team.');
  expect(csv.trim().split('\r\n')).toHaveLength(rows.length + 1);
  expect(csv).not.toMatch(/Secret|127\.0\.0\.1/);
});
