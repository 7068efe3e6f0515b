import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { InvitedRole } from '#shared/rules/people/teams.ts';
import { users } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { notifications } from '#shared/schema/notifications.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { handOver } from '#server/testing/hand-over.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
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

describe('POST /api/teams/{id}/transfer', () => {
  it('makes the member the owner, the owner an admin, and forgets the card', async () => {
    const { team, owner, member } = await practice();
    await app.context.db.update(teams).set({ cardBrand: 'visa', cardLast4: '4242' }).where(eq(teams.id, team.id));
    const answer = await handOver(owner.agent, member.agent, team.id, member.user.id);
    expect(answer.body).toMatchObject({ id: team.id, name: 'Harbour Advice' });
    const [row] = await app.context.db.select().from(teams).where(eq(teams.id, team.id));
    expect(row).toMatchObject({ ownerId: member.user.id, cardBrand: null, cardLast4: null });
    expect((await member.agent.get('/api/teams/my')).body).toMatchObject({ ownedTeams: [{ id: team.id }], role: null });
    expect((await owner.agent.get('/api/teams/my')).body).toMatchObject({ memberOf: { id: team.id }, role: 'admin' });
    expect([await typeOf(owner.user.id), await typeOf(member.user.id)]).toEqual(['team', 'standard']);
    expect(await titlesOf(member.user.id)).toEqual([
      'Grace Taylor asks you to take over Harbour Advice',
      'You are now the owner of Harbour Advice',
    ]);
    expect(await titlesOf(owner.user.id)).toEqual(['You handed over Harbour Advice']);
    expect(await auditOf(team.id)).toEqual(['team.hand_over_offered', 'team.handed_over']);
    await owner.agent.post(`/api/teams/${team.id}/transfer`).send({ userId: owner.user.id }).expect(403);
  });

  it('refuses somebody outside the team, and somebody who owns another', async () => {
    const { team, owner, member } = await practice();
    const stranger = await createUser(app.context);
    const to = (userId: string) => owner.agent.post(`/api/teams/${team.id}/transfer`).send({ userId });
    await to(stranger.id).expect(404);
    await to(owner.user.id).expect(400);
    await createTeam(app.context, { ownerId: member.user.id });
    expect((await to(member.user.id).expect(409)).body).toMatchObject({ code: 'new_owner_has_team' });
  });

  it('refuses somebody who is suspended', async () => {
    const { team, owner, member } = await practice();
    await app.context.db
      .update(users)
      .set({ suspendedAt: app.context.now(), suspendedFor: 'Shared a password' })
      .where(eq(users.id, member.user.id));
    const answer = await owner.agent
      .post(`/api/teams/${team.id}/transfer`)
      .send({ userId: member.user.id })
      .expect(409);
    expect(answer.body).toMatchObject({ code: 'new_owner_unavailable' });
    expect((await owner.agent.get('/api/teams/my')).body).toMatchObject({ ownedTeams: [{ id: team.id }] });
  });

  it('takes an owner who is a member of another team out of it', async () => {
    const [one, two] = [await practice(), await practice()];
    await app.context.db.insert(teamMembers).values({ teamId: two.team.id, userId: one.owner.user.id, role: 'member' });
    await handOver(one.owner.agent, one.member.agent, one.team.id, one.member.user.id);
    expect((await one.owner.agent.get('/api/teams/my')).body).toMatchObject({
      ownedTeams: [],
      memberOf: { id: two.team.id },
    });
    await one.owner.agent.get(`/api/teams/${one.team.id}/members`).expect(404);
  });

  it('waits for the member, who sees the bill; others see nothing, and nothing has changed', async () => {
    const { team, owner, admin, member } = await practice();
    const path = `/api/teams/${team.id}/hand-over`;
    const ask = () => owner.agent.post(`/api/teams/${team.id}/transfer`).send({ userId: member.user.id }).expect(200);
    await ask();
    const asked = {
      to: { userId: member.user.id },
      from: { firstName: 'Grace' },
      forecast: { bill: null, card: null },
    };
    expect((await member.agent.get(path).expect(200)).body).toMatchObject(asked);
    expect((await owner.agent.get(path).expect(200)).body).toMatchObject(asked);
    expect((await admin.agent.get(path).expect(200)).body).toBeNull();
    expect((await owner.agent.get('/api/teams/my')).body).toMatchObject({ ownedTeams: [{ id: team.id }] });
    const agreed = { totalCents: 0, owedCents: 0 };
    const accept = (agent: Agent, sums: object = agreed) => agent.post(path).send(sums);
    expect((await accept(admin.agent).expect(409)).body).toMatchObject({ code: 'not_offered' });
    expect((await accept(member.agent, { ...agreed, totalCents: 100 }).expect(409)).body).toMatchObject({
      code: 'price_changed',
    });
    await admin.agent.delete(path).expect(403);
    await member.agent.delete(path).expect(200);
    expect(await titlesOf(owner.user.id)).toEqual(['Harbour Advice is not handed over']);
    await accept(member.agent).expect(409);
    await ask();
    await app.context.db
      .update(teams)
      .set({ offeredAt: new Date(app.context.now().getTime() - 14 * DAY) })
      .where(eq(teams.id, team.id));
    expect((await member.agent.get(path).expect(200)).body).toBeNull();
    await accept(member.agent).expect(409);
    await ask();
    await owner.agent.delete(`/api/teams/${team.id}/members/${member.user.id}`).expect(200);
    expect((await owner.agent.get(path).expect(200)).body).toBeNull();
  });

  it('makes one new owner of a member who accepts twice at once', async () => {
    const { team, owner, member } = await practice();
    await owner.agent.post(`/api/teams/${team.id}/transfer`).send({ userId: member.user.id }).expect(200);
    const agreed = { totalCents: 0, owedCents: 0 };
    const answers = await Promise.all(
      [1, 2].map(() => member.agent.post(`/api/teams/${team.id}/hand-over`).send(agreed)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const rows = await app.context.db.select().from(teamMembers).where(eq(teamMembers.teamId, team.id));
    expect(rows.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });
});
