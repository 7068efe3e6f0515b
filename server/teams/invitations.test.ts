import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { mails, notifications } from '#shared/schema/notifications.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamInvitations, teamMembers } from '#shared/schema/teams.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { administrator } from '#server/testing/administrator.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { DAY } from '#server/testing/purchases.ts';
import { startTestApp, type Agent, type TestApp } from '#server/testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

let serial = 0;
const address = () => `invited-${(serial += 1)}@practice.example`;

/** An owner's browser and their team. */
async function practice(details: { maxMembers?: number; members?: number } = {}) {
  const { agent, user } = await app.signedIn({ firstName: 'Grace', lastName: 'Taylor' });
  const { team } = await createTeam(app.context, { ownerId: user.id, name: 'Harbour Advice', ...details });
  return { agent, owner: user, team };
}

async function inviteTo(agent: Agent, teamId: string, email: string, role?: string) {
  const { body } = await agent
    .post(`/api/teams/${teamId}/invite`)
    .send({ email, ...(role && { role }) })
    .expect(200);
  const { inviteUrl, invitation } = body as { inviteUrl: string; invitation: { id: string; state: string } };
  return { inviteUrl, invitation, token: new URL(inviteUrl).searchParams.get('token')! };
}

/** The token of the newest link that was mailed to an address. */
async function mailedTo(email: string): Promise<string> {
  const sent = await app.context.db
    .select()
    .from(mails)
    .where(and(eq(mails.toAddress, email), eq(mails.kind, 'team-invitation')))
    .orderBy(mails.createdAt);
  return /accept-invitation\?token=([\w-]+)/.exec(sent.at(-1)!.textBody)![1]!;
}

const read = (agent: Agent, token: string) => agent.get(`/api/invitations/${token}`);
const accept = (agent: Agent, token: string) => agent.post(`/api/invitations/${token}/accept`).send({});
const decline = (agent: Agent, token: string) => agent.post(`/api/invitations/${token}/decline`).send({});
const membershipTypeOf = async (id: string) =>
  (await app.context.db.select({ type: users.membershipType }).from(users).where(eq(users.id, id)))[0]!.type;
const titlesOf = async (userId: string) =>
  (
    await app.context.db
      .select({ title: notifications.title })
      .from(notifications)
      .where(eq(notifications.userId, userId))
  ).map(({ title }) => title);

