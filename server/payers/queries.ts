import { and, type Column, eq, gt, inArray, isNotNull, isNull, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/pg-core';
import { teamCan, type TeamRole } from '#shared/rules/people/teams.ts';
import { users } from '#shared/schema/accounts.ts';
import { billingAddresses } from '#shared/schema/billing.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { type Db, first, readTogether } from '#server/platform/data/database.ts';
import { hashToken } from '#server/platform/crypto/tokens.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';

const a = billingAddresses;

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

/** The payer as the subject of an audit row. */
export const subjectOf = (payer: Payer) => (payer.kind === 'user' ? { user: payer.userId } : { team: payer.teamId });

/** The payer as metadata of Stripe's objects. */
export const metadataOf = (payer: Payer): Record<string, string> =>
  payer.kind === 'user' ? { userId: payer.userId } : { teamId: payer.teamId };

/** The payer as part of a key. */
export const payerKey = (payer: Payer) => (payer.kind === 'user' ? payer.userId : `team:${payer.teamId}`);

/** Advisers as payers, or as owners of teams that pay, for joins. PostgreSQL inlines the subquery. */
export const payingAdviser = new QueryBuilder()
  .select({
    id: users.id,
    cardLast4: users.cardLast4,
    creditCents: users.creditCents,
  })
  .from(users)
  .as('paying_adviser');

/** A team that pays. */
export const payingTeam = new QueryBuilder()
  .select({
    id: teams.id,
    name: teams.name,
    ownerId: teams.ownerId,
    cardLast4: teams.cardLast4,
    creditCents: teams.creditCents,
  })
  .from(teams)
  .as('paying_team');

/** The live teams this person belongs to, as a list of ids within a query. */
export const liveTeamIds = (userId: string | Placeholder | SQL) =>
  sql`(select member.team_id from team_members member
    join teams team on team.id = member.team_id and team.is_active where member.user_id = ${userId})`;

/** The teams this person owns, closed ones too, as a list of ids within a query. */
export const ownedTeamIds = (userId: string) => sql`(select team.id from teams team where team.owner_id = ${userId})`;

/** The rows of this payer, in a table with both columns. */
export const ofPayer = (table: { userId: Column; teamId: Column }, payer: Payer) =>
  payer.kind === 'user' ? eq(table.userId, payer.userId) : eq(table.teamId, payer.teamId);

/** The payer's row, an account or a team; both hold a card and a Stripe customer. */
const rowOf = (payer: Payer): { table: typeof users | typeof teams; id: string } =>
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

/**
 * The payer a request is about: the adviser, or the given team, for which only its owner may ask. Outsiders are told that
 * the team does not exist; its other members are refused.
 */
export async function payerFor(context: Context, actor: { id: string }, teamId?: string): Promise<Payer> {
  if (teamId === undefined) return userPayer(actor.id);
  const role = await findTeamRole(context.db, teamId, actor.id);
  if (!role) throw new AppError('team_not_found');
  if (!teamCan(role, 'manage')) throw new AppError('forbidden');
  return teamPayer(teamId);
}

/** The columns of a card, empty. */
export const noCard = { cardBrand: null, cardLast4: null, cardExpMonth: null, cardExpYear: null };

/** Whether anybody has paid, or tried to: then the database belongs to one Stripe account. */
export async function hasCustomers(db: Db): Promise<boolean> {
  for (const table of [users, teams]) {
    const found = await db.select({ id: table.id }).from(table).where(isNotNull(table.stripeCustomerId)).limit(1);
    if (found.length > 0) return true;
  }
  return false;
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

/** Null where it is not ours. */
export const findPayerBy = async (db: Db, column: StripeColumn, id: string | null): Promise<Payer | null> =>
  id === null ? null : ((await findPayersBy(db, column, [id])).get(id) ?? null);

/**
 * Stores the Stripe customer unless another replica was first; answers the stored one. A customer that Stripe no longer
 * knows may be replaced; its card is then gone too.
 */
export async function claimCustomer(
  db: Db,
  payer: Payer,
  stripeCustomerId: string,
  replaced: string | null,
): Promise<string> {
  const values = { stripeCustomerId, ...(replaced !== null && noCard) };
  const { table, id } = rowOf(payer);
  const isAsBefore = replaced === null ? isNull(table.stripeCustomerId) : eq(table.stripeCustomerId, replaced);
  await db
    .update(table)
    .set(values)
    .where(and(eq(table.id, id), isAsBefore));
  const [stored] = await db.select({ customer: table.stripeCustomerId }).from(table).where(eq(table.id, id));
  return stored?.customer ?? stripeCustomerId;
}

/** What is kept of a card. */
export type Card = Record<'cardBrand' | 'cardLast4', string> & Record<'cardExpMonth' | 'cardExpYear', number>;

/** Stores the card on file (null for none), and what Stripe will take off the next invoices, in cents. */
export const storeCard = async (db: Db, payer: Payer, card: Card | null, creditCents: number) => {
  const { table, id } = rowOf(payer);
  await db
    .update(table)
    .set({ ...(card ?? noCard), creditCents })
    .where(eq(table.id, id));
};

/** The payer's one subscription at Stripe, the start of its first period, and the next billing instant; all null where there is none. */
type BillState = Pick<typeof users.$inferSelect, 'stripeSubscriptionId' | 'billingAnchor' | 'nextBillAt'>;

export const noBill: BillState = { stripeSubscriptionId: null, billingAnchor: null, nextBillAt: null };

export const storeBillState = async (db: Db, payer: Payer, state: Partial<BillState>) => {
  const { table, id } = rowOf(payer);
  await db.update(table).set(state).where(eq(table.id, id));
};

/** Makes changes to one payer's subscriptions follow each other, so that the last one to end sees that it is the last. */
export const lockPayer = async (db: Db, payer: Payer) => {
  const { table, id } = rowOf(payer);
  await db.select({ id: table.id }).from(table).where(eq(table.id, id)).for('no key update');
};

/** Everybody a payer's subscriptions open tools for: the adviser, or all members of the team. */
export async function peopleOf(db: Db, payer: Payer): Promise<string[]> {
  if (payer.kind === 'user') return [payer.userId];
  const members = await db
    .select({ userId: teamMembers.userId })
    .from(teamMembers)
    .where(eq(teamMembers.teamId, payer.teamId));
  return members.map(({ userId }) => userId);
}

/** Who has joined the team since then, and what they are called. */
export const joinedSince = (db: Db, teamId: string, since: Date) =>
  db
    .select({ id: teamMembers.userId, name: sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})` })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(and(eq(teamMembers.teamId, teamId), gt(teamMembers.joinedAt, since)));

type Address = Pick<typeof a.$inferSelect, 'line1' | 'line2' | 'city' | 'state' | 'postcode'>;

export const findAddress = (db: Db, payer: Payer) =>
  first(
    db
      .select({ line1: a.line1, line2: a.line2, city: a.city, state: a.state, postcode: a.postcode })
      .from(a)
      .where(ofPayer(a, payer)),
  );

/** Stores the payer's only billing address; of two stored at once the later one stays. */
export const storeAddress = async (db: Db, payer: Payer, address: Address): Promise<void> => {
  await db
    .insert(a)
    .values({ ...columnsOf(payer), ...address })
    .onConflictDoUpdate({
      target: payer.kind === 'user' ? a.userId : a.teamId,
      set: { ...address, updatedAt: sql`now()` },
    });
};

/** Whether the payer of a row that has these columns has a card on file and no bill. */
export const hasCardAndNoBill = (row: { userId: Column; teamId: Column }): SQL =>
  sql`(exists (select 1 from ${users} where ${users.id} = ${row.userId} and ${users.cardLast4} is not null and ${users.stripeSubscriptionId} is null)
    or exists (select 1 from ${teams} where ${teams.id} = ${row.teamId} and ${teams.cardLast4} is not null and ${teams.stripeSubscriptionId} is null))`;
