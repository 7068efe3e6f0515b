import { describe, expect, it } from 'vitest';
import type { Forecast } from '#shared/api/billing.ts';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, DAY, pass, passTime, rowsOf } from '#server/testing/purchases.ts';
import { testApp, type Agent } from '#server/testing/test-app.ts';

const app = testApp();
const tool = 'risk-profile-ai';
type Person = Awaited<ReturnType<typeof app.signedIn>>;

async function join(owner: Agent, teamId: string, member: Person) {
  const { body } = await owner.post(`/api/teams/${teamId}/invite`).send({ email: member.user.email }).expect(200);
  const token = new URL((body as { inviteUrl: string }).inviteUrl).searchParams.get('token')!;
  await member.agent.post(`/api/invitations/${token}/accept`).send({}).expect(200);
}

/** A practice of nine, of whom these are signed in, that has the tool. */
async function practice() {
  const owner = await app.signedIn({ firstName: 'Grace' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour Advice', members: 6 });
  const [ann, bob] = [await app.signedIn({ firstName: 'Ann' }), await app.signedIn({ firstName: 'Bob' })];
  for (const member of [ann, bob]) await join(owner.agent, team.id, member);
  await buy(app, owner.agent, tool, 'pm_card_visa', { teamId: team.id });
  await app.context.queue.drain();
  const choose = (people: readonly Person[] | null, by: Agent = owner.agent, of = tool) =>
    by.put(`/api/teams/${team.id}/tools/${of}/users`).send({ userIds: people && people.map(({ user }) => user.id) });
  const bill = async () =>
    ((await owner.agent.get(`/api/billing/forecast?teamId=${team.id}`).expect(200)).body as Forecast).bill!;
  const changes = async (more: Record<string, string>) =>
    (await owner.agent.get(`/api/pricing/changes?${new URLSearchParams({ teamId: team.id, ...more }).toString()}`))
      .body as {
      moreCents: number;
      seatCents: number;
      bill: { totalCents: number; leftCents: number };
    };
  return { owner, team, ann, bob, choose, bill, changes };
}

const mine = async ({ agent }: Person) => {
  const { body } = await agent.get('/api/user/subscriptions').expect(200);
  return (body as Subscription[]).filter(({ toolId }) => toolId === tool).map(({ hasAccess }) => hasAccess);
};
const launch = ({ agent }: Person) => agent.post('/api/auth/token').send({ toolId: tool });
const mailsTo = async ({ user }: Person, kind: string) =>
  rowsOf(app, 'select subject, text_body text from mails where to_address = $1 and kind = $2 order by created_at', [
    user.email,
    kind,
  ]);

describe('a tool for some of a team', () => {
  it('is billed for three of nine, by the day from then on, as shown before, and the payer is told why', async () => {
    const { owner, ann, bob, choose, bill, changes } = await practice();
    const bought = sydneyDate(app.context.now());
    await passTime(app, 20 * DAY);
    expect((await bill()).lines[0]).toMatchObject({ quantity: 9, cents: 27_000 });
    const three = [owner, ann, bob];
    const shown = await changes({ choose: tool, users: three.map(({ user }) => user.id).join(',') });
    await choose(three).expect(200);
    const after = await bill();
    expect(after.lines[0]).toMatchObject({ quantity: 3, cents: 9000 });
    expect(after.parts).toHaveLength(6);
    // Today and the twenty days before it are paid; a seat of the month cost $30.
    const month = Math.round((Date.parse(after.day) - Date.parse(bought)) / DAY);
    const [days, cents] = [21 - month, Math.round((3000 * 21) / month) - 3000];
    for (const part of after.parts) expect(part).toMatchObject({ cause: 'left', days, cents });
    const seats = after.parts.reduce((sum, { cents }) => sum + cents, 0);
    expect(shown).toMatchObject({ moreCents: -18_000, seatCents: seats });
    expect(shown.bill.totalCents).toBe(after.totalCents);
    await pass(app, 2 * DAY);
    const told = (await mailsTo(owner, 'bill-changed')).at(-1)!;
    expect(told['text']).toContain('can no longer open Risk Profile AI');
    expect(told['text']).not.toContain(' left,');
  });

  it('opens for those who were chosen, and nobody else; who gains or loses it is told', async () => {
    const { owner, ann, bob, choose } = await practice();
    await choose([ann]).expect(200);
    expect(await mine(ann)).toEqual([true]);
    // The owner manages what she does not use.
    expect(await mine(owner)).toEqual([false]);
    expect(await mine(bob)).toEqual([]);
    await launch(ann).expect(200);
    await launch(bob).expect(403);
    await launch(owner).expect(403);
    expect(await mailsTo(bob, 'team-tool-taken')).toMatchObject([
      { subject: expect.stringContaining('Risk Profile AI') },
    ]);
    expect(await mailsTo(owner, 'team-tool-taken')).toEqual([]);
    await choose(null).expect(200);
    await launch(bob).expect(200);
    expect(await mailsTo(bob, 'team-tool-given')).toHaveLength(1);
    expect(await mailsTo(ann, 'team-tool-given')).toEqual([]);
  });

  it('costs nothing more when somebody joins who was not chosen', async () => {
    const { owner, team, ann, choose, bill, changes } = await practice();
    await choose([ann]).expect(200);
    const before = await bill();
    expect(await changes({ joins: 'true' })).toMatchObject({ moreCents: 0, seatCents: 0 });
    const late = await app.signedIn();
    await join(owner.agent, team.id, late);
    expect((await bill()).totalCents).toBe(before.totalCents);
    expect(await mine(late)).toEqual([]);
  });

  it('passes to the owner where the only one who was chosen leaves', async () => {
    const { owner, team, ann, choose, bill, changes } = await practice();
    await choose([ann]).expect(200);
    await passTime(app, 5 * DAY);
    const shown = await changes({ leaves: ann.user.id });
    await owner.agent.delete(`/api/teams/${team.id}/members/${ann.user.id}`).expect(200);
    const after = await bill();
    expect(after.lines[0]).toMatchObject({ quantity: 1, cents: 3000 });
    expect(shown).toMatchObject({ moreCents: 0, bill: { totalCents: after.totalCents, leftCents: after.leftCents } });
    expect(await mine(owner)).toEqual([true]);
  });

  it('comes and goes in a day for what the day costs', async () => {
    const { owner, ann, bob, choose, bill } = await practice();
    await passTime(app, 3 * DAY);
    await choose([owner, ann]).expect(200);
    await choose([owner, ann, bob]).expect(200);
    await choose([owner, ann]).expect(200);
    await choose(null).expect(200);
    const { lines, parts } = await bill();
    expect(lines[0]).toMatchObject({ quantity: 9, cents: 27_000 });
    expect(parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
  });

  it('is shared in the bill by person, and in the usage, by those who use it', async () => {
    const { owner, team, ann, bob, choose } = await practice();
    await choose([ann, bob]).expect(200);
    const { body } = await owner.agent.get(`/api/teams/${team.id}/next-bill`).expect(200);
    const { people, totalCents } = body as {
      people: { userId: string; cents: number; tools: { monthCents: number }[] }[];
      totalCents: number;
    };
    const monthOf = ({ user }: Person) => people.find(({ userId }) => userId === user.id)!.tools[0]?.monthCents ?? 0;
    expect([ann, bob, owner].map(monthOf)).toEqual([3000, 3000, 0]);
    expect(people.reduce((sum, { cents }) => sum + cents, 0)).toBe(totalCents);
    const usage = (await owner.agent.get(`/api/teams/${team.id}/usage`).expect(200)).body as {
      userId: string;
      toolId: string;
    }[];
    const users = usage.filter((row) => row.toolId === tool).map(({ userId }) => userId);
    expect(users.toSorted()).toEqual([ann.user.id, bob.user.id].toSorted());
  });

  it('may be asked for by whoever was not chosen; the owner sees what one more costs, and choosing answers', async () => {
    const { owner, team, ann, bob, choose } = await practice();
    const ask = () =>
      bob.agent.post(`/api/teams/${team.id}/asks`).send({ toolId: tool, reason: 'For annual reviews.' });
    expect((await ask().expect(409)).body).toMatchObject({ code: 'practice_has_tool' });
    await choose([ann]).expect(200);
    await ask().expect(201);
    const asks = async () => (await owner.agent.get(`/api/teams/${team.id}/asks`).expect(200)).body as unknown;
    expect(await asks()).toMatchObject({
      open: [{ allowed: true, forOthers: true, cost: { members: 1, moreCents: 3000 } }],
    });
    await choose([ann, bob]).expect(200);
    await pass(app, DAY);
    expect(await asks()).toMatchObject({ open: [], answered: [{ outcome: 'bought' }] });
  });

  it('is refused for a stranger, nobody, a tool that the team lacks, the free one, and by an admin', async () => {
    const { owner, team, ann, bob, choose } = await practice();
    const stranger = await app.signedIn();
    const refused = async (sent: ReturnType<typeof choose>, status: number, code: string) =>
      expect((await sent.expect(status)).body).toMatchObject({ code });
    await refused(choose([ann, stranger]), 404, 'team_member_not_found');
    await refused(choose([]), 400, 'invalid_input');
    await refused(choose([ann], owner.agent, 'file-note-ai'), 404, 'subscription_not_found');
    await refused(choose([ann], owner.agent, 'lost-money-ai'), 404, 'subscription_not_found');
    await owner.agent.patch(`/api/teams/${team.id}/members/${bob.user.id}`).send({ role: 'admin' }).expect(200);
    await refused(choose([ann], bob.agent), 403, 'forbidden');
    await refused(choose([ann], stranger.agent), 404, 'team_not_found');
    const { body } = await bob.agent.get(`/api/teams/${team.id}/tools`).expect(200);
    expect(body).toEqual([{ toolId: tool, toolName: 'Risk Profile AI', userIds: null }]);
    await ann.agent.get(`/api/teams/${team.id}/tools`).expect(403);
  });

  it('holds under two choices at once: one after the other, and the parts add up', async () => {
    const { owner, ann, bob, choose, bill } = await practice();
    await passTime(app, 4 * DAY);
    const answers = await Promise.all([choose([ann]), choose([owner, bob]), choose([ann, bob]), choose(null)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await choose(null).expect(200);
    const { lines, parts } = await bill();
    expect(lines[0]).toMatchObject({ quantity: 9, cents: 27_000 });
    expect(parts.reduce((sum, { cents }) => sum + cents, 0)).toBe(0);
  });
});