describe('POST /api/teams/{teamId}/invite', () => {
  it('mails a link that the inviter gets too, of which only the hash is kept', async () => {
    const { agent, team } = await practice();
    const email = address();
    const { inviteUrl, token, invitation } = await inviteTo(agent, team.id, ` ${email.toUpperCase()} `, 'admin');
    expect(inviteUrl).toBe(`${app.context.env.appUrl}/accept-invitation?token=${token}`);
    expect(invitation).toMatchObject({ email, role: 'admin', state: 'pending', invitedBy: { firstName: 'Grace' } });
    const [row] = await app.context.db.select().from(teamInvitations).where(eq(teamInvitations.teamId, team.id));
    expect(row).toMatchObject({ email, role: 'admin', copiedToken: hashToken(token), isRevoked: false });
    expect(row!.expiresAt.getTime() - app.context.now().getTime()).toBeGreaterThan(7 * DAY - 60_000);
    const [mail] = await app.context.db.select().from(mails).where(eq(mails.toAddress, email));
    expect(mail).toMatchObject({
      kind: 'team-invitation',
      subject: 'Grace Taylor invites you to Harbour Advice',
    });
    expect(mail!.textBody).not.toContain(token);
    expect(row!.token).toBe(hashToken(await mailedTo(email)));
    const [audited] = await app.context.db.select().from(auditLog).where(eq(auditLog.subjectId, team.id));
    expect(audited).toMatchObject({ action: 'team.invited', after: { role: 'admin' } });
    expect(JSON.stringify(audited)).not.toContain(email);
  });

  it('makes the invited person a member by default', async () => {
    const { agent, team } = await practice();
    expect((await inviteTo(agent, team.id, address())).invitation).toMatchObject({ role: 'member' });
    for (const role of ['owner', 'guest', 1])
      await agent.post(`/api/teams/${team.id}/invite`).send({ email: address(), role }).expect(400);
    const noEmail = await agent.post(`/api/teams/${team.id}/invite`).send({ role: 'member' }).expect(400);
    expect(noEmail.body).toMatchObject({ fields: { email: 'Please enter a valid email address' } });
  });

  it('sends a pending address a new link, and the old one stops working', async () => {
    const { agent, team } = await practice();
    const email = address();
    const first = await inviteTo(agent, team.id, email);
    const second = await inviteTo(agent, team.id, email, 'admin');
    expect(second.invitation.id).toBe(first.invitation.id);
    await read(app.agent(), first.token).expect(404);
    await read(app.agent(), second.token).expect(200);
    expect((await agent.get(`/api/teams/${team.id}/invitations`).expect(200)).body).toHaveLength(1);
  });

  it('makes one invitation of two at once for one address', async () => {
    const { agent, team } = await practice();
    const email = address();
    await Promise.all([inviteTo(agent, team.id, email), inviteTo(agent, team.id, email)]);
    expect((await agent.get(`/api/teams/${team.id}/invitations`)).body).toHaveLength(1);
  });

  it('lets nobody invite whose own address is unverified', async () => {
    const { agent, team } = await practice();
    await app.context.db.update(users).set({ emailVerified: false }).where(eq(users.id, team.ownerId));
    const refused = await agent.post(`/api/teams/${team.id}/invite`).send({ email: address() }).expect(403);
    expect(refused.body).toMatchObject({ code: 'verify_to_invite' });
  });

  it('lets an admin of the team make nobody an admin', async () => {
    const { team } = await practice();
    const { agent, user } = await app.signedIn();
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'admin' });
    await agent.post(`/api/teams/${team.id}/invite`).send({ email: address(), role: 'admin' }).expect(403);
    await inviteTo(agent, team.id, address());
  });

  it('lets an admin of the team send no invitation of the owner’s to an admin or reviewer again', async () => {
    const { agent: owner, team } = await practice();
    const { agent, user } = await app.signedIn();
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'admin' });
    const resent = async (role: string) => {
      const { invitation } = await inviteTo(owner, team.id, address(), role);
      return (await agent.post(`/api/teams/${team.id}/invitations/${invitation.id}/resend`)).status;
    };
    expect([await resent('admin'), await resent('reviewer'), await resent('member')]).toEqual([403, 403, 200]);
  });

  it('gives nobody another day’s invitations for a team closed and made anew', async () => {
    const { agent, user } = await app.signedIn();
    const made = async () => ((await agent.post('/api/teams').send({}).expect(201)).body as { id: string }).id;
    const before = await made();
    for (let sent = 0; sent < 40; sent += 1) await inviteTo(agent, before, address());
    await agent.delete(`/api/teams/${before}`).expect(200);
    await agent
      .post(`/api/teams/${await made()}/invite`)
      .send({ email: address() })
      .expect(429);
    expect(user.emailVerified).toBe(true);
  });

  it.each(['Prize at evil.example.com', '\u202Eevil', '\u200B'])(
    'takes no team name %j into the mails',
    async (name) => {
      const { agent, team } = await practice();
      expect((await agent.patch(`/api/teams/${team.id}`).send({ name }).expect(400)).body).toMatchObject({
        fields: { name: expect.stringMatching(/^Please|is required$/) },
      });
    },
  );

  it('refuses somebody who is in the team, and the inviter', async () => {
    const { agent, owner, team } = await practice({ members: 1 });
    const { body } = await agent.get(`/api/teams/${team.id}/members`).expect(200);
    for (const email of [owner.email, (body as { user: { email: string } }[])[1]!.user.email]) {
      const refused = await agent.post(`/api/teams/${team.id}/invite`).send({ email }).expect(409);
      expect(refused.body).toMatchObject({ message: 'This person is already a member of your team.' });
    }
  });

  it('takes 40 a day for each team, and does not count refused ones', async () => {
    const { agent, owner, team } = await practice();
    await agent.post(`/api/teams/${team.id}/invite`).send({ email: owner.email }).expect(409);
    for (let sent = 0; sent < 39; sent += 1) await inviteTo(agent, team.id, address());
    const { invitation } = await inviteTo(agent, team.id, address());
    const refused = await agent.post(`/api/teams/${team.id}/invite`).send({ email: address() }).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
    await agent.post(`/api/teams/${team.id}/invitations/${invitation.id}/resend`).expect(429);
    const other = await practice();
    await inviteTo(other.agent, other.team.id, address());
  });
});

