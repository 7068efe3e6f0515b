import { expect, it } from 'vitest';
import { addressOf } from '#shared/api/address.ts';
import { changedBy } from '#shared/api/changes.ts';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/members.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { rememberedDevices } from '#shared/schema/factors.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers } from '#shared/schema/teams.ts';
import { authTokens } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { createTeam, password } from '../factories.ts';
import { type Agent, testApp } from '../test-app.ts';

const app = testApp();
const toolId = 'risk-profile-ai';

/** A practice with what its pages can show: a tool of its own, one that it doesn't allow, a session, an invitation, a hold. */
async function practice() {
  const { db, now } = app.context;
  const expiresAt = plus(now(), hour);
  const owner = await app.signedIn({ firstName: 'Grace', lastName: 'Taylor' });
  const member = await app.signedIn({ firstName: 'Mia', lastName: 'Wong', membershipType: 'team' });
  const { team } = await createTeam(app.context, { ownerId: owner.user.id, name: 'Harbour', requiresFactor: true });
  const teamId = team.id;
  await db.insert(teamMembers).values({ teamId, userId: member.user.id, role: 'member' });
  await db.insert(toolSubscriptions).values({ teamId, toolId, status: 'active', subscriptionType: 'team' });
  const [session] = await db.insert(toolUsage).values({ userId: member.user.id, teamId, toolId }).returning();
  for (const { user } of [owner, member]) {
    await db
      .insert(rememberedDevices)
      .values({ userId: user.id, token: user.id, authEpoch: user.authEpoch, device: 'Firefox', expiresAt });
    await db.insert(authTokens).values({ userId: user.id, token: user.id, toolId, kind: 'api_key', expiresAt });
  }
  const record = `/api/teams/${teamId}/record`;
  const { body } = await owner.agent
    .post(`${record}/tools`)
    .send({
      name: 'ChatGPT',
      usedFor: 'Letters',
      dataAllowed: 'No names',
      reviewDue: null,
      accountableId: owner.user.id,
    })
    .expect(200);
  const outside = (body as { tools: { toolId: string; outside: boolean }[] }).tools.find((one) => one.outside)!.toolId;
  await owner.agent.put(`${record}/tools/pre-fill-ai`).send({ allowed: false }).expect(200);
  await owner.agent.post(`${record}/holds`).send({ clientReference: 'F-1', reason: 'A complaint' }).expect(200);
  await owner.agent.post(`/api/teams/${teamId}/invite`).send({ email: 'new@harbour.example' }).expect(200);
  return { owner, member, teamId, outside, sessionId: session!.id };
}
type Practice = Awaited<ReturnType<typeof practice>>;

/** A download, and what the page asks for anew whenever it shows it; the bell asks for the notices after each write. */
const { accounts, asks, evidence, notifications, recalls, record, security, subscriptions, teams } = contract;
const askedAnew: readonly Endpoint[] = [
  accounts.authUser,
  evidence.choices,
  evidence.list,
  ...Object.values(notifications),
  ...Object.values(recalls),
  record.inventory,
  record.recentClients,
  record.session,
  record.sessions,
  record.staying,
  record.teamSessions,
  record.unstated,
  security.exportAccount,
  security.signIns,
  subscriptions.changes,
  teams.activity,
  asks.ofTeam,
];
const reads = Object.values(contract)
  .flatMap((calls): Endpoint[] => Object.values(calls))
  .filter((call) => call.method === 'GET' && call.access !== 'tool' && !call.file && !askedAnew.includes(call));

/** What is reckoned from the moment of the call shows nothing. */
const withoutTimes = (text: string) => text.replaceAll(/T\d\d:\d\d:\d\d\.\d{3}Z/g, '');

/** What each read answers to this person, where it answers. */
async function answersTo(agent: Agent, { teamId, sessionId }: Practice) {
  const params = { teamId, toolId, id: sessionId };
  const answers: [Endpoint, string, string][] = [];
  for (const read of reads)
    for (const query of [{}, { teamId }, { toolId }, { teamId, toolId }]) {
      const address = addressOf(read, { params, query });
      const { status, text } = await agent.get(address);
      if (status === 200) answers.push([read, address, withoutTimes(text)]);
    }
  return answers;
}

type Who = 'owner' | 'member';
type Write = [
  name: string,
  write: Endpoint,
  who: Who,
  send: (agent: Agent, practice: Practice) => PromiseLike<unknown>,
];
const ofTeam = ({ teamId }: Practice, rest = '') => `/api/teams/${teamId}${rest}`;
const rules = { lateAfterDays: 7, refusesLate: true, remindsWeekly: true, needsClient: true, checks: ['Figures'] };
const writes: Write[] = [
  [
    'a name',
    accounts.updateProfile,
    'owner',
    (agent) => agent.patch('/api/user/profile').send({ firstName: 'Hope' }).expect(200),
  ],
  [
    'a password',
    security.changePassword,
    'owner',
    (agent) =>
      agent
        .post('/api/user/change-password')
        .send({ currentPassword: password, newPassword: 'Another-1-Password' })
        .expect(200),
  ],
  [
    'the name of a practice',
    teams.rename,
    'owner',
    (agent, all) => agent.patch(ofTeam(all)).send({ name: 'Harbour and Sons' }).expect(200),
  ],
  [
    'who needs two steps',
    teams.requireFactor,
    'owner',
    (agent, all) => agent.put(ofTeam(all, '/second-factor')).send({ required: false }).expect(200),
  ],
  [
    'a role',
    teams.changeRole,
    'owner',
    (agent, all) =>
      agent
        .patch(ofTeam(all, `/members/${all.member.user.id}`))
        .send({ role: 'reviewer' })
        .expect(200),
  ],
  [
    'who is a member',
    teams.removeMember,
    'owner',
    (agent, all) => agent.delete(ofTeam(all, `/members/${all.member.user.id}`)).expect(200),
  ],
  ['a practice that is closed', teams.close, 'owner', (agent, all) => agent.delete(ofTeam(all)).send({}).expect(200)],
  ['a practice that is left', teams.leave, 'member', (agent, all) => agent.post(ofTeam(all, '/leave')).expect(200)],
  [
    'rules of the record',
    record.setRules,
    'owner',
    (agent, all) => agent.put(ofTeam(all, '/record/rules')).send(rules).expect(200),
  ],
  [
    'what is allowed',
    record.decide,
    'owner',
    (agent, all) =>
      agent
        .put(ofTeam(all, `/record/tools/${toolId}`))
        .send({ allowed: false })
        .expect(200),
  ],
  [
    'a tool from elsewhere',
    record.decide,
    'owner',
    (agent, all) =>
      agent
        .put(ofTeam(all, `/record/tools/${all.outside}`))
        .send({ name: 'Claude' })
        .expect(200),
  ],
];

it.each(writes)('whoever changes %s reads each answer again that differs', async (_what, write, who, send) => {
  const all = await practice();
  const { agent } = all[who];
  const before = await answersTo(agent, all);
  await send(agent, all);
  const after = new Map((await answersTo(agent, all)).map(([, address, text]) => [address, text]));
  const differ = before.filter(([, address, text]) => after.has(address) && after.get(address) !== text);
  const changed = [...new Set(differ.map(([read]) => read))];
  // The page takes the user from the answer.
  const known: readonly Endpoint[] = [
    ...changedBy(write),
    ...(write === accounts.updateProfile ? [accounts.user] : []),
  ];
  expect(changed.filter((read) => !known.includes(read)).map(({ path }) => path)).toEqual([]);
  expect(changed).not.toEqual([]);
});
