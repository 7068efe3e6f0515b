import { and, eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookkeepers } from '#shared/schema/books.ts';
import { secondFactors } from '#shared/schema/factors.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { authTokens, toolSecrets } from '#shared/schema/tools.ts';
import { inTurn, newPassword, resetOf } from '#server/testing/during-reset.ts';
import { createTeam, createUser, password } from '#server/testing/factories.ts';
import { giveCard, shown } from '#server/testing/purchases.ts';
import { codeOf } from '#server/testing/second-factor.ts';
import { type Agent, testApp } from '#server/testing/test-app.ts';

const app = testApp();
type Owner = Awaited<ReturnType<typeof app.signedIn>>;
type Call = () => Promise<{ status: number }>;

/** A thief's call comes while the owner's reset by mail is under way; returns how it is answered. */
async function duringReset(
  { user }: Owner,
  call: Call,
  row: Parameters<typeof inTurn>[1] = { table: 'users', id: user.id },
) {
  const [reset, answer] = await inTurn(app, row, [await resetOf(app, user.email), call]);
  expect(reset).toBe(200);
  return answer;
}

describe('a call from before a reset of the password', () => {
  it('adds no factor: it would sign the thief in again', async () => {
    const owner = await app.signedIn();
    const begun = await owner.agent.post('/api/user/factors/app/begin').expect(200);
    const code = codeOf((begun.body as { secret: string }).secret);
    const add = async () => owner.agent.post('/api/user/factors/app').send({ name: 'Of the thief', code });
    expect(await duringReset(owner, add)).toBe(401);
    await owner.agent.get('/api/user').expect(401);
    expect(await app.context.db.$count(secondFactors, eq(secondFactors.userId, owner.user.id))).toBe(0);
  });

  it('closes no account, and ends none of its subscriptions', async () => {
    const owner = await app.signedIn();
    await giveCard(app, owner.agent);
    await owner.agent.post('/api/create-subscription').send({ toolId: 'file-note-ai', trial: true }).expect(200);
    const close = async () => owner.agent.post('/api/user/close-account').send({ password });
    expect(await duringReset(owner, close)).toBe(401);
    const again = app.agent();
    await again.post('/api/login').send({ email: owner.user.email, password: newPassword }).expect(200);
    expect(await shown(again, 'file-note-ai')).toMatchObject({ status: 'trial' });
  });

  it('names no bookkeeper, who would get the owner’s invoices', async () => {
    const owner = await app.signedIn();
    const ask = async () => owner.agent.put('/api/billing/bookkeeper').send({ email: 'thief@elsewhere.example' });
    expect(await duringReset(owner, ask)).toBe(401);
    expect(await app.context.db.$count(bookkeepers, eq(bookkeepers.userId, owner.user.id))).toBe(0);
  });

  it('leaves no secret of a tool that works', async () => {
    const owner = await app.signedIn();
    const settings = {
      name: 'Fee Finder AI',
      description: 'Finds fees.',
      domain: 'http://localhost:5000/',
      eventsUrl: '',
      scopes: ['name'],
    };
    const made = await owner.agent.post('/api/developers/tools').send(settings).expect(201);
    const { id } = (made.body as { tool: { id: string } }).tool;
    const make = async () =>
      owner.agent.post(`/api/developers/tools/${id}/secrets`).send({ kind: 'call', name: 'Of the thief' });
    // The thief’s call waits for the tool, and the reset comes meanwhile.
    const [, reset] = await inTurn(app, { table: 'tools', id }, [make, await resetOf(app, owner.user.email)]);
    expect(reset).toBe(200);
    const ofThief = await app.context.db.select().from(toolSecrets).where(eq(toolSecrets.name, 'Of the thief'));
    expect(ofThief.filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
  });

  it('opens no tool', async () => {
    const owner = await app.signedIn();
    await owner.agent.post('/api/create-subscription').send({ toolId: 'file-note-ai', trial: true }).expect(200);
    const launch = async () => owner.agent.post('/api/auth/token').send({ toolId: 'file-note-ai' });
    expect((await launch()).status).toBe(200);
    // The thief’s call waits for its limit, and the reset comes meanwhile.
    const lock = `select from rate_limits where key like 'launchUserTool:%' for update`;
    const ofOwner = and(eq(authTokens.userId, owner.user.id), eq(authTokens.isRevoked, false));
    expect(await inTurn(app, { lock }, [launch, await resetOf(app, owner.user.email)])).toEqual([401, 200]);
    expect(await app.context.db.$count(authTokens, ofOwner)).toBe(0);
  });
});

describe('a call to a team from before a reset of its owner’s password', () => {
  type Practice = { teamId: string; memberId: string };
  const calls: [what: string, (agent: Agent, of: Practice) => PromiseLike<{ status: number }>][] = [
    [
      'offers it to nobody',
      (agent, { teamId, memberId }) => agent.post(`/api/teams/${teamId}/transfer`).send({ userId: memberId }),
    ],
    ['does not close it', (agent, { teamId }) => agent.delete(`/api/teams/${teamId}`).send({})],
    [
      'makes nobody an admin',
      (agent, { teamId, memberId }) => agent.patch(`/api/teams/${teamId}/members/${memberId}`).send({ role: 'admin' }),
    ],
    [
      'invites nobody',
      (agent, { teamId }) =>
        agent.post(`/api/teams/${teamId}/invite`).send({ email: 'thief@elsewhere.example', role: 'admin' }),
    ],
    [
      'names no bookkeeper',
      (agent, { teamId }) => agent.put('/api/billing/bookkeeper').send({ teamId, email: 'thief@elsewhere.example' }),
    ],
  ];
  it.each(calls)('%s', async (_what, send) => {
    const owner = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: owner.user.id });
    const member = await createUser(app.context);
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: member.id, role: 'member' });
    const of = { teamId: team.id, memberId: member.id };
    expect(await duringReset(owner, async () => send(owner.agent, of), { table: 'teams', id: team.id })).toBe(401);
    const [after] = await app.context.db.select().from(teams).where(eq(teams.id, team.id));
    expect(after).toMatchObject({ isActive: true, offeredToId: null });
    const roles = await app.context.db
      .select()
      .from(teamMembers)
      .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.userId, member.id)));
    expect(roles).toMatchObject([{ role: 'member' }]);
    expect(await app.context.db.$count(bookkeepers, eq(bookkeepers.teamId, team.id))).toBe(0);
  });
});
