import { and, desc, eq, gt, isNull } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { teamInvitations, teamMembers, teams } from '#shared/schema/teams.ts';
import type { Db } from '#server/platform/database.ts';

const i = teamInvitations;

/** Neither answered nor taken back; it may have expired. */
const isOpen = and(isNull(i.acceptedAt), isNull(i.declinedAt), eq(i.isRevoked, false));

const listed = {
  id: i.id,
  email: i.email,
  role: i.role,
  expiresAt: i.expiresAt,
  createdAt: i.createdAt,
  acceptedAt: i.acceptedAt,
  declinedAt: i.declinedAt,
  isRevoked: i.isRevoked,
  invitedById: i.invitedById,
  invitedBy: { firstName: users.firstName, lastName: users.lastName },
};

/** The open invitations of a team, the newest first. */
export const openInvitations = (db: Db, teamId: string) =>
  db
    .select(listed)
    .from(i)
    .innerJoin(users, eq(users.id, i.invitedById))
    .where(and(eq(i.teamId, teamId), isOpen))
    .orderBy(desc(i.createdAt), i.id);

export async function invitationOfTeam(db: Db, teamId: string, invitationId: string) {
  const [row] = await db
    .select(listed)
    .from(i)
    .innerJoin(users, eq(users.id, i.invitedById))
    .where(and(eq(i.teamId, teamId), eq(i.id, invitationId)));
  return row ?? null;
}

/** The invitation behind a link, with its team. */
export async function invitationByToken(db: Db, tokenHash: string) {
  const [row] = await db
    .select({
      ...listed,
      team: { id: teams.id, name: teams.name, isActive: teams.isActive, maxMembers: teams.maxMembers },
    })
    .from(i)
    .innerJoin(teams, eq(teams.id, i.teamId))
    .innerJoin(users, eq(users.id, i.invitedById))
    .where(eq(i.token, tokenHash));
  return row ?? null;
}
export type InvitationByToken = NonNullable<Awaited<ReturnType<typeof invitationByToken>>>;

type Fresh = Pick<typeof i.$inferInsert, 'role' | 'invitedById' | 'token' | 'expiresAt'>;

/**
 * Makes the address's open invitation a fresh one, or adds one; its older link stops working. The caller holds the team's
 * lock. Answers the invitation's id.
 */
export async function putInvitation(
  db: Db,
  teamId: string,
  email: string,
  fresh: Fresh,
  createdAt: Date,
): Promise<string> {
  const [renewed] = await db
    .update(i)
    .set(fresh)
    .where(and(eq(i.teamId, teamId), eq(i.email, email), isOpen))
    .returning({ id: i.id });
  if (renewed) return renewed.id;
  const [added] = await db
    .insert(i)
    .values({ teamId, email, ...fresh, createdAt })
    .returning({ id: i.id });
  return added!.id;
}

/** A new link for an open invitation; false where it is over. */
export async function renewInvitation(db: Db, invitationId: string, fresh: Pick<Fresh, 'token' | 'expiresAt'>) {
  const renewed = await db
    .update(i)
    .set(fresh)
    .where(and(eq(i.id, invitationId), isOpen))
    .returning({ id: i.id });
  return renewed.length === 1;
}

/** Uses the link up: of any number at once, one gets true. */
async function take(db: Db, tokenHash: string, now: Date, answer: { acceptedAt: Date } | { declinedAt: Date }) {
  const taken = await db
    .update(i)
    .set(answer)
    .where(and(eq(i.token, tokenHash), isOpen, gt(i.expiresAt, now)))
    .returning({ id: i.id });
  return taken.length === 1;
}
export const takeAsAccepted = (db: Db, tokenHash: string, now: Date) => take(db, tokenHash, now, { acceptedAt: now });
export const takeAsDeclined = (db: Db, tokenHash: string, now: Date) => take(db, tokenHash, now, { declinedAt: now });

export async function revokeInvitation(db: Db, invitationId: string): Promise<boolean> {
  const revoked = await db
    .update(i)
    .set({ isRevoked: true })
    .where(and(eq(i.id, invitationId), isOpen))
    .returning({ id: i.id });
  return revoked.length === 1;
}

export const revokeAllInvitations = (db: Db, teamId: string) =>
  db
    .update(i)
    .set({ isRevoked: true })
    .where(and(eq(i.teamId, teamId), isOpen));

/** Is somebody with this address in the team? */
export async function isMemberAddress(db: Db, teamId: string, email: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(teamMembers, and(eq(teamMembers.userId, users.id), eq(teamMembers.teamId, teamId)))
    .where(eq(users.email, email));
  return rows.length > 0;
}
