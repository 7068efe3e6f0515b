import { and, desc, eq, gt, isNull, or, sql } from 'drizzle-orm';
import { teamInvitations, teamMembers, teams } from '#shared/schema/teams.ts';
import { person } from '#server/people/service.ts';
import { type Db, first, hasChanged, pick } from '#server/platform/data/database.ts';

const i = teamInvitations;

/** Neither answered nor revoked; it may have expired. */
const isOpen = and(isNull(i.acceptedAt), isNull(i.declinedAt), eq(i.isRevoked, false));

const listed = {
  ...pick(i, 'id', 'email', 'role', 'expiresAt', 'createdAt', 'acceptedAt', 'declinedAt', 'isRevoked', 'invitedById'),
  invitedBy: { firstName: person.firstName, lastName: person.lastName },
};

/**
 * Open invitations follow the invited person to a new address, unless the same team has invited that one too. Where they have not proved
 * the new address, the link that was mailed to the old one ends: it would prove it.
 */
export const moveInvitations = (db: Db, from: string, to: string, isProved: boolean) =>
  db
    .update(i)
    .set({ email: to, ...(!isProved && { token: sql`'ended ' || ${i.id}` }) })
    .where(
      and(
        isOpen,
        eq(sql`lower(${i.email})`, from),
        sql`not exists (select 1 from team_invitations other where other.team_id = ${i.teamId} and lower(other.email) = ${to}
          and other.accepted_at is null and other.declined_at is null and not other.is_revoked)`,
      ),
    );

/** A team's open invitations, newest first. */
export const openInvitations = (db: Db, teamId: string) =>
  db
    .select(listed)
    .from(i)
    .innerJoin(person, eq(person.id, i.invitedById))
    .where(and(eq(i.teamId, teamId), isOpen))
    .orderBy(desc(i.createdAt), i.id);

export const findTeamInvitation = (db: Db, teamId: string, invitationId: string) =>
  first(
    db
      .select(listed)
      .from(i)
      .innerJoin(person, eq(person.id, i.invitedById))
      .where(and(eq(i.teamId, teamId), eq(i.id, invitationId))),
  );

/** The invitation that a link opens, with its team. */
export const findInvitation = (db: Db, tokenHash: string) =>
  first(
    db
      .select({
        ...listed,
        /** Whether it came by mail; the inviter has another link. */
        isMailed: sql<boolean>`${i.token} = ${tokenHash}`,
        team: pick(teams, 'id', 'name', 'isActive', 'maxMembers', 'ownerId'),
      })
      .from(i)
      .innerJoin(teams, eq(teams.id, i.teamId))
      .innerJoin(person, eq(person.id, i.invitedById))
      .where(or(eq(i.token, tokenHash), eq(i.copiedToken, tokenHash))),
  );
export type Invitation = NonNullable<Awaited<ReturnType<typeof findInvitation>>>;

type NewLink = Pick<typeof i.$inferInsert, 'role' | 'invitedById' | 'token' | 'copiedToken' | 'expiresAt'>;

/**
 * Renews the address's open invitation, whose old link then stops working, or adds one. The caller has locked the team.
 * Returns the invitation's id.
 */
export async function putInvitation(
  db: Db,
  teamId: string,
  email: string,
  link: NewLink,
  createdAt: Date,
): Promise<string> {
  const [renewed] = await db
    .update(i)
    .set(link)
    .where(and(eq(i.teamId, teamId), eq(i.email, email), isOpen))
    .returning({ id: i.id });
  if (renewed) return renewed.id;
  const [added] = await db
    .insert(i)
    .values({ teamId, email, ...link, createdAt })
    .returning({ id: i.id });
  return added!.id;
}

/** Gives an open invitation a new link; false if it is no longer open. */
export const renewInvitation = (
  db: Db,
  invitationId: string,
  link: Pick<NewLink, 'token' | 'copiedToken' | 'expiresAt'>,
) =>
  hasChanged(
    db
      .update(i)
      .set(link)
      .where(and(eq(i.id, invitationId), isOpen)),
  );

/** Accepts or declines an open invitation. Of any number of callers at once, one gets true. */
const answerOpen = (db: Db, id: string, now: Date, answer: { acceptedAt: Date } | { declinedAt: Date }) =>
  hasChanged(
    db
      .update(i)
      .set(answer)
      .where(and(eq(i.id, id), isOpen, gt(i.expiresAt, now))),
  );
export const markAccepted = (db: Db, id: string, now: Date) => answerOpen(db, id, now, { acceptedAt: now });
export const markDeclined = (db: Db, id: string, now: Date) => answerOpen(db, id, now, { declinedAt: now });

export const revokeInvitation = (db: Db, invitationId: string) =>
  hasChanged(
    db
      .update(i)
      .set({ isRevoked: true })
      .where(and(eq(i.id, invitationId), isOpen)),
  );

export const revokeAllInvitations = (db: Db, teamId: string) =>
  db
    .update(i)
    .set({ isRevoked: true })
    .where(and(eq(i.teamId, teamId), isOpen));

/** Whether somebody with this address is in the team. */
export async function isMemberAddress(db: Db, teamId: string, email: string): Promise<boolean> {
  const rows = await db
    .select({ id: teamMembers.id })
    .from(teamMembers)
    .innerJoin(person, eq(person.id, teamMembers.userId))
    .where(and(eq(teamMembers.teamId, teamId), eq(person.email, email)));
  return rows.length > 0;
}
