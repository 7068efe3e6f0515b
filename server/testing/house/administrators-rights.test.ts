import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/api/endpoint.ts';
import { contract } from '#shared/api/index.ts';
import { nothingStated } from '#shared/rules/record/disclosure.ts';
import { invoices } from '#shared/schema/billing.ts';
import { evidenceStamps } from '#shared/schema/evidence.ts';
import { notifications } from '#shared/schema/notifications.ts';
import { toolAsks } from '#shared/schema/record.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamInvitations, teamMembers } from '#shared/schema/teams.ts';
import { tools } from '#shared/schema/tools.ts';
import { stepsOf } from '../evidence-steps.ts';
import { createAdmin, createTeam, createUser } from '../factories.ts';
import { enrolApp } from '../second-factor.ts';
import { type Agent, testApp } from '../test-app.ts';

/**
 * An administrator's rights stand behind `access: 'admin'` alone. Everywhere else, with the ids of things that are there and bodies
 * that are right, an administrator is answered as any other adviser.
 */
const app = testApp({ ADMIN_SECOND_FACTOR: 'on', ADMIN_NETWORKS: '203.0.113.0/24', TRUST_PROXY: 'loopback' });
const callers: Record<string, Agent> = {};
let owner: Agent;
let known: Record<string, string[]>;

const inside = '203.0.113.9';
const outside = '198.51.100.9';

beforeAll(async () => {
  const signedIn = async (email: string, ip: string) => {
    const { agent } = await app.signIn(email);
    agent.set('x-forwarded-for', ip);
    return agent;
  };
  callers['member'] = await signedIn((await createUser(app.context)).email, inside);
  callers['administrator without a factor'] = await signedIn((await createAdmin(app.context)).email, inside);
  const far = await signedIn((await createAdmin(app.context)).email, outside);
  await enrolApp(far);
  callers['administrator outside the networks'] = far;
  known = await things();
});

/** A practice and a maker with one of everything that has an address, by the call that takes it. */
async function things(): Promise<Record<string, string[]>> {
  const { db } = app.context;
  const user = await createUser(app.context);
  owner = (await app.signIn(user.email)).agent;
  const { team } = await createTeam(app.context, { ownerId: user.id, members: 1 });
  const [member] = await db
    .select()
    .from(teamMembers)
    .where(and(eq(teamMembers.teamId, team.id), eq(teamMembers.role, 'member')));
  const invited = { email: `${randomUUID()}@practice.example`, role: 'member' };
  await owner.post(`/api/teams/${team.id}/invite`).send(invited).expect(200);
  const [invitation] = await db.select().from(teamInvitations);
  const tool = 'risk-profile-ai';
  await db
    .insert(toolSubscriptions)
    .values({ teamId: team.id, toolId: tool, status: 'active', subscriptionType: 'team' });
  const { worked, packOf } = stepsOf(app);
  const session = await worked(user.id, { teamId: team.id });
  const pack = await packOf(owner, { teamId: team.id });
  const stamp = { packId: pack, reply: Buffer.from('stamp'), authority: 'Somebody', stampedAt: app.context.now() };
  await db.insert(evidenceStamps).values(stamp);
  const [invoice] = await db
    .insert(invoices)
    .values({
      stripeInvoiceId: 'in_1',
      userId: user.id,
      number: 'AD-1',
      status: 'paid',
      description: 'Risk Profile AI',
      totalCents: 3000,
      gstCents: 273,
      amountPaidCents: 3000,
      dueCents: 0,
      lines: [],
      issuedAt: app.context.now(),
    })
    .returning();
  const [notice] = await db
    .insert(notifications)
    .values({
      userId: user.id,
      type: 'system_alert',
      title: 'A',
      message: 'B',
      dedupeKey: 'a',
      createdAt: app.context.now(),
    })
    .returning();
  const settings = {
    name: 'Fee Finder',
    description: 'Fees',
    domain: 'https://fees.example',
    eventsUrl: '',
    scopes: [],
  };
  const made = await owner.post('/api/developers/tools').send(settings).expect(201);
  const { id: draft } = (made.body as { tool: { id: string } }).tool;
  const { body: shown } = await owner.get(`/api/developers/tools/${draft}`).expect(200);
  const { secrets, testAdvisers } = shown as Record<string, { id: string }[]>;
  await db.update(tools).set({ ownerId: user.id }).where(eq(tools.id, 'file-note-ai'));
  const question = {
    userId: member!.userId,
    toolId: 'fact-find-ai',
    reason: 'Long.',
    wasAllowed: true,
    askedAt: new Date(),
  };
  const [ask] = await db
    .insert(toolAsks)
    .values({ ...question, teamId: team.id })
    .returning();
  const inTeam = { teamId: [team.id], userId: [member!.userId], invitationId: [invitation!.id] };
  return {
    ...inTeam,
    toolId: [draft, 'file-note-ai', tool],
    'billing.invoicePdf': [invoice!.id],
    'asks.answer': [ask!.id],
    'record.session': [session.id],
    'record.state': [session.id],
    'notifications.read': [notice!.id],
    'notifications.remove': [notice!.id],
    'developers.revokeSecret': [secrets![0]!.id],
    'developers.launchAs': [testAdvisers![0]!.id],
    'developers.endAccess': [testAdvisers![0]!.id],
    'developers.sendEvent': [testAdvisers![0]!.id],
    evidence: [pack],
  };
}

