import { and, asc, type Column, eq, lte, sql, type SQL } from 'drizzle-orm';
import type { MembershipType } from '#shared/rules/people/accounts.ts';
import { zoneOf } from '#shared/rules/dates.ts';
import type { ToolRule } from '#shared/rules/billing/subscriptions.ts';
import { users } from '#shared/schema/accounts.ts';
import { billingAddresses, type InvoiceBuyer } from '#shared/schema/billing.ts';
import { teamTools } from '#shared/schema/record.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import type { Db } from '#server/platform/data/database.ts';
import { grouped, together } from '#server/platform/data/together.ts';
import { type Payer, trialIdentityOf } from './queries.ts';

const d = teamTools;

/** What prices and trials depend on, on the payer's side, and who is notified. */
export type PayerFacts = {
  kind: Payer['kind'];
  membershipType: MembershipType;
  freeAccess: boolean;
  members: number;
  cardOnFile: boolean;
  card: { brand: string; last4: string } | null;
  /** What earlier invoices left over; Stripe takes it off the next ones. */
  creditCents: number;
  /** An administrator has suspended the adviser, and nothing is charged meanwhile. */
  chargesPaused: boolean;
  /** The payer's one subscription at Stripe, when its first period began, the next billing instant, and its day of the month in UTC. */
  stripeSubscriptionId: string | null;
  billingAnchor: Date | null;
  nextBillAt: Date | null;
  billingDay: number | null;
  /** The adviser, or the owner of the team, and the time zone they live by. */
  contactId: string;
  zone: string;
  teamName: string | null;
  /**
   * Who gets one trial of each tool: the person behind the email address, whatever its alias; for a team its owner and the team
   * itself, so that neither a new team nor a new owner brings another trial.
   */
  trialIdentities: string[];
};

type Entry = readonly [id: string, facts: PayerFacts];

const billOf = (of: typeof users | typeof teams) => ({
  stripeSubscriptionId: of.stripeSubscriptionId,
  billingAnchor: of.billingAnchor,
  nextBillAt: of.nextBillAt,
});

const cardFacts = (brand: string | null, last4: string | null) => ({
  cardOnFile: last4 !== null,
  card: last4 === null ? null : { brand: brand ?? '', last4 },
});

const factsOfAdviser = together((db) => {
  const query = db
    .select({
      id: users.id,
      membershipType: users.membershipType,
      freeAccess: users.freeAccessGranted,
      cardBrand: users.cardBrand,
      cardLast4: users.cardLast4,
      creditCents: users.creditCents,
      ...billOf(users),
      chargesPaused: users.chargesPaused,
      businessState: users.businessState,
      email: users.email,
    })
    .from(users)
    .where(sql`${users.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('facts_of_adviser');
  return async (ids) =>
    (await query.execute({ ids })).map(({ id, cardBrand, cardLast4, email, businessState, ...facts }): Entry => [
      id,
      {
        kind: 'user',
        ...facts,
        members: 1,
        billingDay: facts.billingAnchor?.getUTCDate() ?? null,
        ...cardFacts(cardBrand, cardLast4),
        contactId: id,
        zone: zoneOf(businessState),
        teamName: null,
        trialIdentities: [trialIdentityOf(email)],
      },
    ]);
});

const factsOfTeam = together((db) => {
  const query = db
    .select({
      id: teams.id,
      membershipType: teams.membershipType,
      members: sql<number>`(select count(*)::int from team_members member where member.team_id = ${teams.id})`,
      cardBrand: teams.cardBrand,
      cardLast4: teams.cardLast4,
      creditCents: teams.creditCents,
      ...billOf(teams),
      contactId: teams.ownerId,
      businessState: users.businessState,
      teamName: teams.name,
      ownerEmail: users.email,
    })
    .from(teams)
    .innerJoin(users, eq(users.id, teams.ownerId))
    .where(sql`${teams.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare('facts_of_team');
  return async (ids) =>
    (await query.execute({ ids })).map(
      ({ id, cardBrand, cardLast4, members, ownerEmail, businessState, ...facts }): Entry => [
        id,
        {
          kind: 'team',
          ...facts,
          freeAccess: false,
          billingDay: facts.billingAnchor?.getUTCDate() ?? null,
          // A team goes on for its members, whatever happens to its owner.
          chargesPaused: false,
          zone: zoneOf(businessState),
          // Closing a team removes its members before its subscriptions end.
          members: Math.max(1, members),
          ...cardFacts(cardBrand, cardLast4),
          trialIdentities: [id, trialIdentityOf(ownerEmail)],
        },
      ],
    );
});

/** Null where the payer is gone. */
export const findPayerFacts = (db: Db, payer: Payer): Promise<PayerFacts | null> =>
  payer.kind === 'user' ? factsOfAdviser(db, payer.userId) : factsOfTeam(db, payer.teamId);

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
export async function decide(
  db: Db,
  {
    teamId,
    toolId,
    ...change
  }: Pick<typeof d.$inferInsert, 'teamId' | 'toolId' | 'decidedById' | 'decidedAt'> &
    Partial<Pick<typeof d.$inferInsert, 'allowed' | 'reason' | 'reviewDue'>>,
) {
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

type AddressParts = Record<'line1' | 'line2' | 'city' | 'state' | 'postcode', string | null>;

const addressLines = ({ line1, line2, city, state, postcode }: AddressParts): string[] =>
  [line1, line2, [city, state, postcode].filter(Boolean).join(' ')].filter((text): text is string => Boolean(text));

const business = {
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  businessName: users.businessName,
  abn: users.abn,
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
  const [found] =
    payer.kind === 'user'
      ? await db
          .select({ person: business, address: billingAddresses, team: sql<string | null>`null` })
          .from(users)
          .leftJoin(billingAddresses, eq(billingAddresses.userId, users.id))
          .where(eq(users.id, payer.userId))
      : await db
          .select({ person: business, address: billingAddresses, team: teams.name })
          .from(teams)
          .innerJoin(users, eq(users.id, teams.ownerId))
          .leftJoin(billingAddresses, eq(billingAddresses.teamId, teams.id))
          .where(eq(teams.id, payer.teamId));
  if (!found) throw new Error(`no payer ${JSON.stringify(payer)}`);
  const { person, address, team } = found;
  const name = `${person.firstName} ${person.lastName}`.trim();
  return {
    name: team ?? name,
    business: person.businessName,
    abn: person.abn,
    email: person.email,
    address: addressLines(address ?? { ...person, line2: null }),
  };
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
