import { describe, expect, it, vi } from 'vitest';
import { teamMembers } from '#shared/schema/teams.ts';
import { handOver } from '#server/testing/hand-over.ts';
import { createTeam } from '#server/testing/factories.ts';
import { buy, DAY, live, pass, passTo, rowsOf, shown } from '#server/testing/purchases.ts';
import { type Agent, freshTestApp } from '#server/testing/test-app.ts';
import { freeAccessChanged } from '../change/free-access.ts';

vi.setConfig({ testTimeout: 120_000 });

const app = freshTestApp();
const tool = 'risk-profile-ai';
const reason = 'Where its data is kept is not stated.';

type Person = { agent: Agent; userId: string; decide: () => Promise<void> };
type Case = {
  what: string;
  /** From the first press to the mail; the practice decides in between. */
  happens: (person: Person) => Promise<void>;
  /** What is said where the tool is allowed. */
  invites: RegExp;
  kind: string;
};

const customerOf = async (userId: string) =>
  (await rowsOf(app, 'select stripe_customer_id as id from users where id = $1', [userId]))[0]!['id'] as string;
const cancel = (agent: Agent, cancelImmediately: boolean) =>
  agent.post('/api/cancel-subscription').send({ toolId: tool, cancelImmediately }).expect(200);

const setFreeAccess = async (userId: string, granted: boolean) => {
  await rowsOf(app, 'update users set free_access_granted = $2 where id = $1', [userId, granted]);
  await freeAccessChanged(app.context, userId);
};

const cases: Case[] = [
  {
    what: 'a trial that ends without a card',
    async happens({ agent, decide }) {
      await agent.post('/api/create-subscription').send({ toolId: tool, trial: true }).expect(200);
      await decide();
      await live(app, 24 * DAY);
    },
    invites: /Add a card/,
    kind: 'trial-ending',
  },
  {
    what: 'a payment that failed',
    async happens({ agent, userId, decide }) {
      await buy(app, agent, tool);
      await decide();
      await app.sandbox!.controls.failNextCharges(await customerOf(userId));
      await passTo(app, (await shown(agent, tool))!.endDate!, 60_000);
      await pass(app, DAY / 8);
    },
    invites: /Pay \$|You keep access/,
    kind: 'payment-failed',
  },
  {
    what: 'free access that ended',
    async happens({ agent, userId, decide }) {
      await setFreeAccess(userId, true);
      await agent.post('/api/create-subscription').send({ toolId: tool }).expect(200);
      await decide();
      await setFreeAccess(userId, false);
      await pass(app, DAY / 8);
    },
    invites: /Start paying/,
    kind: 'free-access-ended',
  },
  {
    what: 'a cancellation',
    async happens({ agent, decide }) {
      await buy(app, agent, tool);
      await decide();
      await cancel(agent, false);
    },
    invites: /If you change your mind/,
    kind: 'cancelled',
  },
  {
    what: 'a renewal that was stopped',
    async happens({ agent, decide }) {
      await buy(app, agent, tool);
      await decide();
      await agent.patch(`/api/subscriptions/${tool}/auto-renew`).send({ autoRenew: false }).expect(200);
    },
    invites: /To keep it/,
    kind: 'auto-renew',
  },
];

async function member(allowed: boolean) {
  const owner = await app.signedIn();
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour Advice' });
  const { agent, user } = await app.signedIn();
  await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'member' });
  const decide = async () => {
    const body = allowed ? { allowed } : { allowed, reason };
    await owner.agent.put(`/api/teams/${team.id}/record/tools/${tool}`).send(body).expect(200);
  };
  return { agent, userId: user.id, email: user.email, decide };
}
const told = async ({ email, userId }: { email: string; userId: string }, kind: string) => {
  await app.context.queue.drain();
  const mails = await rowsOf(
    app,
    'select subject, text_body from mails where to_address = $1 and kind = $2 order by created_at',
    [email, kind],
  );
  const notices = await rowsOf(app, 'select message from notifications where user_id = $1', [userId]);
  return {
    mail: mails.map((mail) => `${String(mail['subject'])}\n${String(mail['text_body'])}`.replaceAll(/\s+/g, ' ')).at(0),
    notices: notices.map(({ message }) => String(message)).join('\n'),
  };
};

