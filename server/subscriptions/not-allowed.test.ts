import { describe, expect, it, vi } from 'vitest';
import { contract } from '#shared/api/index.ts';
import { purchaseRefusals } from '#shared/api/purchase-refusals.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, confirm, DAY, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { type Agent, freshTestApp } from '#server/testing/test-app.ts';

vi.setConfig({ testTimeout: 60_000 });

const app = freshTestApp();
const tool = 'risk-profile-ai';
const card = { cents: 3000, last4: '4242' };
const [, sentence] = purchaseRefusals.tool_not_allowed;

type Person = { agent: Agent; userId: string };
type State = 'none' | 'running' | 'stopped' | 'cancelled' | 'ended' | 'grace' | 'expired';

const customerOf = async (userId: string) =>
  (await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [userId]))[0]!.id as string;
const cancel = (agent: Agent, cancelImmediately: boolean) =>
  agent.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately }).expect(200);
const stop = (agent: Agent) =>
  agent.patch(`/api/subscriptions/${tool}/auto-renew`).send({ autoRenew: false }).expect(200);

/** Brings the member's own subscription to where the practice's decision finds it. */
const bring: Record<State, (person: Person) => Promise<void>> = {
  none: async () => undefined,
  running: async ({ agent }) => void (await buy(app, agent, tool)),
  stopped: async ({ agent }) => {
    await buy(app, agent, tool);
    await stop(agent);
  },
  cancelled: async ({ agent }) => {
    await buy(app, agent, tool);
    await cancel(agent, false);
  },
  ended: async ({ agent }) => {
    await buy(app, agent, tool);
    await cancel(agent, true);
  },
  grace: async ({ agent, userId }) => {
    await buy(app, agent, tool);
    await app.sandbox!.controls.failNextCharges(await customerOf(userId));
    await passTo(app, (await shown(agent, tool))!.endDate!, 60_000);
    await pass(app, DAY / 12);
    expect((await shown(agent, tool))!.status).toBe('grace_period');
  },
  expired: async ({ agent }) => {
    await buy(app, agent, tool);
    await cancel(agent, true);
    await pass(app, 8 * DAY);
    expect((await shown(agent, tool))!.status).toBe('expired');
  },
};

const offer = { toolId: tool, offerId: 'comeback_special', discountPercentage: 30 };
type Write = [what: string, state: State, send: (agent: Agent) => ReturnType<Agent['post']>];
const refused: Record<'create' | 'resubscribe' | 'reactivate' | 'pay' | 'autoRenew' | 'launch', Write[]> = {
  create: [
    ['buying', 'none', (agent) => agent.post('/api/create-subscription').send({ toolId: tool })],
    ['a trial', 'none', (agent) => agent.post('/api/create-subscription').send({ toolId: tool, trial: true })],
    ['buying again', 'expired', (agent) => agent.post('/api/create-subscription').send({ toolId: tool, charge: card })],
  ],
  resubscribe: [['a win-back offer', 'expired', (agent) => agent.post('/api/resubscribe').send(offer)]],
  reactivate: [
    ['undoing', 'cancelled', (agent) => agent.post('/api/reactivate-subscription').send({ toolId: tool })],
    ['beginning again', 'ended', (agent) => agent.post('/api/reactivate-subscription').send({ toolId: tool })],
    ['reactivating', 'grace', (agent) => agent.post('/api/reactivate-subscription').send({ toolId: tool })],
  ],
  pay: [['paying what is owed', 'grace', (agent) => agent.post('/api/billing/pay').send({ charge: card })]],
  autoRenew: [
    ['renewing', 'stopped', (agent) => agent.patch(`/api/subscriptions/${tool}/auto-renew`).send({ autoRenew: true })],
  ],
  launch: [['opening', 'running', (agent) => agent.post('/api/auth/token').send({ toolId: tool })]],
};
/** Calls that end it, or only read Stripe. */
const goesOn = ['cancel', 'sync'] as const;

