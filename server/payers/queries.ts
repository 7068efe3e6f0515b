import { and, type Column, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import type { PaymentMethod } from '#shared/api/billing.ts';
import { zoneOf } from '#shared/rules/dates.ts';
import { teamCan, type TeamRight, type TeamRole } from '#shared/rules/people/teams.ts';
import { users } from '#shared/schema/accounts.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { type Db, pick, readTogether } from '#server/platform/data/database.ts';
import { grouped, together } from '#server/platform/data/together.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';

/** Who pays: an adviser for themselves, or a team, which stays the same payer when its owner changes. */
export type Payer = { kind: 'user'; userId: string } | { kind: 'team'; teamId: string };

export const userPayer = (userId: string): Payer => ({ kind: 'user', userId });
export const teamPayer = (teamId: string): Payer => ({ kind: 'team', teamId });

/** Who a trial was taken by: the person, whatever alias of their address (`+tags`, Google's dots) they sign up with. */
export function trialIdentityOf(email: string): string {
  const [local = '', domain = ''] = email.trim().toLowerCase().split('@');
  const base = local.split('+')[0] ?? local;
  const isGoogle = domain === 'gmail.com' || domain === 'googlemail.com';
  return hashToken(isGoogle ? `${base.replaceAll('.', '')}@gmail.com` : `${base}@${domain}`);
}

/** The payer as the two columns that tables have for it; exactly one of them is set. */
export const columnsOf = (payer: Payer): { userId: string | null; teamId: string | null } =>
  payer.kind === 'user' ? { userId: payer.userId, teamId: null } : { userId: null, teamId: payer.teamId };

export function payerOf({ userId, teamId }: { userId: string | null; teamId: string | null }): Payer {
  if (userId !== null) return userPayer(userId);
  if (teamId === null) throw new Error('a row without a payer');
  return teamPayer(teamId);
}

export const subjectOf = (payer: Payer) => (payer.kind === 'user' ? { user: payer.userId } : { team: payer.teamId });

export const payerKey = (payer: Payer) => (payer.kind === 'user' ? payer.userId : `team:${payer.teamId}`);

/** Advisers as payers, or as owners of teams that pay, for joins. PostgreSQL inlines the subquery. */
export const payingAdviser = new QueryBuilder()
  .select({ id: users.id, cardLast4: users.cardLast4, stripeSubscriptionId: users.stripeSubscriptionId })
  .from(users)
  .as('paying_adviser');

export const payingTeam = new QueryBuilder()
  .select(pick(teams, 'id', 'name', 'ownerId', 'needsClient', 'cardLast4', 'stripeSubscriptionId'))
  .from(teams)
  .as('paying_team');

/** The rows of this payer, in a table with both columns. */
export const ofPayer = (table: { userId: Column; teamId: Column }, payer: Payer) =>
  payer.kind === 'user' ? eq(table.userId, payer.userId) : eq(table.teamId, payer.teamId);

/** The payer's row, an account or a team; both hold a card and a Stripe customer. */
export const rowOf = (payer: Payer): { table: typeof users | typeof teams; id: string } =>
  payer.kind === 'user' ? { table: users, id: payer.userId } : { table: teams, id: payer.teamId };

/** This person's role in a live team; null for outsiders. */
export const findTeamRole = async (db: Db, teamId: string, userId: string): Promise<TeamRole | null> =>
  (
    await db
      .select({ role: teamMembers.role })
      .from(teamMembers)
      .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), eq(teams.isActive, true)))
      .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)))
  )[0]?.role ?? null;

/** The role of whoever asks for what the team opens to its members: its owner, and those with a proved address. Null for outsiders. */
export async function requireProvedRole(db: Db, teamId: string, userId: string): Promise<TeamRole | null> {
  const role = await findTeamRole(db, teamId, userId);
  if (role === null || role === 'owner') return role;
  const [found] = await db.select({ isProved: users.emailVerified }).from(users).where(eq(users.id, userId));
  if (!found?.isProved) throw new AppError('verify_for_team');
  return role;
}

/**
 * The payer a request is about: the adviser, or the given team, for whoever has the right; without one named, its owner. Outsiders are told that
 * the team does not exist; its other members are refused.
 */
export async function payerFor(
  context: Context,
  actor: { id: string },
  teamId?: string,
  right: TeamRight = 'manage',
): Promise<Payer> {
  if (teamId === undefined) return userPayer(actor.id);
  const role = await orRefuse(requireProvedRole(context.db, teamId, actor.id), 'team_not_found');
  if (!teamCan(role, right)) throw new AppError('forbidden');
  return teamPayer(teamId);
}

type StripeColumn = 'stripeCustomerId' | 'stripeSubscriptionId';

/** By these ids of Stripe customers, or of the Stripe subscriptions that bill: who pays. Those that are not ours are missing. */
export async function findPayersBy(db: Db, column: StripeColumn, ids: string[]): Promise<Map<string, Payer>> {
  const rowsOf = (table: typeof users | typeof teams) =>
    db.select({ id: table.id, key: table[column] }).from(table).where(inArray(table[column], ids));
  const [people, practices] = await readTogether(
    db,
    async () => rowsOf(users),
    async () => rowsOf(teams),
  );
  return new Map([
    ...people.map(({ id, key }) => [key!, userPayer(id)] as const),
    ...practices.map(({ id, key }) => [key!, teamPayer(id)] as const),
  ]);
}

export const findPayerBy = async (db: Db, column: StripeColumn, id: string | null): Promise<Payer | null> =>
  id === null ? null : ((await findPayersBy(db, column, [id])).get(id) ?? null);