describe('a tool that the practice does not allow', () => {
  it.each(cases)('lets nobody be asked to keep it or to pay for it: $what', async ({ happens, invites, kind }) => {
    const free = await member(true);
    await happens(free);
    expect((await told(free, kind)).mail).toMatch(invites);
    const bound = await member(false);
    await happens(bound);
    const { mail, notices } = await told(bound, kind);
    expect(mail).toMatch(new RegExp(`Harbour Advice doesn’t allow (it|Risk Profile AI) \\(“${reason}”\\)`));
    for (const text of [mail, notices]) expect(text).not.toMatch(invites);
  });

  it('lets nobody be asked to pay it with another, which would be refused; the mail says how to pay the other', async () => {
    for (const { happens, kind, invites } of cases.filter(({ kind: one }) =>
      ['payment-failed', 'free-access-ended'].includes(one),
    )) {
      const person = await member(false);
      if (kind === 'payment-failed') await buy(app, person.agent, 'file-note-ai');
      else {
        await setFreeAccess(person.userId, true);
        await person.agent.post('/api/create-subscription').send({ toolId: 'file-note-ai' }).expect(200);
      }
      await happens(person);
      const { mail } = await told(person, kind);
      expect(mail).not.toMatch(invites);
      expect(mail).toContain(`Harbour Advice doesn’t allow Risk Profile AI (“${reason}”).`);
      expect(mail).toContain(
        'Cancel Risk Profile AI under Billing on your dashboard, and it comes off the amount; then you can pay the rest by ',
      );
    }
  });

  it('is on a bill whose mail says that it can’t be opened, and how to stop it', async () => {
    const person = await member(false);
    await buy(app, person.agent, tool);
    await person.decide();
    await live(app, 25 * DAY);
    const { mail } = await told(person, 'renewal-reminder');
    expect(mail).toContain(`Harbour Advice doesn’t allow Risk Profile AI (“${reason}”), so it can’t be opened.`);
    expect(mail).toMatch(/choose Cancel by \d+ \w+ \d{4}\./);
  });

  it('is offered to nobody again once it has ended', async () => {
    const [free, bound] = [await member(true), await member(false)];
    for (const person of [free, bound]) {
      await buy(app, person.agent, tool);
      await person.decide();
      await cancel(person.agent, true);
    }
    await live(app, 9 * DAY);
    const allowed = await told(free, 'win-back');
    expect(allowed.mail).toContain('come back for less');
    expect(allowed.notices).toContain('You can subscribe again');
    const { mail, notices } = await told(bound, 'win-back');
    expect(mail).toBeUndefined();
    expect(notices).toContain(
      `The time to reactivate Risk Profile AI is over. Harbour Advice doesn’t allow Risk Profile AI`,
    );
    expect(notices).not.toContain('subscribe again');
  });

  it.each([
    ['wanted where another tool is allowed', [], /please add one/],
    ['not wanted where none is', [tool, 'fact-find-ai'], /what can’t be charged simply ends/],
  ])('lets a team without a card hear that one is %s', async (_what, notAllowed, says) => {
    const old = await app.signedIn();
    const { team } = await createTeam(app.context, { ownerId: old.user.id, name: 'Harbour Advice' });
    const { agent, user } = await app.signedIn();
    await app.context.db.insert(teamMembers).values({ teamId: team.id, userId: user.id, role: 'member' });
    for (const toolId of [tool, 'fact-find-ai', 'file-note-ai'])
      await buy(app, old.agent, toolId, 'pm_card_visa', { teamId: team.id });
    await handOver(old.agent, agent, team.id, user.id);
    for (const toolId of notAllowed)
      await agent.put(`/api/teams/${team.id}/record/tools/${toolId}`).send({ allowed: false }).expect(200);
    const file = { toolId: 'file-note-ai', teamId: team.id, cancelImmediately: false };
    await agent.post('/api/cancel-subscription').send(file).expect(200);
    const { mail } = await told({ email: user.email, userId: user.id }, 'cancelled');
    expect(mail).toMatch(/\$[\d.,]+ for Harbour Advice is due on /);
    expect(mail).toMatch(says);
  });
});
