import { describe, expect, it } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();

/** A practice of five with two tools, and a person to whom the roles are given. */
async function practice() {
  const owner = await app.signedIn({ firstName: 'Grace' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour Advice', members: 3 });
  const person = await app.signedIn({ firstName: 'Ravi' });
  await joinAs(owner.agent, team.id, person, 'member');
  for (const toolId of ['risk-profile-ai', 'file-note-ai'])
    await buy(app, owner.agent, toolId, 'pm_card_visa', { teamId: team.id });
  return { owner: owner.agent, team, person };
}
async function joinAs(
  owner: Agent,
  teamId: string,
  { agent, user }: { agent: Agent; user: { email: string } },
  role: string,
) {
  const { body } = await owner.post(`/api/teams/${teamId}/invite`).send({ email: user.email, role }).expect(200);
  const token = new URL((body as { inviteUrl: string }).inviteUrl).searchParams.get('token')!;
  await agent.post(`/api/invitations/${token}/accept`).send({}).expect(200);
}
const give = (owner: Agent, teamId: string, userId: string, role: string) =>
  owner.patch(`/api/teams/${teamId}/members/${userId}`).send({ role });
const linesOf = async (owner: Agent, teamId: string) => {
  const { body } = await owner.get(`/api/billing/forecast?teamId=${teamId}`).expect(200);
  return (body as Forecast).bill!.lines.map(({ toolId, quantity, cents }) => [toolId, quantity, cents]).toSorted();
};
const launch = (agent: Agent) => agent.post('/api/auth/token').send({ toolId: 'file-note-ai' });

describe('a reviewer', () => {
  it('takes no seat: the bill, the team discount and the tools are without them, and are back with them', async () => {
    const { owner, team, person } = await practice();
    const five = [
      ['file-note-ai', 5, 10_625],
      ['risk-profile-ai', 5, 12_750],
    ];
    expect(await linesOf(owner, team.id)).toEqual(five);
    await launch(person.agent).expect(200);
    await give(owner, team.id, person.user.id, 'reviewer').expect(200);
    expect(await linesOf(owner, team.id)).toEqual([
      ['file-note-ai', 4, 9500],
      ['risk-profile-ai', 4, 11_400],
    ]);
    await launch(person.agent).expect(403);
    expect((await person.agent.get('/api/user/subscriptions').expect(200)).body).toEqual([]);
    const tokens = await rowsOf(app, `select is_revoked from auth_tokens where user_id = $1`, [person.user.id]);
    expect(tokens).toEqual([{ is_revoked: true }]);
    await give(owner, team.id, person.user.id, 'admin').expect(200);
    expect(await linesOf(owner, team.id)).toEqual(five);
    await launch(person.agent).expect(200);
    const parts = await rowsOf(app, `select sum(cents)::int cents from adjustments where team_id = $1`, [team.id]);
    expect(parts).toEqual([{ cents: 0 }]);
  });

  it('joins a full team, counts for none of its places, and takes one only where one is free', async () => {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id, maxMembers: 3, members: 2 });
    const reviewer = await app.signedIn();
    await joinAs(owner.agent, team.id, reviewer, 'reviewer');
    expect((await give(owner.agent, team.id, reviewer.user.id, 'member').expect(409)).body).toMatchObject({
      code: 'team_full',
    });
    await owner.agent.post(`/api/teams/${team.id}/transfer`).send({ userId: reviewer.user.id }).expect(409);
  });

  it('reads an invoice of the practice as a PDF, and so does an admin; a member and an outsider don’t', async () => {
    const { owner, team, person } = await practice();
    const { body } = await owner.get(`/api/billing/invoices?teamId=${team.id}`).expect(200);
    const [{ invoiceUrl }] = (body as { invoices: { invoiceUrl: string }[] }).invoices as [{ invoiceUrl: string }];
    await person.agent.get(invoiceUrl).expect(404);
    for (const role of ['admin', 'reviewer']) {
      await give(owner, team.id, person.user.id, role).expect(200);
      await person.agent.get(invoiceUrl).expect(200);
    }
    await (await app.signedIn()).agent.get(invoiceUrl).expect(404);
  });
});

