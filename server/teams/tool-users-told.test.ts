import { expect, it, vi } from 'vitest';
import type { Subscription } from '#shared/api/subscriptions.ts';
import { runDueJobs } from '#server/jobs.ts';
import { receiveEvents } from '#server/testing/event-receiver.ts';
import { createTeam } from '#server/testing/factories.ts';
import { handOver } from '#server/testing/hand-over.ts';
import { buy, DAY, giveCard, live, rowsOf } from '#server/testing/purchases.ts';
import { makeSecret } from '#server/testing/tool-secrets.ts';
import { freshTestApp, type Agent } from '#server/testing/test-app.ts';

vi.setConfig({ testTimeout: 300_000 });
const app = freshTestApp();
const tool = 'risk-profile-ai';
type Person = Awaited<ReturnType<typeof app.signedIn>>;

async function join(owner: Agent, teamId: string, member: Person) {
  const { body } = await owner.post(`/api/teams/${teamId}/invite`).send({ email: member.user.email }).expect(200);
  const token = new URL((body as { inviteUrl: string }).inviteUrl).searchParams.get('token')!;
  await member.agent.post(`/api/invitations/${token}/accept`).send({}).expect(200);
}

/** A practice with an owner, Ann, and others of these names; `buys` is how it has the tool. */
async function practice(names: string[], buys: 'paid' | 'trial' | 'no' = 'paid') {
  const owner = await app.signedIn({ firstName: 'Grace' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour Advice' });
  const people: Person[] = [];
  for (const firstName of ['Ann', ...names]) people.push(await app.signedIn({ firstName }));
  for (const one of people) await join(owner.agent, team.id, one);
  if (buys === 'paid') await buy(app, owner.agent, tool, 'pm_card_visa', { teamId: team.id });
  if (buys === 'trial') {
    const trial = { toolId: tool, teamId: team.id, trial: true };
    await owner.agent.post('/api/create-subscription').send(trial).expect(200);
    await giveCard(app, owner.agent, 'pm_card_visa', { teamId: team.id });
  }
  const choose = (list: readonly Person[] | null) =>
    owner.agent
      .put(`/api/teams/${team.id}/tools/${tool}/users`)
      .send({ userIds: list && list.map(({ user }) => user.id) })
      .expect(200);
  await live(app, 2 * DAY);
  return { owner, team, ann: people[0]!, bob: people[1]!, choose };
}

const mailsTo = async ({ user }: Person, kind: string, from = 0) =>
  (
    await rowsOf(app, 'select text_body text from mails where to_address = $1 and kind = $2 order by created_at', [
      user.email,
      kind,
    ])
  )
    .slice(from)
    .map(({ text }) => String(text));
const news = (person: Person, from = 0) => mailsTo(person, 'bill-changed', from);

it('names nobody twice, and nobody wrongly, where the credit is more than the next bills', async () => {
  const { owner, team, ann, choose } = await practice(['Bob', 'Cy', 'Di', 'Ed']);
  await choose([ann]);
  // A quick machine writes them all in one millisecond.
  await rowsOf(app, 'update adjustments set created_at = $2 where team_id = $1', [team.id, app.context.now()]);
  await live(app, 2 * DAY);
  const [told] = await news(owner);
  expect(told).toMatch(/(Grace|Bob|Cy|Di|Ed) [^.]* can no longer open Risk Profile AI/);
  for (const name of ['Grace', 'Bob', 'Cy', 'Di', 'Ed']) expect(told).toContain(name);
  const before = (await news(owner)).length;
  await live(app, 33 * DAY);
  const later = await news(owner, before);
  for (const text of later) expect(text).not.toContain('can no longer open');
  expect(later.join()).toContain('Credit left from the bill before');
  const after = (await news(owner)).length;
  await choose(null);
  await live(app, 2 * DAY);
  const [again] = await news(owner, after);
  expect(again).not.toContain('can no longer open');
  expect(again).not.toContain('No longer:');
  expect(again).toContain('can open Risk Profile AI');
});

it('does not say that somebody new makes a tool dearer that is opened to everybody in its trial', async () => {
  const { owner, team, ann, choose } = await practice(['Bob'], 'trial');
  await choose([ann]);
  await live(app, 2 * DAY);
  await join(owner.agent, team.id, await app.signedIn({ firstName: 'Late' }));
  await live(app, 2 * DAY);
  const from = (await news(owner)).length;
  await choose(null);
  await live(app, 2 * DAY);
  const [text] = await news(owner, from);
  expect(text).not.toContain('joined');
  expect(text).toContain('Risk Profile AI for 4 members now, +$90.00 a month');
});

it('tells nothing of a choice that was undone on its day', async () => {
  const { owner, ann, choose } = await practice(['Bob']);
  await choose([ann]);
  await choose(null);
  await live(app, 2 * DAY);
  expect(await news(owner)).toEqual([]);
});

it('tells whoever gets a tool because the last one who was chosen has left, and tells the tool', async () => {
  const receiver = await receiveEvents(app, tool);
  receiver.answerWith(204);
  const secret = await makeSecret(app, tool);
  const { owner, team, ann, choose } = await practice(['Bob']);
  const { body } = await owner.agent.post('/api/auth/token').send({ toolId: tool }).expect(200);
  const { token } = body as { token: string };
  await app.agent().post('/api/tools/introspect').auth(tool, secret).type('form').send({ token }).expect(200);
  await choose([ann]);
  await live(app, DAY);
  await ann.agent.post(`/api/teams/${team.id}/leave`).send({}).expect(200);
  await app.context.queue.drain();
  await runDueJobs(app.context);
  await app.context.queue.drain();
  expect(receiver.of(owner.user.id).map(({ type }) => type)).toEqual(['access.ended', 'access.restored']);
  expect((await mailsTo(owner, 'team-tool-given')).join()).toContain('who was chosen for Risk Profile AI');
  await receiver.stop();
});

it('passes a tool to the new owner where the old one leaves and was the only one chosen', async () => {
  const { owner, team, bob, choose } = await practice(['Bob', 'Cy']);
  await choose([owner]);
  const other = await practice([], 'no');
  await join(other.owner.agent, other.team.id, owner);
  await handOver(owner.agent, bob.agent, team.id, bob.user.id);
  const rows = await rowsOf(app, 'select chosen_users from tool_subscriptions where team_id = $1 and tool_id = $2', [
    team.id,
    tool,
  ]);
  expect(rows).toEqual([{ chosen_users: [bob.user.id] }]);
});

it('lists what has ended at the price of buying it again, for everybody', async () => {
  const { owner, team, ann, choose } = await practice(['Bob']);
  await choose([ann]);
  await owner.agent.post('/api/cancel-subscription').send({ toolId: tool, teamId: team.id }).expect(200);
  await live(app, 40 * DAY);
  const { body } = await owner.agent.get('/api/user/subscriptions').expect(200);
  const quote = await owner.agent.get(`/api/pricing/quote?toolId=${tool}&teamId=${team.id}`).expect(200);
  const { totalCents } = quote.body as { totalCents: number };
  expect((body as Subscription[]).find(({ toolId }) => toolId === tool)).toMatchObject({
    status: 'expired',
    monthlyCents: totalCents,
    quantity: 3,
  });
});