describe('POST /api/teams/{teamId}/invitations', () => {
  it('invites each of a list, and says what became of each', async () => {
    const { agent, owner, team } = await practice();
    const [one, two] = [address(), address()];
    const send = (invitations: object[]) => agent.post(`/api/teams/${team.id}/invitations`).send({ invitations });
    const { body } = await send([{ email: one }, { email: owner.email }, { email: two, role: 'reviewer' }]).expect(200);
    expect(body).toMatchObject([
      { email: one, outcome: 'invited', inviteUrl: expect.stringContaining('token=') as string },
      { email: owner.email, outcome: 'already_member', inviteUrl: null },
      { email: two, outcome: 'invited' },
    ]);
    const open = (await agent.get(`/api/teams/${team.id}/invitations`)).body as { email: string; role: string }[];
    expect(new Set(open.map(({ email, role }) => `${email} ${role}`))).toEqual(
      new Set([`${one} member`, `${two} reviewer`]),
    );
    const late = await send(Array.from({ length: 40 }, () => ({ email: address() }))).expect(200);
    const outcomes = (late.body as { outcome: string }[]).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([
      ...Array.from({ length: 38 }, () => 'invited'),
      ...Array.from({ length: 2 }, () => 'limit_reached'),
    ]);
    expect((await send([]).expect(400)).body).toMatchObject({ fields: { invitations: 'Please enter an address' } });
    await send(Array.from({ length: 41 }, () => ({ email: address() }))).expect(400);
  });

  it('is all refused where an admin would make an admin', async () => {
    const { team } = await practice();
    const { agent, user } = await app.signedIn();
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'admin' });
    const invitations = [{ email: address() }, { email: address(), role: 'admin' }];
    await agent.post(`/api/teams/${team.id}/invitations`).send({ invitations }).expect(403);
    expect((await agent.get(`/api/teams/${team.id}/invitations`)).body).toEqual([]);
  });
});

describe('pending invitations', () => {
  it('are listed, sent again and revoked', async () => {
    const { agent, team } = await practice();
    const { token, invitation } = await inviteTo(agent, team.id, address());
    const { body } = await agent.post(`/api/teams/${team.id}/invitations/${invitation.id}/resend`).expect(200);
    const fresh = new URL((body as { inviteUrl: string }).inviteUrl).searchParams.get('token')!;
    await read(app.agent(), token).expect(404);
    await agent.delete(`/api/teams/${team.id}/invitations/${invitation.id}`).expect(200);
    expect((await read(app.agent(), fresh).expect(200)).body).toMatchObject({ state: 'revoked' });
    await agent.delete(`/api/teams/${team.id}/invitations/${invitation.id}`).expect(409);
    await agent.post(`/api/teams/${team.id}/invitations/${invitation.id}/resend`).expect(409);
    expect((await agent.get(`/api/teams/${team.id}/invitations`)).body).toEqual([]);
  });

  it('are not found by another team', async () => {
    const [one, two] = [await practice(), await practice()];
    const { invitation } = await inviteTo(one.agent, one.team.id, address());
    await two.agent.delete(`/api/teams/${two.team.id}/invitations/${invitation.id}`).expect(404);
    await two.agent.post(`/api/teams/${two.team.id}/invitations/${invitation.id}/resend`).expect(404);
  });
});

describe('GET /api/invitations/{token}', () => {
  it('masks the address except for its owner', async () => {
    const { agent, team } = await practice();
    const { user, agent: invited } = await app.signedIn();
    const { token } = await inviteTo(agent, team.id, user.email);
    const masked = { email: 'a•••@practice.example', state: 'pending', role: 'member' };
    const visitor = await read(app.agent(), token).expect(200);
    expect(visitor.body).toMatchObject({
      ...masked,
      obstacle: null,
      team: { id: team.id, name: 'Harbour Advice' },
      inviter: { firstName: 'Grace', lastName: 'Taylor' },
    });
    const stranger = (await app.signedIn()).agent;
    expect((await read(stranger, token)).body).toMatchObject({ ...masked, obstacle: 'wrong_account' });
    expect((await read(invited, token)).body).toMatchObject({ email: user.email, obstacle: null });
    expect((await read(agent, token)).body).toMatchObject({ ...masked, obstacle: 'own_team' });
  });

  it('answers 404 to everybody for an unknown link', async () => {
    const refused = await read(app.agent(), 'x'.repeat(43)).expect(404);
    expect(refused.body).toMatchObject({ message: 'This invitation link is not valid.' });
    const { agent } = await app.signedIn();
    await accept(agent, 'x'.repeat(43)).expect(404);
    await decline(app.agent(), 'x'.repeat(43)).expect(404);
  });
});

