import { day, plus, sydneyDate } from '#shared/rules/dates.ts';
import { seededRandom } from '#server/dev/seeded-random.ts';
import { createTeam, createUser, type NewUser, password } from '../factories.ts';
import { confirm } from '../purchases.ts';
import { type Agent, asAdministrator, rowsOf, signIn, type World } from './world.ts';

/** An adviser of the try-out, or the owner of a team that pays. */
export type Life = { name: string; email: string; userId: string; teamId: string | null; random: () => number };

export const tools = [
  'risk-profile-ai',
  'fact-find-ai',
  'file-note-ai',
  'pre-fill-ai',
  'portfolio-ai',
  'share-advice-ai',
];
export const [toolA, toolB, toolC, , repricedTool] = tools as [string, string, string, string, string];

const emailOf = (name: string) => `${name}@lives.example`;

/** A new payer; a team where there are members besides its owner. */
export async function born(
  world: World,
  name: string,
  seed: number,
  members: number,
  details: NewUser = {},
): Promise<Life> {
  const createdAt = world.context.now();
  const user = await createUser(world.context, { email: emailOf(name), firstName: name, createdAt, ...details });
  const team =
    members > 0 ? (await createTeam(world.context, { ownerId: user.id, members, name, createdAt })).team : null;
  return { name, email: user.email, userId: user.id, teamId: team?.id ?? null, random: seededRandom(seed) };
}

/** These payers in another process. */
export async function livesOf(world: World): Promise<Map<string, Life>> {
  const rows = await rowsOf(
    world,
    `select u.email, u.id, t.id as team from users u left join teams t on t.owner_id = u.id and t.is_active
     where u.email like '%@lives.example'`,
  );
  const lives = rows.map(({ email, id, team }): Life => {
    const name = String(email).split('@')[0]!;
    return {
      name,
      email: String(email),
      userId: String(id),
      teamId: team as string | null,
      random: seededRandom(name.length),
    };
  });
  return new Map(lives.map((life) => [life.name, life]));
}

const payerOf = ({ teamId }: Life) => (teamId ? { teamId } : {});

type Answer = { status: number; body: { clientSecret?: string | null; quote?: { dueTodayCents: number } } };

/** Pays with a typed card where the answer asks for one. */
async function giveCard(
  world: World,
  life: Life,
  agent: Agent,
  toolId: string,
  { body }: Answer,
  card = 'pm_card_visa',
) {
  if (body.clientSecret) await confirm(world, body.clientSecret, card);
  await agent.post(`/api/subscriptions/${toolId}/sync`).send(payerOf(life));
}

/** A press; where the answer says what is due, it agrees to that. */
async function press(
  world: World,
  life: Life,
  path: string,
  asked: { toolId: string } & Record<string, unknown>,
): Promise<void> {
  const agent = await signIn(world, life.email);
  const send = (more: object = {}): Promise<Answer> => agent.post(path).send({ ...asked, ...payerOf(life), ...more });
  const answer = await send();
  await giveCard(
    world,
    life,
    agent,
    asked.toolId,
    answer.status === 409 ? await agreed(world, life, send, answer) : answer,
  );
}

async function agreed(
  world: World,
  { userId, teamId }: Life,
  send: (more: object) => Promise<Answer>,
  refused: Answer,
) {
  const { quote } = refused.body;
  const [{ last4 } = { last4: null }] = await rowsOf(
    world,
    'select card_last4 as last4 from users where id = $1 and $2::uuid is null union all select card_last4 from teams where id = $2',
    [userId, teamId],
  );
  if (!quote || last4 === null) return refused;
  const { nextBill } = quote as unknown as { nextBill: { totalCents: number } | null };
  return send({ charge: { cents: quote.dueTodayCents, last4, nextCents: nextBill?.totalCents ?? null } });
}

const admin = asAdministrator;
const inDays = ({ context }: World, days: number) => sydneyDate(plus(context.now(), days * day));

type Deed = (world: World, life: Life, toolId: string) => Promise<unknown>;

