import { describe, expect, it } from 'vitest';
import type { Reply } from '#shared/api/endpoint.ts';
import type { contract } from '#shared/api/index.ts';
import { createTeam, createUser } from '#server/testing/factories.ts';
import { buy, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';
import { settleAsks } from './asks.ts';

const app = testApp();

type OfTeam = Reply<typeof contract.asks.ofTeam>;

/** A practice with an admin, a reviewer and a member. */
async function practice() {
  const owner = await app.signedIn({ firstName: 'Karen', lastName: 'Hughes' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Riverside Advice' });
  const join = async (role: 'admin' | 'reviewer' | 'member', firstName: string) => {
    const user = await createUser(app.context, { firstName, lastName: 'Lang', membershipType: 'team' });
    await rowsOf(app, 'insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [
      team.id,
      user.id,
      role,
    ]);
    return { user, ...(await app.signIn(user.email)) };
  };
  const [admin, reviewer, member] = [
    await join('admin', 'Ada'),
    await join('reviewer', 'Rita'),
    await join('member', 'Hugh'),
  ];
  return { team, owner, admin, reviewer, member };
}
const ask = (agent: Agent, teamId: string, toolId: string, reason = 'Reviews take me two hours each') =>
  agent.post(`/api/teams/${teamId}/asks`).send({ toolId, reason });
const asksOf = async (agent: Agent, teamId: string) =>
  (await agent.get(`/api/teams/${teamId}/asks`).expect(200)).body as OfTeam;
const own = async (agent: Agent) =>
  (await agent.get('/api/asks').expect(200)).body as {
    toolId: string;
    outcome: string | null;
    answer: string | null;
  }[];
const mailsTo = async (email: string, kind: string) =>
  (await rowsOf(app, 'select subject, text_body from mails where to_address = $1 and kind = $2', [email, kind])).map(
    (mail) => `${String(mail['subject'])}\n${String(mail['text_body'])}`,
  );
const noticesOf = async (userId: string, title: string) =>
  rowsOf(app, 'select 1 from notifications where user_id = $1 and title = $2', [userId, title]);

describe('a member who asks for a tool that the practice lacks', () => {
  it('is answered by its purchase, at the cost that the owner was shown, and told', async () => {
    const { team, owner, admin, reviewer, member } = await practice();
    await buy(app, owner.agent, 'risk-profile-ai', 'pm_card_visa', { teamId: team.id });
    await ask(member.agent, team.id, 'pre-fill-ai').expect(201);
    for (const { user } of [owner, admin, reviewer]) {
      const [mail, ...more] = await mailsTo(user.email, 'team-tool-asked');
      expect(more).toEqual([]);
      expect(mail).toContain('Hugh Lang asks for Pre-Fill AI');
      expect(mail).toContain('“Reviews take me two hours each”');
      expect(await noticesOf(user.id, 'Hugh Lang asks for Pre-Fill AI')).toHaveLength(1);
    }
    expect(await mailsTo(member.user.email, 'team-tool-asked')).toEqual([]);

    const [open] = (await asksOf(admin.agent, team.id)).open;
    const { cost } = open!;
    expect(open).toMatchObject({ toolName: 'Pre-Fill AI', firstName: 'Hugh', allowed: true, outcome: null });
    expect(cost!.members).toBe(3);
    expect(cost!.billDay).not.toBeNull();

    await settleAsks(app.context);
    expect(await own(member.agent)).toMatchObject([{ outcome: null }]);
    await buy(app, owner.agent, 'pre-fill-ai', 'pm_card_visa', { teamId: team.id });
    const { bill } = (await owner.agent.get(`/api/billing/forecast?teamId=${team.id}`).expect(200)).body as {
      bill: { day: string; lines: { toolId: string; cents: number }[] };
    };
    expect(bill.day).toBe(cost!.billDay);
    expect(bill.lines.reduce((sum, { cents }) => sum + cents, 0)).toBe(cost!.billCents);
    expect(bill.lines.find(({ toolId }) => toolId === 'pre-fill-ai')!.cents).toBe(cost!.toolCents);

    await Promise.all([settleAsks(app.context), settleAsks(app.context)]);
    expect(await own(member.agent)).toMatchObject([{ toolId: 'pre-fill-ai', outcome: 'bought', answer: null }]);
    expect(await noticesOf(member.user.id, 'You asked for Pre-Fill AI: it is here')).toHaveLength(1);
    const mailed = await rowsOf(app, 'select subject from mails where to_address = $1', [member.user.email]);
    expect(mailed.filter(({ subject }) => String(subject).includes('Pre-Fill AI'))).toHaveLength(1);
    expect((await ask(member.agent, team.id, 'pre-fill-ai').expect(409)).body).toMatchObject({
      code: 'practice_has_tool',
    });
  });

  it('is told the reason when the owner or a reviewer declines, and may ask again', async () => {
    const { team, owner, reviewer, member } = await practice();
    await ask(member.agent, team.id, 'pre-fill-ai').expect(201);
    const [open] = (await asksOf(reviewer.agent, team.id)).open;
    const path = `/api/teams/${team.id}/asks/${open!.id}/answer`;
    const bare = await reviewer.agent.post(path).send({ outcome: 'declined' }).expect(400);
    expect((bare.body as { fields: object }).fields).toEqual({ answer: 'Please say why' });
    await reviewer.agent.post(path).send({ outcome: 'declined', answer: 'Not before the audit' }).expect(200);
    expect((await owner.agent.post(path).send({ outcome: 'declined', answer: 'No' }).expect(409)).body).toMatchObject({
      code: 'ask_answered',
    });
    expect(await own(member.agent)).toMatchObject([{ outcome: 'declined', answer: 'Not before the audit' }]);
    for (const { user } of [member, owner])
      expect(await mailsTo(user.email, 'team-ask-answered')).toEqual([
        expect.stringContaining('“Not before the audit”'),
      ]);
    expect(await mailsTo(reviewer.user.email, 'team-ask-answered')).toEqual([]);
    await ask(member.agent, team.id, 'pre-fill-ai').expect(201);
  });

  it('has one open question for a tool, and ten a day', async () => {
    const { team, member } = await practice();
    const both = await Promise.all([
      ask(member.agent, team.id, 'pre-fill-ai'),
      ask(member.agent, team.id, 'pre-fill-ai'),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    for (let count = 2; count < 10; count += 1) await ask(member.agent, team.id, 'pre-fill-ai').expect(409);
    expect((await ask(member.agent, team.id, 'file-note-ai').expect(429)).body).toMatchObject({ code: 'rate_limited' });
  });
});

describe('a member who asks for a tool that the practice does not allow', () => {
  const stop = (agent: Agent, teamId: string, allowed: boolean) =>
    agent.put(`/api/teams/${teamId}/record/tools/file-note-ai`).send({ allowed });

  it('is told when it is allowed by the answer', async () => {
    const { team, owner, member } = await practice();
    await stop(owner.agent, team.id, false).expect(200);
    await ask(member.agent, team.id, 'file-note-ai').expect(201);
    const [open] = (await asksOf(owner.agent, team.id)).open;
    expect(open!.allowed).toBe(false);
    await owner.agent.post(`/api/teams/${team.id}/asks/${open!.id}/answer`).send({ outcome: 'allowed' }).expect(200);
    expect(await own(member.agent)).toMatchObject([{ outcome: 'allowed' }]);
    expect((await member.agent.get('/api/record/not-allowed').expect(200)).body).toEqual([]);
  });

  it('is told also when it is allowed in the inventory, and by both who asked', async () => {
    const { team, owner, admin, member } = await practice();
    await stop(owner.agent, team.id, false).expect(200);
    await ask(member.agent, team.id, 'file-note-ai').expect(201);
    await ask(admin.agent, team.id, 'file-note-ai').expect(201);
    await stop(owner.agent, team.id, true).expect(200);
    await settleAsks(app.context);
    for (const { agent, user } of [member, admin]) {
      expect(await own(agent)).toMatchObject([{ outcome: 'allowed' }]);
      expect(await noticesOf(user.id, 'You asked for File Note AI: it is allowed')).toHaveLength(1);
      expect(await mailsTo(user.email, 'team-tool-allowed')).toHaveLength(1);
    }
  });
});

describe('who may ask, see and answer', () => {
  it('follows the roles', async () => {
    const { team, owner, admin, reviewer, member } = await practice();
    const stranger = await app.signedIn();
    await ask(owner.agent, team.id, 'pre-fill-ai').expect(403);
    await ask(reviewer.agent, team.id, 'pre-fill-ai').expect(403);
    await ask(stranger.agent, team.id, 'pre-fill-ai').expect(404);
    await ask(member.agent, team.id, 'no-such-tool').expect(404);
    for (const reason of ['', ' ', 'x'.repeat(201), 'TFN 123 456 782'])
      expect(
        Object.keys(
          ((await ask(member.agent, team.id, 'pre-fill-ai', reason).expect(400)).body as { fields: object }).fields,
        ),
      ).toEqual(['reason']);
    await ask(member.agent, team.id, 'pre-fill-ai').expect(201);
    await member.agent.get(`/api/teams/${team.id}/asks`).expect(403);
    await stranger.agent.get(`/api/teams/${team.id}/asks`).expect(404);
    const { id } = (await asksOf(admin.agent, team.id)).open[0]!;
    const answer = { outcome: 'declined', answer: 'No' };
    for (const [{ agent }, status] of [
      [admin, 403],
      [member, 403],
      [stranger, 404],
    ] as const)
      await agent.post(`/api/teams/${team.id}/asks/${id}/answer`).send(answer).expect(status);
    const other = await practice();
    await other.owner.agent.post(`/api/teams/${other.team.id}/asks/${id}/answer`).send(answer).expect(404);
  });

  it('forgets what somebody asked who has left', async () => {
    const { team, owner, member } = await practice();
    await ask(member.agent, team.id, 'pre-fill-ai').expect(201);
    await member.agent.post(`/api/teams/${team.id}/leave`).send({}).expect(200);
    await settleAsks(app.context);
    expect((await asksOf(owner.agent, team.id)).open).toEqual([]);
    expect(await own(member.agent)).toEqual([]);
  });
});
