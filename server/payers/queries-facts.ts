import { and, asc, type Column, eq, lte, sql, type SQL } from 'drizzle-orm';
import type { PaymentMethod } from '#shared/api/billing.ts';
import { zoneOf } from '#shared/rules/dates.ts';
import type { ToolRule } from '#shared/rules/billing/subscriptions.ts';
import { users } from '#shared/schema/accounts.ts';
import type { InvoiceBuyer } from '#shared/schema/billing.ts';
import { teamTools } from '#shared/schema/record.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { type Db, first } from '#server/platform/data/database.ts';
import { grouped, together } from '#server/platform/data/together.ts';
import { findAddress, liveTeamIds, ofPayer, type Payer, trialIdentityOf } from './queries.ts';

const d = teamTools;

const account = (of: typeof users | typeof teams) => ({
  id: of.id,
  membershipType: of.membershipType,
  cardBrand: of.cardBrand,
  cardLast4: of.cardLast4,
  cardExpMonth: of.cardExpMonth,
  cardExpYear: of.cardExpYear,
  /** What earlier invoices left over; Stripe takes it off the next ones. */
  creditCents: of.creditCents,
  stripeCustomerId: of.stripeCustomerId,
  /** The payer's one subscription at Stripe, when its first period began, and the next billing instant. */
  stripeSubscriptionId: of.stripeSubscriptionId,
  billingAnchor: of.billingAnchor,
  nextBillAt: of.nextBillAt,
});
/** The adviser, or the owner of the team. */
const contact = {
  contactId: users.id,
  email: users.email,
  mobile: users.mobile,
  abn: users.abn,
  businessState: users.businessState,
};
const isAsked = (id: Column) => sql`${id} = any(${sql.placeholder('ids')}::uuid[])`;

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
      members: sql<number>`greatest(1, (select count(*)::int from team_members member where member.team_id = ${teams.id}))`,
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
export type PayerFacts = ReturnType<typeof factsOf>;

const reading = (kind: Payer['kind'], query: typeof queryAdvisers | typeof queryTeams) =>
  together((db) => {
    const prepared = query(db);
    return async (ids) => (await prepared.execute({ ids })).map((row) => [row.id, factsOf(kind, row)] as const);
  });
const readAdviser = reading('user', queryAdvisers);
const readTeam = reading('team', queryTeams);

/** Null where the payer is gone. */
export const findPayerFacts = (db: Db, payer: Payer): Promise<PayerFacts | null> =>
  payer.kind === 'user' ? readAdviser(db, payer.userId) : readTeam(db, payer.teamId);

export async function requirePayerFacts(db: Db, payer: Payer): Promise<PayerFacts> {
  const found = await findPayerFacts(db, payer);
  if (!found) throw new Error(`no payer ${JSON.stringify(payer)}`);
  return found;
}

const rulesFor = together((db) => {
  const query = db
    .select({
      userId: teamMembers.userId,
      teamId: teams.id,
      teamName: teams.name,
      newToolsAllowed: teams.newToolsAllowed,
      toolId: d.toolId,
      allowed: d.allowed,
      reason: d.reason,
    })
    .from(teamMembers)
    .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), eq(teams.isActive, true)))
    .leftJoin(d, eq(d.teamId, teams.id))
    .where(
      and(
        sql`${teamMembers.userId} = any(${sql.placeholder('userIds')}::uuid[])`,
        sql`(${d.toolId} is not null or not ${teams.newToolsAllowed})`,
      ),
    )
    .prepare('tool_rules_for');
  return async (userIds) => grouped(await query.execute({ userIds }), ({ userId }) => userId);
});

/** What the teams of this person have decided about tools. */
export const toolRulesFor = async (db: Db, userId: string): Promise<ToolRule[]> => (await rulesFor(db, userId)) ?? [];

/** What one team has decided, tool by tool. */
export const decisionsOf = (db: Db, teamId: string) =>
  db.select().from(d).where(eq(d.teamId, teamId)).orderBy(asc(d.toolId));

/** Writes what is decided about a tool; what is left out stays. The caller has locked the team. */
export async function decide(db: Db, { teamId, toolId, ...change }: typeof d.$inferInsert) {
  await db
    .insert(d)
    .values({ teamId, toolId, ...change })
    .onConflictDoUpdate({ target: [d.teamId, d.toolId], set: change });
}

/** Reviews that are due by a day, in active teams. */
export const reviewsDue = (db: Db, day: string) =>
  db
    .select({ teamId: d.teamId, toolId: d.toolId, due: sql<string>`${d.reviewDue}::text`, ownerId: teams.ownerId })
    .from(d)
    .innerJoin(teams, and(eq(teams.id, d.teamId), eq(teams.isActive, true)))
    .where(lte(d.reviewDue, day));

const business = {
  business: users.businessName,
  line1: users.businessAddress,
  city: users.businessCity,
  state: users.businessState,
  postcode: users.businessPostcode,
};

/**
 * The buyer as a tax invoice would name them today: with the billing address, else the address of the adviser's business.
 * A team buys under its own name, with its owner's ABN and email.
 */
export async function buyerOf(db: Db, payer: Payer): Promise<InvoiceBuyer> {
  const { contactId, name, abn, email } = await requirePayerFacts(db, payer);
  const [found] = await db.select(business).from(users).where(eq(users.id, contactId));
  const { line1, line2, ...place } = (await findAddress(db, payer)) ?? { ...found!, line2: null };
  const lines = [line1, line2, [place.city, place.state, place.postcode].filter(Boolean).join(' ')];
  const address = lines.flatMap((line) => line || []);
  return { name: name.trim(), business: found!.business, abn, email, address };
}

/** Whether the payer is this person, a team of theirs, or somebody in one. */
export const isOwn = async (db: Db, userId: string, payer: Payer): Promise<boolean> =>
  (payer.kind === 'user' && payer.userId === userId) ||
  (await first(
    db
      .select({ id: teamMembers.teamId })
      .from(teamMembers)
      .where(and(ofPayer(teamMembers, payer), sql`${teamMembers.teamId} in ${liveTeamIds(userId)}`))
      .limit(1),
  )) !== null;

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