/** What may happen to a payer. A refusal (nothing to cancel, too late) is part of life. */
export const deeds = {
  buy: (world, life, toolId) => press(world, life, '/api/create-subscription', { toolId }),
  leaveUnpaid: async (world, life, toolId) =>
    (await signIn(world, life.email)).post('/api/create-subscription').send({ toolId, ...payerOf(life) }),
  buyWithCode: (world, life, toolId) => press(world, life, '/api/create-subscription', { toolId, code: 'SPRING' }),
  trial: (world, life, toolId) => press(world, life, '/api/create-subscription', { toolId, trial: true }),
  cancel: (world, life, toolId) => press(world, life, '/api/cancel-subscription', { toolId }),
  cancelNow: (world, life, toolId) =>
    press(world, life, '/api/cancel-subscription', { toolId, cancelImmediately: true }),
  reactivate: (world, life, toolId) => press(world, life, '/api/reactivate-subscription', { toolId }),
  autoRenewOff: (world, life, toolId) => renewal(world, life, toolId, false),
  autoRenewOn: (world, life, toolId) => renewal(world, life, toolId, true),
  comeBack: async (world, life, toolId) => {
    const { body } = await (await signIn(world, life.email)).get('/api/winback/offers').expect(200);
    const found = (body as { toolId: string; offers: { offerId: string; discountPercentage: number }[] }[]).find(
      (one) => one.toolId === toolId,
    );
    const { offerId, discountPercentage } = found?.offers[0] ?? {};
    if (offerId) await press(world, life, '/api/resubscribe', { toolId, offerId, discountPercentage });
  },
  goodCard: (world, life) => newCard(world, life, 'pm_card_mastercard'),
  badCard: (world, life) => newCard(world, life, 'pm_card_chargeCustomerFail'),
  memberJoins: async (world, { email, teamId }) => {
    if (!teamId) return;
    const newcomer = await createUser(world.context);
    const owner = await signIn(world, email);
    const { body } = await owner.post(`/api/teams/${teamId}/invite`).send({ email: newcomer.email }).expect(200);
    const token = new URL((body as { inviteUrl: string }).inviteUrl).searchParams.get('token');
    await (await signIn(world, newcomer.email)).post(`/api/invitations/${token}/accept`).send({}).expect(200);
  },
  memberLeaves: async (world, { email, teamId }) => {
    const newest = `select user_id from team_members where team_id = $1 and role = 'member' order by joined_at desc limit 1`;
    const [member] = await rowsOf(world, newest, [teamId]);
    if (member) await (await signIn(world, email)).delete(`/api/teams/${teamId}/members/${String(member['user_id'])}`);
  },
  freeMonth: async (world, life, toolId) => {
    const [row] = await rowsOf(
      world,
      'select id from tool_subscriptions where tool_id = $1 and $2 in (user_id, team_id) and is_active',
      [toolId, life.teamId ?? life.userId],
    );
    if (!row) return;
    const path = `/api/admin/subscriptions/${String(row['id'])}/free-months`;
    const reader = await administratorOf(world);
    const asked = { months: 1, all: false };
    const { body } = await reader.get(path).query(asked);
    const { savedCents } = body as { savedCents?: number | null };
    if (savedCents != null) await admin(world, path, { ...asked, savedCents, reason: 'Sorry' });
  },
  grant: (world, { userId }) => admin(world, '/api/admin/grant-free-access', { userId }),
  suspend: (world, { userId }) => admin(world, '/api/admin/suspend', { userId, reason: 'Asked by the licensee.' }),
} satisfies Record<string, Deed>;
export type DeedName = keyof typeof deeds;

async function administratorOf(world: World): Promise<Agent> {
  const [row] = await rowsOf(
    world,
    `select email from users where is_admin and email like 'admin-%' order by created_at desc limit 1`,
  );
  return signIn(world, String(row?.['email']));
}

const renewal = async (world: World, life: Life, toolId: string, autoRenew: boolean) =>
  (await signIn(world, life.email))
    .patch(`/api/subscriptions/${toolId}/auto-renew`)
    .send({ autoRenew, ...payerOf(life) });

async function newCard(world: World, life: Life, card: string): Promise<void> {
  const agent = await signIn(world, life.email);
  if (life.teamId) await agent.post('/api/user/proof').send({ password }).expect(200);
  const { body } = await agent.post('/api/billing/setup-intent').send(payerOf(life)).expect(200);
  const secret = (body as { clientSecret: string }).clientSecret;
  await confirm(world, secret, card);
  const setupIntentId = secret.slice(0, secret.indexOf('_secret_'));
  await agent.post('/api/billing/payment-method').send({ setupIntentId, ...payerOf(life) });
}

/** A discount code, and later a price that goes up for those who have the tool. */
export const makeCode = (world: World) =>
  admin(world, '/api/admin/codes', {
    code: 'SPRING',
    percent: 20,
    months: 3,
    toolIds: null,
    lastDay: inDays(world, 88),
    mostRedemptions: 1e4,
    reason: 'Lives',
  });
export const raisePrice = (world: World) =>
  admin(world, `/api/admin/tools/${repricedTool}/price`, {
    priceCents: 4400,
    currentCents: 4e3,
    startsOn: inDays(world, 33),
    reason: 'Better searches',
  });

const wishes: DeedName[] = [
  ...(['buy', 'buy', 'buy', 'trial', 'trial', 'buyWithCode', 'comeBack', 'cancel', 'cancelNow', 'reactivate'] as const),
  ...([
    'autoRenewOff',
    'autoRenewOn',
    'goodCard',
    'badCard',
    'memberJoins',
    'memberJoins',
    'memberLeaves',
    'freeMonth',
  ] as const),
];
const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Something that a payer may do on a day, or nothing. */
export async function something(world: World, life: Life, { isNew }: { isNew: boolean }): Promise<void> {
  const { random } = life;
  if (random() > (isNew ? 0.3 : 0.12)) return;
  const deed = isNew ? pick(random, ['buy', 'trial'] as const) : pick(random, wishes);
  await deeds[deed](world, life, pick(random, tools));
}

/** On that day, counted from the beginning. */
export type Act = [at: number, deed: DeedName, toolId?: string];

export const deedOf = (world: World, life: Life, [, deed, toolId]: Act) => deeds[deed](world, life, toolId ?? toolA);