describe('an adviser who accepts', () => {
  it('joins with the invited role, once, and everybody concerned is notified', async () => {
    const { agent, owner, team } = await practice();
    const { user, agent: invited } = await app.signedIn({ firstName: 'Jane', lastName: 'Whitfield' });
    const { token } = await inviteTo(agent, team.id, user.email, 'admin');
    expect((await accept(invited, token).expect(200)).body).toMatchObject({ state: 'accepted', role: 'admin' });
    expect((await invited.get('/api/teams/my').expect(200)).body).toMatchObject({
      ownedTeams: [],
      memberOf: { id: team.id, name: 'Harbour Advice', membershipType: 'team', maxMembers: 19 },
      role: 'admin',
    });
    expect(await membershipTypeOf(user.id)).toBe('team');
    expect(await titlesOf(owner.id)).toContain('Jane Whitfield joined Harbour Advice');
    expect(await titlesOf(user.id)).toContain('Welcome to Harbour Advice');
    const sent = await app.context.db.select({ kind: mails.kind }).from(mails).where(eq(mails.toAddress, owner.email));
    expect(sent.map(({ kind }) => kind)).toContain('team-member-joined');
    expect((await accept(invited, token).expect(409)).body).toMatchObject({
      message: 'This invitation is no longer open.',
    });
    expect((await read(invited, token)).body).toMatchObject({ state: 'accepted', obstacle: 'already_member' });
  });

  it('joins before their profile is complete', async () => {
    const { agent, team } = await practice();
    const { user, agent: invited } = await app.signedIn({ profileCompleted: false });
    const { token } = await inviteTo(agent, team.id, user.email);
    await accept(invited, token).expect(200);
    expect((await invited.get('/api/teams/my')).body).toMatchObject({ memberOf: { id: team.id }, role: 'member' });
  });

  it('needs a proved address with the link that the inviter copied; the mailed one proves it', async () => {
    const { agent, team } = await practice();
    const { user, agent: invited } = await app.signedIn({ emailVerified: false, profileCompleted: false });
    const { token } = await inviteTo(agent, team.id, user.email, 'admin');
    expect((await read(invited, token).expect(200)).body).toMatchObject({ obstacle: 'unproved' });
    expect((await accept(invited, token).expect(403)).body).toMatchObject({ code: 'verify_to_join' });
    const mailed = await mailedTo(user.email);
    expect((await read(app.agent(), mailed).expect(200)).body).toMatchObject({ email: user.email, practice: null });
    expect((await read(invited, mailed).expect(200)).body).toMatchObject({
      obstacle: null,
      practice: { businessName: 'Nguyen Advice', businessPostcode: '2000', dealerGroup: 'Independent' },
    });
    await accept(invited, mailed).expect(200);
    expect((await invited.get('/api/user').expect(200)).body).toMatchObject({ emailVerified: true });
  });

  it('proves no address that they were given since by an administrator', async () => {
    const { agent, team } = await practice();
    const { user } = await app.signedIn();
    const { token } = await inviteTo(agent, team.id, user.email);
    const mailed = await mailedTo(user.email);
    const email = address();
    const admin = await administrator(app);
    await admin.post(`/api/admin/users/${user.id}/email`, { email, reason: 'A test' }).expect(200);
    const invited = (await app.signIn(email)).agent;
    expect((await accept(invited, mailed).expect(404)).body).toMatchObject({ code: 'invitation_not_found' });
    expect((await accept(invited, token).expect(403)).body).toMatchObject({ code: 'verify_to_join' });
    expect((await invited.get('/api/user').expect(200)).body).toMatchObject({ email, emailVerified: false });
  });

  it('opens nothing of the practice while their address is unproved, as with members of before, but leaves', async () => {
    const { agent, team } = await practice();
    const { user, agent: invited } = await app.signedIn();
    await accept(invited, (await inviteTo(agent, team.id, user.email, 'admin')).token).expect(200);
    const row = { status: 'active' as const, monthlyCents: 0, subscriptionType: 'team' as const };
    await app.context.db.insert(toolSubscriptions).values({ ...row, teamId: team.id, toolId: 'file-note-ai' });
    await app.context.db.update(users).set({ emailVerified: false }).where(eq(users.id, user.id));
    for (const path of ['members', 'record', 'record/sessions', 'usage', 'invitations'])
      expect((await invited.get(`/api/teams/${team.id}/${path}`).expect(403)).body).toMatchObject({
        code: 'verify_for_team',
      });
    await invited.get(`/api/billing/invoices?teamId=${team.id}`).expect(403);
    await invited.get(`/api/record/packs?teamId=${team.id}`).expect(403);
    const launch = () => invited.post('/api/auth/token').send({ toolId: 'file-note-ai' });
    expect((await launch().expect(403)).body).toMatchObject({ code: 'team_address_unproved' });
    await app.context.db.update(users).set({ emailVerified: true }).where(eq(users.id, user.id));
    await launch().expect(200);
    await app.context.db.update(users).set({ emailVerified: false }).where(eq(users.id, user.id));
    await invited.post(`/api/teams/${team.id}/leave`).expect(200);
  });

  it('stays a partner where they are one', async () => {
    const { agent, team } = await practice();
    const { user, agent: invited } = await app.signedIn({ membershipType: 'shaw_partners' });
    await accept(invited, (await inviteTo(agent, team.id, user.email)).token).expect(200);
    expect(await membershipTypeOf(user.id)).toBe('shaw_partners');
    await agent.delete(`/api/teams/${team.id}/members/${user.id}`).expect(200);
    expect(await membershipTypeOf(user.id)).toBe('shaw_partners');
  });

  it('is refused unless theirs is the invited address, and when signed out', async () => {
    const { agent, team } = await practice();
    const { token } = await inviteTo(agent, team.id, address());
    await accept(app.agent(), token).expect(401);
    const stranger = await app.signedIn();
    const refused = await accept(stranger.agent, token).expect(403);
    expect(refused.body).toMatchObject({ message: 'This invitation is for another email address.' });
    await decline(stranger.agent, token).expect(403);
    expect((await stranger.agent.get('/api/teams/my')).body).toMatchObject({ memberOf: null });
  });

  it('has one membership at a time, apart from owned teams', async () => {
    const [one, two, three] = [await practice(), await practice(), await practice()];
    const { token } = await inviteTo(two.agent, two.team.id, one.owner.email);
    await accept(one.agent, token).expect(200);
    expect((await one.agent.get('/api/teams/my')).body).toMatchObject({
      ownedTeams: [{ id: one.team.id }],
      memberOf: { id: two.team.id },
      role: 'member',
    });
    const another = await inviteTo(three.agent, three.team.id, one.owner.email);
    expect((await read(one.agent, another.token)).body).toMatchObject({ state: 'pending', obstacle: 'other_team' });
    expect((await accept(one.agent, another.token).expect(409)).body).toMatchObject({
      message: 'You are already a member of another team.',
    });
  });

  it('has one membership after accepting two invitations at once', async () => {
    const [one, two] = [await practice(), await practice()];
    const { user, agent } = await app.signedIn();
    const tokens = [
      (await inviteTo(one.agent, one.team.id, user.email)).token,
      (await inviteTo(two.agent, two.team.id, user.email)).token,
    ];
    const answers = await Promise.all(tokens.map((token) => accept(agent, token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await app.context.db.select().from(teamMembers).where(eq(teamMembers.userId, user.id))).toHaveLength(1);
  });

  it('has one membership and brings one notice after accepting one invitation twice at once', async () => {
    const { agent, team, owner } = await practice();
    const { user, agent: invited } = await app.signedIn();
    const { token } = await inviteTo(agent, team.id, user.email);
    const answers = await Promise.all([accept(invited, token), accept(invited, token), accept(invited, token)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await titlesOf(owner.id)).toHaveLength(1);
  });

  it('is refused once the invitation is declined, revoked or expired, or the team is closed', async () => {
    const { agent, team } = await practice();
    const { user, agent: invited } = await app.signedIn();
    const refused = async (token: string) => (await accept(invited, token).expect(409)).body as unknown;

    const declined = await inviteTo(agent, team.id, user.email);
    expect((await decline(invited, declined.token).expect(200)).body).toMatchObject({ state: 'declined' });
    expect(await refused(declined.token)).toMatchObject({ code: 'invitation_over' });

    const revoked = await inviteTo(agent, team.id, user.email);
    await agent.delete(`/api/teams/${team.id}/invitations/${revoked.invitation.id}`).expect(200);
    expect(await refused(revoked.token)).toMatchObject({ code: 'invitation_over' });
    expect((await decline(invited, revoked.token).expect(409)).body).toMatchObject({ code: 'invitation_over' });

    const expired = await inviteTo(agent, team.id, user.email);
    await app.context.db
      .update(teamInvitations)
      .set({ expiresAt: app.context.now() })
      .where(eq(teamInvitations.id, expired.invitation.id));
    expect((await read(invited, expired.token)).body).toMatchObject({ state: 'expired' });
    expect(await refused(expired.token)).toMatchObject({ code: 'invitation_expired' });
    expect((await agent.get(`/api/teams/${team.id}/invitations`)).body).toMatchObject([{ state: 'expired' }]);

    const late = await inviteTo(agent, team.id, user.email);
    await agent.delete(`/api/teams/${team.id}`).expect(200);
    expect(await refused(late.token)).toMatchObject({ code: 'invitation_over' });
    expect((await read(invited, late.token)).body).toMatchObject({ state: 'revoked', obstacle: 'team_closed' });
  });

  it('can decline as a visitor instead, and the inviter is notified', async () => {
    const { agent, team, owner } = await practice();
    const { token } = await inviteTo(agent, team.id, address());
    await decline(app.agent(), token).expect(200);
    await decline(app.agent(), token).expect(409);
    expect(await titlesOf(owner.id)).toEqual(['Invitation declined']);
  });
});

describe('maxMembers', () => {
  it('counts the owner, and a full team takes nobody', async () => {
    const { agent, team } = await practice({ maxMembers: 2, members: 1 });
    const { user, agent: invited } = await app.signedIn();
    const { token } = await inviteTo(agent, team.id, user.email);
    expect((await read(invited, token)).body).toMatchObject({ state: 'pending', obstacle: 'team_full' });
    expect((await accept(invited, token).expect(409)).body).toMatchObject({ code: 'team_full' });
    const { body } = await agent.get(`/api/teams/${team.id}/members`);
    await agent.delete(`/api/teams/${team.id}/members/${(body as { userId: string }[])[1]!.userId}`).expect(200);
    await accept(invited, token).expect(200);
  });

  it('is never exceeded by 100 simultaneous acceptances on two replicas', async () => {
    const replica = await startTestApp({}, app.database);
    const { owner, team } = await practice();
    const people = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const user = await createUser(app.context);
        const token = `race-${user.id}`;
        await app.context.db.insert(teamInvitations).values({
          teamId: team.id,
          email: user.email,
          invitedById: owner.id,
          token: hashToken(token),
          expiresAt: new Date(app.context.now().getTime() + DAY),
        });
        return { user, token };
      }),
    );
    const agents: Agent[] = [];
    for (const [index, { user }] of people.entries())
      agents.push((await (index % 2 === 0 ? app : replica).signIn(user.email)).agent);
    const answers = await Promise.all(people.map(({ token }, index) => accept(agents[index]!, token)));
    const counted = (status: number) => answers.filter((answer) => answer.status === status).length;
    await replica.stop();
    expect({ joined: counted(200), refused: counted(409) }).toEqual({ joined: 18, refused: 82 });
    expect(await app.context.db.select().from(teamMembers).where(eq(teamMembers.teamId, team.id))).toHaveLength(19);
    const accepted = await app.context.db
      .select()
      .from(teamInvitations)
      .where(and(eq(teamInvitations.teamId, team.id), eq(teamInvitations.isRevoked, false)));
    expect(accepted.filter(({ acceptedAt }) => acceptedAt)).toHaveLength(18);
  });
});