it('a change of role is told to the person by notice and mail, once, and audited', async () => {
  const { owner, team, person } = await practice();
  for (const _again of [1, 2]) await give(owner, team.id, person.user.id, 'admin').expect(200);
  const told = `select subject from mails where to_address = $1 and kind = 'team-role-changed'`;
  expect(await rowsOf(app, told, [person.user.email])).toEqual([{ subject: 'You are now an admin of Harbour Advice' }]);
  const audited = `select before, after from audit_log where action = 'team.role_changed' and subject_id = $1`;
  expect(await rowsOf(app, audited, [team.id])).toEqual([
    { before: { role: 'member' }, after: { userId: person.user.id, role: 'admin' } },
  ]);
  expect((await give(owner, team.id, person.user.id, 'owner').expect(400)).body).toMatchObject({
    fields: { role: 'Please choose member, admin or reviewer' },
  });
});

describe('the list of members', () => {
  it.each([
    ['suspended', { suspendedAt: new Date(), suspendedFor: 'A test' }],
    ['profile', { profileCompleted: false }],
    ['address', { emailVerified: false }],
    [null, {}],
  ])(
    'marks who is paid for and can’t use the tools, to those who look after the team alone: %s',
    async (hindrance, is) => {
      const owner = await app.signedIn();
      const { team } = await createTeam(app.context, { ownerId: owner.user.id });
      const [hugh, ben] = [
        await createUser(app.context, { firstName: 'Hugh', membershipType: 'team', ...is }),
        await createUser(app.context, { firstName: 'Ben', membershipType: 'team' }),
      ];
      for (const { id } of [hugh, ben])
        await rowsOf(app, "insert into team_members (team_id, user_id, role) values ($1, $2, 'member')", [team.id, id]);
      const marks = async (agent: Agent) =>
        (
          (await agent.get(`/api/teams/${team.id}/members`).expect(200)).body as {
            userId: string;
            hindrance: unknown;
          }[]
        ).find(({ userId }) => userId === hugh.id)!.hindrance;
      expect(await marks(owner.agent)).toBe(hindrance);
      expect(await marks((await app.signIn(ben.email)).agent)).toBeNull();
    },
  );
});

describe('leaving', () => {
  it('ends the seat and the tools at once, tells owner and leaver, and keeps the record’s name', async () => {
    const { owner, team, person } = await practice();
    await launch(person.agent).expect(200);
    await person.agent.post(`/api/teams/${team.id}/leave`).expect(200);
    await person.agent.post(`/api/teams/${team.id}/leave`).expect(404);
    await launch(person.agent).expect(403);
    expect((await linesOf(owner, team.id))[0]).toEqual(['file-note-ai', 4, 9500]);
    const told = await rowsOf(
      app,
      `select kind from mails where kind in ('team-member-left', 'team-left') order by kind`,
    );
    expect(told).toEqual([{ kind: 'team-left' }, { kind: 'team-member-left' }]);
    const noted = `select first_name from record_people where team_id = $1 and user_id = $2`;
    expect(await rowsOf(app, noted, [team.id, person.user.id])).toEqual([{ first_name: 'Ravi' }]);
    expect((await owner.post(`/api/teams/${team.id}/leave`).expect(403)).body).toMatchObject({
      code: 'owner_cannot_leave',
    });
  });

  it('may be part of accepting another invitation, all or nothing', async () => {
    const [old, next, third] = [await practice(), await practice(), await practice()];
    const { person } = old;
    const { body } = await next.owner.post(`/api/teams/${next.team.id}/invite`).send({ email: person.user.email });
    const token = new URL((body as { inviteUrl: string }).inviteUrl).searchParams.get('token')!;
    const accept = (more: object) => person.agent.post(`/api/invitations/${token}/accept`).send(more);
    expect((await accept({}).expect(409)).body).toMatchObject({ code: 'in_other_team' });
    await accept({ leave: third.team.id }).expect(409);
    await accept({ leave: old.team.id }).expect(200);
    const mine = (await person.agent.get('/api/teams/my').expect(200)).body as unknown;
    expect(mine).toMatchObject({ memberOf: { id: next.team.id }, role: 'member' });
    expect((await linesOf(old.owner, old.team.id))[0]).toEqual(['file-note-ai', 4, 9500]);
  });
});