/** Right bodies, so that it is the caller who is refused. */
const answers = { ...nothingStated, maker: 'Evil Corp' };
const announcement = {
  version: '2.0',
  model: '',
  dataLocation: '',
  subProcessors: '',
  note: '',
  onDay: '2030-01-01',
  mends: false,
};
const recall = {
  versions: [],
  fromDay: '2026-11-01',
  untilDay: null,
  wrong: 'It erred.',
  lookFor: 'Errors.',
  severity: 'low',
  stops: true,
};
const bodies: Record<string, object> = {
  'recalls.look': { sessionIds: [randomUUID()], found: 'nothing' },
  'toolRecalls.open': recall,
  'toolRecalls.change': { ...recall, reason: 'Wider.' },
  'toolRecalls.close': { reason: 'Mended.' },
  'subscriptions.autoRenew': { autoRenew: false },
  'asks.ask': { toolId: 'fact-find-ai', reason: 'Fact finds take long.' },
  'asks.answer': { outcome: 'declined', answer: 'No.' },
  'record.state': { checked: true },
  'record.drawSample': { size: 10 },
  'record.signOff': { ids: [randomUUID()], remark: '', sampleId: null },
  'record.addTool': {
    name: 'Elsewhere AI',
    usedFor: 'Summaries',
    dataAllowed: 'No names',
    accountableId: randomUUID(),
    reviewDue: null,
  },
  'record.decide': { allowed: false, reason: 'No.' },
  'record.allowNewTools': { allowed: false },
  'record.setRules': { lateAfterDays: 7, refusesLate: false, remindsWeekly: false, needsClient: false },
  'record.hold': { clientReference: 'F-10225', reason: 'A complaint.' },
  'evidence.redact': { reason: 'It names a client.' },
  'record.review': { remark: 'Looked at.', nextDue: null },
  'teams.rename': { name: 'Mine' },
  'teams.requireFactor': { required: false },
  'teams.requireMicrosoft': { required: false },
  'teams.changeRole': { role: 'admin' },
  'toolUsers.choose': { userIds: null },
  'teams.inviteMany': { invitations: [{ email: 'somebody@practice.example' }] },
  'teams.acceptHandOver': { totalCents: 0, owedCents: 0 },
  'teams.acceptInvitation': {},
  'teams.invite': { email: 'somebody@practice.example', role: 'member' },
  'developers.change': { name: 'Mine' },
  'developers.makeSecret': { kind: 'call', name: 'Mine' },
  'developers.endAccess': { ended: 'cancelled' },
  'developers.check': { page: '', finish: '' },
  'developers.sendEvent': { type: 'member.removed' },
  'developers.proposePrice': { priceCents: 2500 },
  'developers.disclose': answers,
  'developers.announce': announcement,
  'developers.stage': { domain: 'http://localhost:1/', eventsUrl: '' },
  'developers.stageAnswers': answers,
};

const bodyOf = (call: string) => (call === 'teams.transfer' ? { userId: known['userId']![0] } : bodies[call]);

const calls = Object.entries(contract).flatMap(([noun, api]) =>
  Object.entries(api as Record<string, Endpoint>).map(([name, endpoint]) => ({ call: `${noun}.${name}`, endpoint })),
);
const weak = ['administrator without a factor', 'administrator outside the networks'] as const;
const send = (agent: Agent, { method }: Endpoint, address: string, body?: object) =>
  agent[method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete'](address).send(body);
const said = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { code?: string } | null)?.code,
];

describe('a call for administrators', () => {
  const cells = calls
    .filter(({ endpoint }) => endpoint.access === 'admin')
    .flatMap(({ call, endpoint }) => weak.map((caller) => ({ call, endpoint, caller })));
  it.each(cells)('$call refuses an $caller', async ({ endpoint, caller }) => {
    const wanted = caller === weak[0] ? 'factor_required' : 'admin_network';
    expect(said(await send(callers[caller]!, endpoint, endpoint.path.replace(/:\w+/g, 'none')))).toEqual([403, wanted]);
  });
});

/** The addresses of a call, with every id that there is for it. */
const addressesOf = (call: string, path: string) =>
  [...path.matchAll(/:(\w+)/g)].reduce<string[]>(
    (made, [name, key]) => {
      const ids = known[key!] ?? known[call] ?? known[call.split('.', 1)[0]!] ?? [randomUUID()];
      return made.flatMap((address) => ids.map((id) => address.replace(name, id)));
    },
    [path],
  );
/** What else those calls have to be asked with. */
const queries: Record<string, string> = {
  'subscriptions.quote': '&toolId=fact-find-ai',
  'billing.invoicesCsv': '&financialYear=2026',
  'billing.invoicesZip': '&financialYear=2026',
  'books.statementPdf': '&financialYear=2026',
};
const operators = '/api/developers/tools/risk-profile-ai';
const takesTeam = (part: unknown) => 'teamId' in ((part as { shape?: object } | undefined)?.shape ?? {});

describe('a call that is not for administrators', () => {
  const cells = calls.filter(
    ({ endpoint }) =>
      ['signedIn', 'member'].includes(endpoint.access) && (endpoint.path.includes('/:') || takesTeam(endpoint.query)),
  );
  it.each(cells)('$call gives an administrator no more than a member', async ({ call, endpoint }) => {
    const team = takesTeam(endpoint.query) ? `?teamId=${known['teamId']![0]}${queries[call] ?? ''}` : '';
    for (const address of addressesOf(call, endpoint.path)) {
      const asked = (agent: Agent) => send(agent, endpoint, address + team, bodyOf(call));
      const member = said(await asked(callers['member']!));
      expect(member, address).not.toContain('invalid_input');
      for (const caller of weak) expect(said(await asked(callers[caller]!)), `${address}, ${caller}`).toEqual(member);
      // What it is about is there.
      if (endpoint.method === 'GET' && !address.startsWith(operators)) await asked(owner).expect(200);
    }
  });
});