/** Makes changes to one payer's subscriptions follow each other, so that the last one to end sees that it is the last. */
export const lockPayer = async (db: Db, payer: Payer) => {
  const { table, id } = rowOf(payer);
  await db.select({ id: table.id }).from(table).where(eq(table.id, id)).for('no key update');
};

const account = (of: typeof users | typeof teams) => ({
  ...pick(of, 'id', 'membershipType', 'cardBrand', 'cardLast4', 'cardExpMonth', 'cardExpYear'),
  /** What earlier invoices left over; Stripe takes it off the next ones. */
  creditCents: of.creditCents,
  stripeCustomerId: of.stripeCustomerId,
  /** The payer's one subscription at Stripe, when its first period began, and the next billing instant. */
  ...pick(of, 'stripeSubscriptionId', 'billingAnchor', 'nextBillAt'),
});
/** The adviser, or the owner of the team. */
const contact = {
  contactId: users.id,
  ...pick(users, 'email', 'mobile', 'abn', 'businessState'),
};
const isAsked = (id: Column) => sql`${id} = any(${sql.placeholder('ids')}::uuid[])`;

/** Whether a member of that role is paid for. */
export const hasSeat = (role: Column | SQL) => sql`${role} <> 'reviewer'`;

const queryAdvisers = (db: Db) =>
  db
    .select({
      ...account(users),
      ...contact,
      name: sql<string>`${users.firstName} || ' ' || ${users.lastName}`,
      teamName: sql<string | null>`null`,
      freeAccess: users.freeAccessGranted,
      /** An administrator has suspended the adviser, and nothing is charged meanwhile. */
      chargesPaused: users.chargesPaused,
      members: sql<number>`1`,
    })
    .from(users)
    .where(isAsked(users.id))
    .prepare('facts_of_advisers');

/** A team goes on for its members, whatever happens to its owner; closing it removes them before its subscriptions end. */
const queryTeams = (db: Db) =>
  db
    .select({
      ...account(teams),
      ...contact,
      name: teams.name,
      teamName: teams.name,
      freeAccess: sql<boolean>`false`,
      chargesPaused: sql<boolean>`false`,
      members: sql<number>`greatest(1, (select count(*)::int from team_members member where member.team_id = ${teams.id} and ${hasSeat(sql`member.role`)}))`,
    })
    .from(teams)
    .innerJoin(users, eq(users.id, teams.ownerId))
    .where(isAsked(teams.id))
    .prepare('facts_of_teams');

type Row = Awaited<ReturnType<ReturnType<typeof queryAdvisers | typeof queryTeams>['execute']>>[number];

function factsOf(kind: Payer['kind'], row: Row) {
  const { id, businessState, cardBrand: brand, cardLast4: last4, cardExpMonth, cardExpYear, ...facts } = row;
  const person = trialIdentityOf(facts.email);
  const card: PaymentMethod | null =
    last4 === null ? null : { brand: brand ?? 'card', last4, expMonth: cardExpMonth ?? 0, expYear: cardExpYear ?? 0 };
  return {
    ...facts,
    kind,
    card,
    cardOnFile: card !== null,
    /** Its day of the month in UTC. */
    billingDay: facts.billingAnchor?.getUTCDate() ?? null,
    /** The time zone that the contact lives by. */
    zone: zoneOf(businessState),
    /** Who gets one trial of each tool. For a team it is its owner and the team itself, so that neither a new team nor a new owner brings another. */
    trialIdentities: kind === 'team' ? [id, person] : [person],
  };
}

/** A payer as prices, trials, notices and Stripe's customer see them. A team has its own name, and its owner's email, phone and ABN. */
type PayerFacts = ReturnType<typeof factsOf>;

const reading = (kind: Payer['kind'], query: typeof queryAdvisers | typeof queryTeams) =>
  together((db) => {
    const prepared = query(db);
    return async (ids) => (await prepared.execute({ ids })).map((row) => [row.id, factsOf(kind, row)] as const);
  });
const readAdviser = reading('user', queryAdvisers);
const readTeam = reading('team', queryTeams);

export const findPayerFacts = (db: Db, payer: Payer): Promise<PayerFacts | null> =>
  payer.kind === 'user' ? readAdviser(db, payer.userId) : readTeam(db, payer.teamId);

/** Accounts and teams are closed, and never deleted. */
export async function requirePayerFacts(db: Db, payer: Payer): Promise<PayerFacts> {
  const found = await findPayerFacts(db, payer);
  if (!found) throw new Error(`no payer ${JSON.stringify(payer)}`);
  return found;
}

type Prepared<Row> = { execute: (values: { ids: string[] }) => Promise<Row[]> };

/** A look-up of a payer's rows, with one prepared query for advisers and one for teams. */
export function rowsByPayer<Row extends { userId: string | null; teamId: string | null }>(
  table: { userId: Column; teamId: Column },
  prepare: (db: Db, isAskedFor: SQL, by: 'userId' | 'teamId') => Prepared<Row>,
) {
  const rowsBy = (by: 'userId' | 'teamId') =>
    together((db) => {
      const query = prepare(db, sql`${table[by]} = any(${sql.placeholder('ids')}::uuid[])`, by);
      return async (ids) => grouped(await query.execute({ ids }), (row) => row[by]!);
    });
  const [ofAdviser, ofTeam] = [rowsBy('userId'), rowsBy('teamId')];
  return async (db: Db, payer: Payer): Promise<Row[]> =>
    (await (payer.kind === 'user' ? ofAdviser(db, payer.userId) : ofTeam(db, payer.teamId))) ?? [];
}
