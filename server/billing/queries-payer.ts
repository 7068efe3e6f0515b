import { and, eq, isNull, sql } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import type { TeamRole } from '#shared/rules/teams.ts';
import type { Db } from '#server/platform/database.ts';
import type { Card } from './cards.ts';
import type { Payer } from './payer.ts';

/** This person's role in a live team; null to outsiders. */
export const roleInTeam = async (db: Db, teamId: string, userId: string): Promise<TeamRole | null> =>
  (
    await db
      .select({ role: teamMembers.role })
      .from(teamMembers)
      .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), eq(teams.isActive, true)))
      .where(and(eq(teamMembers.teamId, teamId), eq(teamMembers.userId, userId)))
  )[0]?.role ?? null;

const person = { ownerId: users.id, email: users.email, mobile: users.mobile, abn: users.abn };
const card = (of: typeof users | typeof teams) => ({
  cardBrand: of.cardBrand,
  cardLast4: of.cardLast4,
  cardExpMonth: of.cardExpMonth,
  cardExpYear: of.cardExpYear,
});

/** The payer as the provider's customer: a team has its own name, and its owner's address and numbers. */
export async function customerDetails(db: Db, payer: Payer) {
  const name = sql<string>`${users.firstName} || ' ' || ${users.lastName}`;
  const [found] =
    payer.kind === 'user'
      ? await db
          .select({ ...person, ...card(users), name, stripeCustomerId: users.stripeCustomerId })
          .from(users)
          .where(eq(users.id, payer.userId))
      : await db
          .select({ ...person, ...card(teams), name: teams.name, stripeCustomerId: teams.stripeCustomerId })
          .from(teams)
          .innerJoin(users, eq(users.id, teams.ownerId))
          .where(eq(teams.id, payer.teamId));
  if (!found) throw new Error(`no payer ${JSON.stringify(payer)}`);
  return found;
}

const noCard = { cardBrand: null, cardLast4: null, cardExpMonth: null, cardExpYear: null };

/**
 * Sets the customer unless another replica was first; answers the one that stands. It may replace one that the provider
 * does not know any more, whose card then is gone too.
 */
export async function claimCustomer(
  db: Db,
  payer: Payer,
  stripeCustomerId: string,
  replaced: string | null,
): Promise<string> {
  const instead = (of: typeof users | typeof teams) =>
    replaced === null ? isNull(of.stripeCustomerId) : eq(of.stripeCustomerId, replaced);
  const values = { stripeCustomerId, ...(replaced !== null && noCard) };
  const claimed =
    payer.kind === 'user'
      ? await db
          .update(users)
          .set(values)
          .where(and(eq(users.id, payer.userId), instead(users)))
          .returning({ id: users.id })
      : await db
          .update(teams)
          .set(values)
          .where(and(eq(teams.id, payer.teamId), instead(teams)))
          .returning({ id: teams.id });
  if (claimed.length > 0) return stripeCustomerId;
  return (await customerDetails(db, payer)).stripeCustomerId ?? stripeCustomerId;
}

/** The card on file; null takes it off. */
export const storeCard = async (db: Db, payer: Payer, card: Card | null) => {
  const { cardBrand, cardLast4, cardExpMonth, cardExpYear } = card ?? noCard;
  const values = { cardBrand, cardLast4, cardExpMonth, cardExpYear };
  if (payer.kind === 'user') await db.update(users).set(values).where(eq(users.id, payer.userId));
  else await db.update(teams).set(values).where(eq(teams.id, payer.teamId));
};
