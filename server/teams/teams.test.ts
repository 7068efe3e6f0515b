import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { InvitedRole } from '#shared/rules/people/teams.ts';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { notifications } from '#shared/schema/notifications.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamInvitations, teamMembers, teams } from '#shared/schema/teams.ts';
import { authTokens } from '#shared/schema/tools.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { createTeam, password } from '#server/testing/factories.ts';
import { DAY } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();

const join = async (teamId: string, role: InvitedRole) => {
  const signedIn = await app.signedIn({ membershipType: 'team' });
  await app.context.db.insert(teamMembers).values({ teamId, userId: signedIn.user.id, role });
  return signedIn;
};
/** A team with somebody in every role. */
async function practice() {
  const owner = await app.signedIn({ firstName: 'Grace', lastName: 'Taylor' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour Advice' });
  const [admin, member, reviewer] = [
    await join(team.id, 'admin'),
    await join(team.id, 'member'),
    await join(team.id, 'reviewer'),
  ];
  return { team, owner, admin, member, reviewer };
}
const typeOf = async (id: string) =>
  (await app.context.db.select({ type: users.membershipType }).from(users).where(eq(users.id, id)))[0]!.type;
const titlesOf = async (userId: string) =>
  (
    await app.context.db
      .select({ title: notifications.title })
      .from(notifications)
      .where(eq(notifications.userId, userId))
  ).map(({ title }) => title);
const auditOf = async (teamId: string) =>
  (await app.context.db.select().from(auditLog).where(eq(auditLog.subjectId, teamId)).orderBy(auditLog.createdAt)).map(
    ({ action }) => action,
  );

describe('POST /api/teams', () => {
  it('makes a team of 19 members at most, named after its owner', async () => {
    const { agent, user } = await app.signedIn({ firstName: 'Alex' });
    const { body } = await agent.post('/api/teams').send({}).expect(201);
    const team = {
      id: expect.any(String) as string,
      name: "Alex's Team",
      membershipType: 'team',
      maxMembers: 19,
      requiresFactor: false,
      microsoftTenant: null,
    };
    expect(body).toEqual(team);
    expect((await agent.get('/api/teams/my').expect(200)).body).toEqual({
      ownedTeams: [team],
      closedTeams: [],
      memberOf: null,
      role: null,
    });
    const members = await agent.get(`/api/teams/${(body as { id: string }).id}/members`).expect(200);
    expect(members.body).toMatchObject([
      { userId: user.id, role: 'owner', user: { firstName: 'Alex', lastName: 'Nguyen', email: user.email } },
    ]);
    expect(await typeOf(user.id)).toBe('standard');
    expect(await auditOf((body as { id: string }).id)).toEqual(['team.created']);
  });

  it('takes what the page sends, and nothing beyond the limits', async () => {
    const { agent } = await app.signedIn();
    for (const wrong of [
      { maxMembers: 20 },
      { maxMembers: 0 },
      { maxMembers: '19' },
      { membershipType: 'shaw_partners' },
      { membershipType: 'standard' },
      { name: '  ' },
      { name: 'x'.repeat(101) },
      { ownerId: 'me' },
    ])
      await agent
        .post('/api/teams')
        .send({ name: 'Harbour', ...wrong })
        .expect(400);
    const body = { name: ' Harbour ', membershipType: 'team', maxMembers: 7 };
    expect((await agent.post('/api/teams').send(body).expect(201)).body).toMatchObject({
      name: 'Harbour',
      maxMembers: 7,
    });
  });

  it('makes a partner’s team a partner team', async () => {
    const { agent } = await app.signedIn({ membershipType: 'shaw_partners' });
    const { body } = await agent.post('/api/teams').send({ membershipType: 'team' }).expect(201);
    expect(body).toMatchObject({ membershipType: 'shaw_partners' });
  });

  it('refuses a second team, also of two at once, and a member', async () => {
    const { agent, user } = await app.signedIn();
    const answers = await Promise.all([1, 2, 3].map(() => agent.post('/api/teams').send({})));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(await app.context.db.select().from(teams).where(eq(teams.ownerId, user.id))).toHaveLength(1);
    const { member } = await practice();
    expect((await member.agent.post('/api/teams').send({}).expect(409)).body).toMatchObject({ code: 'in_team' });
  });

  it('refuses an account that is being closed, and an owner can close no account', async () => {
    const { agent, user } = await app.signedIn();
    const [created, closed] = await Promise.all([
      agent.post('/api/teams').send({}),
      agent.post('/api/user/close-account').send({ password }),
    ]);
    expect([
      [201, 409],
      [401, 200],
    ]).toContainEqual([created.status, closed.status]);
    const owned = await app.context.db.select().from(teams).where(eq(teams.ownerId, user.id));
    expect(owned).toHaveLength(created.status === 201 ? 1 : 0);
  });
});

describe('the team’s calls by role', () => {
  const some = '00000000-0000-4000-8000-000000000000';
  const fresh = async (teamId: string, ownerId: string) => {
    const row = { teamId, email: `${crypto.randomUUID()}@practice.example`, invitedById: ownerId };
    const expiresAt = new Date(app.context.now().getTime() + DAY);
    const [added] = await app.context.db
      .insert(teamInvitations)
      .values({ ...row, token: hashToken(row.email), expiresAt })
      .returning();
    return added!.id;
  };
  const roles = ['owner', 'admin', 'member', 'reviewer', 'outsider'] as const;
  type ByRole = Record<(typeof roles)[number], number>;
  const by = (owner: number, admin: number, member: number, reviewer: number, outsider: number): ByRole => ({
    owner,
    admin,
    member,
    reviewer,
    outsider,
  });
  type Practice = Awaited<ReturnType<typeof practice>>;
  type Call = (agent: Agent, practice: Practice) => PromiseLike<{ status: number }>;
  const base = ({ team }: Practice) => `/api/teams/${team.id}`;
  const calls: [string, Call, ByRole][] = [
    ['members', (agent, p) => agent.get(`${base(p)}/members`), by(200, 200, 200, 200, 404)],
    [
      'invite',
      (agent, p) => agent.post(`${base(p)}/invite`).send({ email: `${crypto.randomUUID()}@practice.example` }),
      by(200, 200, 403, 403, 404),
    ],
    ['invitations', (agent, p) => agent.get(`${base(p)}/invitations`), by(200, 200, 403, 403, 404)],
    [
      'resend',
      async (agent, p) =>
        agent.post(`${base(p)}/invitations/${await fresh(p.team.id, p.owner.user.id)}/resend`).send({}),
      by(200, 200, 403, 403, 404),
    ],
    [
      'revoke',
      async (agent, p) => agent.delete(`${base(p)}/invitations/${await fresh(p.team.id, p.owner.user.id)}`),
      by(200, 200, 403, 403, 404),
    ],
    [
      'remove a member',
      async (agent, p) => agent.delete(`${base(p)}/members/${(await join(p.team.id, 'member')).user.id}`),
      by(200, 200, 403, 403, 404),
    ],
    [
      'remove an admin',
      async (agent, p) => agent.delete(`${base(p)}/members/${(await join(p.team.id, 'admin')).user.id}`),
      by(200, 403, 403, 403, 404),
    ],
    [
      'remove the owner',
      (agent, p) => agent.delete(`${base(p)}/members/${p.owner.user.id}`),
      by(403, 403, 403, 403, 404),
    ],
    ['remove who is not in it', (agent, p) => agent.delete(`${base(p)}/members/${some}`), by(404, 404, 403, 403, 404)],
    ['usage', (agent, p) => agent.get(`${base(p)}/usage`), by(200, 200, 403, 200, 404)],
    ['usage as a file', (agent, p) => agent.get(`${base(p)}/usage.csv`), by(200, 200, 403, 200, 404)],
    ...(
      [
        ['quote', (agent, p) => agent.get(`/api/pricing/quote?toolId=risk-profile-ai&teamId=${p.team.id}`), 200],
        [
          'buy',
          (agent, p) => agent.post('/api/create-subscription').send({ toolId: 'risk-profile-ai', teamId: p.team.id }),
          200,
        ],
        ['sync', (agent, p) => agent.post('/api/subscriptions/risk-profile-ai/sync').send({ teamId: p.team.id }), 200],
        [
          'cancel',
          (agent, p) => agent.post('/api/cancel-subscription').send({ toolId: 'risk-profile-ai', teamId: p.team.id }),
          404,
        ],
        [
          'reactivate',
          (agent, p) =>
            agent.post('/api/reactivate-subscription').send({ toolId: 'risk-profile-ai', teamId: p.team.id }),
          404,
        ],
        [
          'auto-renew',
          (agent, p) =>
            agent.patch('/api/subscriptions/risk-profile-ai/auto-renew').send({ autoRenew: false, teamId: p.team.id }),
          404,
        ],
        ['pay', (agent, p) => agent.post('/api/billing/pay').send({ teamId: p.team.id }), 409],
        ['forecast', (agent, p) => agent.get(`/api/billing/forecast?teamId=${p.team.id}`), 200],
        [
          'resubscribe',
          (agent, p) =>
            agent.post('/api/resubscribe').send({
              toolId: 'risk-profile-ai',
              teamId: p.team.id,
              offerId: 'monthly_restart',
              discountPercentage: 15,
            }),
          404,
        ],
        ['address', (agent, p) => agent.get(`/api/billing/address?teamId=${p.team.id}`), 200],
        [
          'save address',
          (agent, p) =>
            agent
              .put('/api/billing/address')
              .send({ line1: '1 Pitt St', city: 'Sydney', state: 'NSW', postcode: '2000', teamId: p.team.id }),
          200,
        ],
        ['card', (agent, p) => agent.get(`/api/billing/payment-method?teamId=${p.team.id}`), 200],
        ['give a card', (agent, p) => agent.post('/api/billing/setup-intent').send({ teamId: p.team.id }), 200],
        [
          'save a card',
          (agent, p) =>
            agent.post('/api/billing/payment-method').send({ setupIntentId: 'seti_none', teamId: p.team.id }),
          404,
        ],
      ] as [string, Call, number][]
    ).map(
      // The team's money concerns the owner alone.
      ([name, call, status]): [string, Call, ByRole] => [name, call, by(status, 403, 403, 403, 404)],
    ),
    ['rename', (agent, p) => agent.patch(base(p)).send({ name: 'Bay Advice' }), by(200, 403, 403, 403, 404)],
    [
      'transfer',
      (agent, p) => agent.post(`${base(p)}/transfer`).send({ userId: p.admin.user.id }),
      by(200, 403, 403, 403, 404),
    ],
    ['invoices', (agent, p) => agent.get(`/api/billing/invoices?teamId=${p.team.id}`), by(200, 200, 403, 200, 404)],
    ['told', (agent, p) => agent.get(`/api/billing/told?page=1&teamId=${p.team.id}`), by(200, 200, 403, 200, 404)],
    [
      'change a role',
      async (agent, p) =>
        agent.patch(`${base(p)}/members/${(await join(p.team.id, 'member')).user.id}`).send({ role: 'admin' }),
      by(200, 403, 403, 403, 404),
    ],
    [
      'change the role of the owner',
      (agent, p) => agent.patch(`${base(p)}/members/${p.owner.user.id}`).send({ role: 'member' }),
      by(403, 403, 403, 403, 404),
    ],
    ['leave', (agent, p) => agent.post(`${base(p)}/leave`), by(403, 200, 200, 200, 404)],
    ['activity', (agent, p) => agent.get(`${base(p)}/activity`), by(200, 200, 403, 403, 404)],
    ['activity as a file', (agent, p) => agent.get(`${base(p)}/activity.csv`), by(200, 200, 403, 403, 404)],
    ['the record', (agent, p) => agent.get(`${base(p)}/record`), by(200, 200, 403, 200, 404)],
    ['its sessions', (agent, p) => agent.get(`${base(p)}/record/sessions`), by(200, 200, 403, 200, 404)],
    [
      'decide about a tool',
      (agent, p) => agent.put(`${base(p)}/record/tools/file-note-ai`).send({ allowed: false }),
      by(200, 403, 403, 200, 404),
    ],
    [
      'decide about new tools',
      (agent, p) => agent.put(`${base(p)}/record/new-tools`).send({ allowed: false }),
      by(200, 403, 403, 200, 404),
    ],
    [
      'review a tool',
      (agent, p) =>
        agent.post(`${base(p)}/record/tools/file-note-ai/reviews`).send({ remark: 'Dates checked', nextDue: null }),
      by(200, 200, 403, 200, 404),
    ],
    [
      'hold a reference',
      (agent, p) => agent.post(`${base(p)}/record/holds`).send({ clientReference: 'F-10208', reason: 'AFCA' }),
      by(200, 403, 403, 403, 404),
    ],
    [
      'ask for an evidence pack',
      (agent, p) => agent.get(`/api/record/packs?teamId=${p.team.id}`),
      by(200, 200, 403, 200, 404),
    ],
    ['close', (agent, p) => agent.delete(base(p)), by(200, 403, 403, 403, 404)],
  ];
  const cells = calls.flatMap(([name, call, statuses]) =>
    Object.entries(statuses).map(([role, status]) => [name, role, status, call] as const),
  );
  it.each(cells)('answer as the role allows: %s by %s: %i', async (_name, role, status, call) => {
    const all = await practice();
    const outsider = await app.signedIn();
    const caller = { ...all, outsider }[role as (typeof roles)[number]];
    expect((await call(caller.agent, all)).status).toBe(status);
  });

  it('treat an administrator of the product as an outsider, and find no closed or unknown team', async () => {
    const { agent } = await app.signedIn({ isAdmin: true });
    const { team, owner } = await practice();
    await agent.get(`/api/teams/${team.id}/members`).expect(404);
    await owner.agent.get(`/api/teams/${some}/members`).expect(404);
    await owner.agent.get('/api/teams/none/members').expect(400);
    await owner.agent.delete(`/api/teams/${team.id}`).expect(200);
    await owner.agent.get(`/api/teams/${team.id}/members`).expect(404);
  });
});

describe('DELETE /api/teams/{teamId}/members/{userId}', () => {
  it('lets nobody remove themselves or the owner', async () => {
    const { team, owner, admin } = await practice();
    const self = await admin.agent.delete(`/api/teams/${team.id}/members/${admin.user.id}`).expect(403);
    expect(self.body).toMatchObject({ message: 'You cannot remove yourself from a team.' });
    const top = await admin.agent.delete(`/api/teams/${team.id}/members/${owner.user.id}`).expect(403);
    expect(top.body).toMatchObject({ message: 'The owner of a team cannot be removed.' });
  });

  it('restores the membership type, notifies the person, and works once of two at once', async () => {
    const { team, owner, member } = await practice();
    const remove = () => owner.agent.delete(`/api/teams/${team.id}/members/${member.user.id}`);
    const answers = await Promise.all([remove(), remove()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect(await typeOf(member.user.id)).toBe('standard');
    expect(await titlesOf(member.user.id)).toEqual(['You were removed from Harbour Advice']);
    expect((await member.agent.get('/api/teams/my')).body).toEqual({
      ownedTeams: [],
      closedTeams: [],
      memberOf: null,
      role: null,
    });
    expect(await auditOf(team.id)).toEqual(['team.member_removed']);
  });

  it('ends access and every token for team tools at once; tools of their own stay', async () => {
    const { team, owner, member } = await practice();
    const row = { status: 'active' as const, monthlyCents: 0, revision: 1 };
    await app.context.db.insert(toolSubscriptions).values([
      { ...row, teamId: team.id, toolId: 'risk-profile-ai', subscriptionType: 'team' },
      { ...row, userId: member.user.id, toolId: 'file-note-ai' },
    ]);
    const expiresAt = new Date(app.context.now().getTime() + DAY);
    for (const toolId of ['risk-profile-ai', 'file-note-ai']) {
      await member.agent.post('/api/auth/token').send({ toolId }).expect(200);
      const key = { userId: member.user.id, toolId, kind: 'api_key' as const, expiresAt };
      await app.context.db.insert(authTokens).values({ ...key, token: hashToken(`${toolId}:${member.user.id}`) });
    }
    await owner.agent.delete(`/api/teams/${team.id}/members/${member.user.id}`).expect(200);
    const tokens = await app.context.db.select().from(authTokens).where(eq(authTokens.userId, member.user.id));
    expect(tokens.map(({ toolId, kind, isRevoked }) => [toolId, kind, isRevoked]).toSorted()).toEqual([
      ['file-note-ai', 'api_key', false],
      ['file-note-ai', 'launch', false],
      ['risk-profile-ai', 'api_key', true],
      ['risk-profile-ai', 'launch', true],
    ]);
    await member.agent.post('/api/auth/token').send({ toolId: 'risk-profile-ai' }).expect(403);
    await member.agent.post('/api/auth/token').send({ toolId: 'file-note-ai' }).expect(200);
  });
});

describe('DELETE /api/teams/{id}', () => {
  it('lets everybody go, ends the invitations, and the owner may start a new team', async () => {
    const { team, owner, member } = await practice();
    await owner.agent.post(`/api/teams/${team.id}/invite`).send({ email: 'late@practice.example' }).expect(200);
    const close = () => owner.agent.delete(`/api/teams/${team.id}`);
    const answers = await Promise.all([close(), close()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await owner.agent.get('/api/teams/my')).body).toEqual({
      ownedTeams: [],
      closedTeams: [{ id: team.id, name: team.name }],
      memberOf: null,
      role: null,
    });
    expect(await typeOf(member.user.id)).toBe('standard');
    expect(await titlesOf(member.user.id)).toEqual(['Harbour Advice was closed']);
    const [invitation] = await app.context.db.select().from(teamInvitations).where(eq(teamInvitations.teamId, team.id));
    expect(invitation!.isRevoked).toBe(true);
    expect(await auditOf(team.id)).toEqual(['team.invited', 'team.closed']);
    await member.agent.post('/api/teams').send({}).expect(201);
    await owner.agent.post('/api/teams').send({}).expect(201);
  });

  it('lets the owner close the account after it', async () => {
    const { team, owner } = await practice();
    const refused = await owner.agent.post('/api/user/close-account').send({ password }).expect(409);
    expect(refused.body).toMatchObject({ message: expect.stringContaining('hand over or close your team') as string });
    await owner.agent.delete(`/api/teams/${team.id}`).expect(200);
    await owner.agent.post('/api/user/close-account').send({ password }).expect(200);
  });
});

describe('PATCH /api/teams/{id}', () => {
  it('renames the team, and changes nothing else', async () => {
    const { team, owner } = await practice();
    const { body } = await owner.agent.patch(`/api/teams/${team.id}`).send({ name: 'Bay Advice' }).expect(200);
    expect(body).toMatchObject({ id: team.id, name: 'Bay Advice' });
    const blank = await owner.agent.patch(`/api/teams/${team.id}`).send({ name: ' ' }).expect(400);
    expect(blank.body).toMatchObject({ fields: { name: 'The name is required' } });
    for (const more of [{ maxMembers: 19 }, { membershipType: 'team' }, { ownerId: owner.user.id }])
      await owner.agent
        .patch(`/api/teams/${team.id}`)
        .send({ name: 'Bay', ...more })
        .expect(400);
    expect(await auditOf(team.id)).toEqual(['team.renamed']);
  });
});
