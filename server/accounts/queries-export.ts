import { and, desc, eq, getTableColumns, ne, or, sql } from 'drizzle-orm';
import type { AccountExport } from '#shared/api/account-export.ts';
import { emailChanges, sessions } from '#shared/schema/accounts.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { usageAnalytics } from '#shared/schema/analytics.ts';
import { adjustmentNotes, adjustments, billingAddresses, bills, invoices, toldBills } from '#shared/schema/billing.ts';
import { codeRedemptions, discountCodes } from '#shared/schema/discount-codes.ts';
import { rememberedDevices, secondFactors } from '#shared/schema/factors.ts';
import { mails, notifications, reminderSettings } from '#shared/schema/notifications.ts';
import { sessionStatements, toolReviews } from '#shared/schema/record.ts';
import { toolSubscriptions, trialUses } from '#shared/schema/subscriptions.ts';
import { teamInvitations, teamMembers, teams } from '#shared/schema/teams.ts';
import { authTokens } from '#shared/schema/tools.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { trialIdentityOf } from '#server/payers/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import type { Context } from '#server/platform/context.ts';
import type { Db } from '#server/platform/data/database.ts';
import { createGate } from '#server/platform/http/gate.ts';
import { askerOf, consume } from '#server/platform/http/rate-limit.ts';
import { toUser } from './profile.ts';

/** Each runs some twenty queries: with only two at once, the pool stays free for everybody else. */
const gate = createGate({ atOnce: 2, limit: 64, share: 4, deadlineMs: 15_000 });

/** Everything held about the adviser that they may have. */
export const exportAccount = (context: Context, actor: ActorRow): Promise<AccountExport> =>
  gate.run(async () => {
    await consume(context, 'exports', actor.id);
    return everythingOf(context, actor);
  }, askerOf(context));

async function everythingOf(context: Context, actor: ActorRow): Promise<AccountExport> {
  const { cardBrand, cardLast4, cardExpMonth, cardExpYear } = actor;
  return {
    exportedAt: context.now(),
    account: { ...toUser(actor), creditCents: actor.creditCents },
    card:
      cardBrand === null ? null : { brand: cardBrand, last4: cardLast4, expMonth: cardExpMonth, expYear: cardExpYear },
    ...(await everythingAbout(context.db, actor, trialIdentityOf(actor.email))),
  };
}

type Person = { id: string; email: string };

/** What each table holds about one person; the endpoint's schema decides what leaves. Read one by one, on one connection. */
async function everythingAbout(db: Db, { id, email }: Person, trialIdentity: string) {
  const [billingAddress] = await db.select().from(billingAddresses).where(eq(billingAddresses.userId, id));
  const [settings] = await db.select().from(reminderSettings).where(eq(reminderSettings.userId, id));
  return {
    billingAddress: billingAddress ?? null,
    reminderSettings: settings ?? null,
    sessions: await db.select().from(sessions).where(eq(sessions.userId, id)).orderBy(desc(sessions.createdAt)),
    emailChanges: await db.select().from(emailChanges).where(eq(emailChanges.userId, id)),
    secondFactors: await db.select().from(secondFactors).where(eq(secondFactors.userId, id)),
    rememberedDevices: await db.select().from(rememberedDevices).where(eq(rememberedDevices.userId, id)),
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
        createdAt: teamInvitations.createdAt,
        expiresAt: teamInvitations.expiresAt,
        acceptedAt: teamInvitations.acceptedAt,
        declinedAt: teamInvitations.declinedAt,
        isRevoked: teamInvitations.isRevoked,
      })
      .from(teamInvitations)
      .innerJoin(teams, eq(teams.id, teamInvitations.teamId))
      .where(or(eq(teamInvitations.invitedById, id), eq(sql`lower(${teamInvitations.email})`, email))),
    subscriptions: await db
      .select()
      .from(toolSubscriptions)
      .where(eq(toolSubscriptions.userId, id))
      .orderBy(desc(toolSubscriptions.createdAt)),
    trialsTaken: await db.select().from(trialUses).where(eq(trialUses.identity, trialIdentity)),
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
    bills: await db.select().from(bills).where(eq(bills.userId, id)).orderBy(desc(bills.at)),
    // What a seat costs is the team's own affair.
    adjustments: await db
      .select({
        ...getTableColumns(adjustments),
        cents: sql<number | null>`case when ${eq(adjustments.userId, id)} then ${adjustments.cents} end`,
      })
      .from(adjustments)
      .where(or(eq(adjustments.userId, id), eq(adjustments.personId, id)))
      .orderBy(desc(adjustments.createdAt)),
    toldBills: await db.select().from(toldBills).where(eq(toldBills.userId, id)).orderBy(desc(toldBills.toldAt)),
    invoices: await db.select().from(invoices).where(eq(invoices.userId, id)).orderBy(desc(invoices.issuedAt)),
    adjustmentNotes: await db
      .select(getTableColumns(adjustmentNotes))
      .from(adjustmentNotes)
      .innerJoin(invoices, eq(invoices.id, adjustmentNotes.invoiceId))
      .where(eq(invoices.userId, id))
      .orderBy(desc(adjustmentNotes.issuedAt)),
    toolSessions: await db
      .select()
      .from(toolUsage)
      .where(eq(toolUsage.userId, id))
      .orderBy(desc(toolUsage.lastAccessed)),
    statements: await db
      .select()
      .from(sessionStatements)
      .where(eq(sessionStatements.userId, id))
      .orderBy(desc(sessionStatements.position)),
    toolReviews: await db
      .select()
      .from(toolReviews)
      .where(eq(toolReviews.userId, id))
      .orderBy(desc(toolReviews.madeAt)),
    usage: await db
      .select()
      .from(usageAnalytics)
      .where(eq(usageAnalytics.userId, id))
      .orderBy(desc(usageAnalytics.date)),
    accessTokens: await db
      .select()
      .from(authTokens)
      .where(eq(authTokens.userId, id))
      .orderBy(desc(authTokens.createdAt)),
    notifications: await db
      .select()
      .from(notifications)
      // A blanked one has only its key left.
      .where(and(eq(notifications.userId, id), ne(notifications.message, '')))
      .orderBy(desc(notifications.createdAt)),
    mails: await db.select().from(mails).where(eq(mails.toAddress, email)).orderBy(desc(mails.createdAt)),
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