async function practice() {
  const owner = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: owner.user.id });
  const { agent, user } = await app.signedIn();
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'member' });
  const decide = (body: object) => owner.agent.put(`/api/teams/${team.id}/record/tools/${tool}`).send(body).expect(200);
  return { owner, team, member: { agent, userId: user.id }, decide };
}
const own = (userId: string) =>
  rowsOf(
    app,
    'select status, auto_renew, end_date, revision from tool_subscriptions where user_id = $1 order by tool_id',
    [userId],
  );

describe('a tool that the practice does not allow', () => {
  it('has every write of subscriptions in its table', () => {
    const writes = Object.entries(contract.subscriptions).filter(([, { method }]) => method !== 'GET');
    expect([...Object.keys(refused), ...goesOn].toSorted()).toEqual(
      [...writes.map(([name]) => name), 'pay', 'launch'].toSorted(),
    );
  });

  it.each(Object.entries(refused).flatMap(([name, writes]) => writes.map((write) => [name, ...write] as const)))(
    'refuses %s (%s, %s) in one sentence, changes nothing, and takes it once it is allowed',
    async (_name, _what, state, send) => {
      const { member, decide } = await practice();
      await bring[state](member);
      await decide({ allowed: false, reason: 'Where its data is kept is not stated.' });
      const before = await own(member.userId);
      const { body } = await send(member.agent).expect(403);
      expect(body).toMatchObject({ code: 'tool_not_allowed', message: sentence });
      expect(await own(member.userId)).toEqual(before);
      await decide({ allowed: true });
      const { body: after } = await send(member.agent);
      expect(after).not.toMatchObject({ code: 'tool_not_allowed' });
    },
  );

  it('is refused to the owner for the team too', async () => {
    const { owner, team, decide } = await practice();
    await buy(app, owner.agent, tool, 'pm_card_visa', { teamId: team.id });
    const forTeam = { toolId: tool, teamId: team.id };
    await owner.agent
      .patch(`/api/subscriptions/${tool}/auto-renew`)
      .send({ autoRenew: false, teamId: team.id })
      .expect(200);
    await decide({ allowed: false });
    const renew = await owner.agent
      .patch(`/api/subscriptions/${tool}/auto-renew`)
      .send({ autoRenew: true, teamId: team.id })
      .expect(403);
    expect(renew.body).toMatchObject({ code: 'tool_not_allowed' });
    await owner.agent
      .post('/api/cancel-subscription')
      .send({ ...forTeam, cancelImmediately: true })
      .expect(200);
    await owner.agent
      .post('/api/reactivate-subscription')
      .send(forTeam)
      .expect(403, /tool_not_allowed/);
    await owner.agent
      .post('/api/create-subscription')
      .send(forTeam)
      .expect(403, /tool_not_allowed/);
  });

  it('is neither named nor paid where a new card pays what is owed', async () => {
    const { member, decide } = await practice();
    await bring.grace(member);
    await decide({ allowed: false });
    const begun = await member.agent.post('/api/billing/setup-intent').send({}).expect(200);
    expect(begun.body).toMatchObject({ owedCents: 0 });
    const secret = begun.body.clientSecret as string;
    await confirm(app, secret, 'pm_card_mastercard');
    const setupIntentId = secret.slice(0, secret.indexOf('_secret_'));
    const saved = await member.agent.post('/api/billing/payment-method').send({ setupIntentId }).expect(200);
    expect(saved.body).toMatchObject({ last4: '4444', paidCents: 0, refusedCents: 0 });
    expect((await shown(member.agent, tool))!.status).toBe('grace_period');
  });

  it('gets no offer to come back; cancelling it and stopping the renewal stay possible', async () => {
    const { member, decide } = await practice();
    await bring.expired(member);
    expect((await member.agent.get('/api/winback/offers').expect(200)).body).toHaveLength(1);
    await decide({ allowed: false });
    expect((await member.agent.get('/api/winback/offers').expect(200)).body).toEqual([]);
    await decide({ allowed: true });
    await buy(app, member.agent, tool);
    await decide({ allowed: false });
    await stop(member.agent);
    await cancel(member.agent, true);
  });
});
