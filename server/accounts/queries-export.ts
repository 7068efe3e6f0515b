import { and, desc, eq, getTableColumns, ne, or, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { emailChanges, sessions } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import { adjustmentNotes, adjustments, billingAddresses, bills, invoices, toldBills } from '#shared/schema/billing.ts';
import { bookkeepers } from '#shared/schema/books.ts';
import { codeRedemptions, discountCodes } from '#shared/schema/discount-codes.ts';
import { identities, rememberedDevices, secondFactors } from '#shared/schema/factors.ts';
import { mails, notifications, reminderSettings } from '#shared/schema/notifications.ts';
import { type Leaver, mailsAbout } from '#shared/schema/personal-data.ts';
import { sessionStatements, toolAsks, toolReviews } from '#shared/schema/record.ts';
import { toolSubscriptions, trialUses } from '#shared/schema/subscriptions.ts';
import { recordPeople, teamInvitations, teamMembers, teams } from '#shared/schema/teams.ts';
import { authTokens } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { type Db, pick } from '#server/platform/data/database.ts';

/**
 * What each table holds about one person; the endpoint's schema decides what leaves. Read one by one, on one connection. What others
 * sent to an address is for whoever has shown that it is theirs.
 */
export async function everythingAbout(db: Db, person: Leaver) {
  const { id, email, emailVerified, trialIdentity } = person;
  const sentTo = (column: PgColumn) => (emailVerified ? eq(sql`lower(${column})`, email) : undefined);
  const of = <T extends PgTable & { userId: PgColumn }>(table: T, newest: PgColumn) =>
    db.select().from<PgTable>(table).where(eq(table.userId, id)).orderBy(desc(newest)) as unknown as Promise<
      T['$inferSelect'][]
    >;
  const [billingAddress] = await db.select().from(billingAddresses).where(eq(billingAddresses.userId, id));
  const [settings] = await db.select().from(reminderSettings).where(eq(reminderSettings.userId, id));
  return {
    billingAddress: billingAddress ?? null,
    bookkeepers: await db
      .select()
      .from(bookkeepers)
      .where(or(eq(bookkeepers.userId, id), sentTo(bookkeepers.email))),
    reminderSettings: settings ?? null,
    sessions: await of(sessions, sessions.createdAt),
    emailChanges: await of(emailChanges, emailChanges.createdAt),
    secondFactors: await of(secondFactors, secondFactors.createdAt),
    rememberedDevices: await of(rememberedDevices, rememberedDevices.createdAt),
    identities: await of(identities, identities.createdAt),
    teams: await db
      .select({ name: teams.name, role: teamMembers.role, isActive: teams.isActive, joinedAt: teamMembers.joinedAt })
      .from(teamMembers)
      .innerJoin(teams, eq(teams.id, teamMembers.teamId))
      .where(eq(teamMembers.userId, id)),
    invitations: await db
      .select({
        team: teams.name,
        email: teamInvitations.email,
        role: teamInvitations.role,
        direction: sql<
          'sent' | 'received'
        >`case when ${teamInvitations.invitedById} = ${id} then 'sent' else 'received' end`,
        ...pick(teamInvitations, 'createdAt', 'expiresAt', 'acceptedAt', 'declinedAt', 'isRevoked'),
      })
      .from(teamInvitations)
      .innerJoin(teams, eq(teams.id, teamInvitations.teamId))
      .where(or(eq(teamInvitations.invitedById, id), sentTo(teamInvitations.email))),
    subscriptions: await of(toolSubscriptions, toolSubscriptions.createdAt),
    trialsTaken: emailVerified ? await db.select().from(trialUses).where(eq(trialUses.identity, trialIdentity)) : [],
    codesRedeemed: await db
      .select({
        code: discountCodes.code,
        toolId: codeRedemptions.toolId,
        createdAt: codeRedemptions.createdAt,
      })
      .from(codeRedemptions)
      .innerJoin(discountCodes, eq(discountCodes.id, codeRedemptions.codeId))
      .where(eq(codeRedemptions.userId, id))
      .orderBy(desc(codeRedemptions.createdAt)),
    bills: await of(bills, bills.at),
    // What a seat costs is the team's own affair.
    adjustments: await db
      .select({
        ...getTableColumns(adjustments),
        cents: sql<number | null>`case when ${eq(adjustments.userId, id)} then ${adjustments.cents} end`,
      })
      .from(adjustments)
      .where(or(eq(adjustments.userId, id), eq(adjustments.personId, id)))
      .orderBy(desc(adjustments.createdAt)),
    toldBills: await of(toldBills, toldBills.toldAt),
    invoices: await of(invoices, invoices.issuedAt),
    adjustmentNotes: await db
      .select(getTableColumns(adjustmentNotes))
      .from(adjustmentNotes)
      .innerJoin(invoices, eq(invoices.id, adjustmentNotes.invoiceId))
      .where(eq(invoices.userId, id))
      .orderBy(desc(adjustmentNotes.issuedAt)),
    toolSessions: await of(toolUsage, toolUsage.lastAccessed),
    statements: await of(sessionStatements, sessionStatements.position),
    practices: await db
      .select({ practice: teams.name, ...getTableColumns(recordPeople) })
      .from(recordPeople)
      .innerJoin(teams, eq(teams.id, recordPeople.teamId))
      .where(eq(recordPeople.userId, id))
      .orderBy(desc(recordPeople.leftAt)),
    toolAsks: await of(toolAsks, toolAsks.askedAt),
    toolReviews: await of(toolReviews, toolReviews.madeAt),
    usage: await of(usageAnalytics, usageAnalytics.date),
    accessTokens: await of(authTokens, authTokens.createdAt),
    notifications: await db
      .select()
      .from(notifications)
      // A blanked one has only its key left.
      .where(and(eq(notifications.userId, id), ne(notifications.message, '')))
      .orderBy(desc(notifications.createdAt)),
    mails: emailVerified ? await db.select().from(mails).where(mailsAbout(person)).orderBy(desc(mails.createdAt)) : [],
    activity: await db
      .select({
        action: auditLog.action,
        byYou: sql<boolean>`coalesce(${auditLog.actorId} = ${id}, false)`,
        // Somebody else's IP address and device are not this person's data.
        ip: sql<string | null>`case when ${auditLog.actorId} = ${id} then ${auditLog.ip} end`,
        device: sql<string | null>`case when ${auditLog.actorId} = ${id} then ${auditLog.device} end`,
        createdAt: auditLog.createdAt,
      })
      .from(auditLog)
      .where(or(eq(auditLog.actorId, id), eq(auditLog.subjectId, id)))
      .orderBy(desc(auditLog.createdAt)),
  };
}
