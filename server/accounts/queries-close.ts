import { and, eq, sql } from 'drizzle-orm';
import { emailVerificationTokens, passwordResetTokens, users } from '#shared/schema/accounts.ts';
import { billingAddresses } from '#shared/schema/billing.ts';
import { mails, notifications, reminderSettings } from '#shared/schema/notifications.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamInvitations, teamMembers, teams } from '#shared/schema/teams.ts';
import { authTokens } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/database.ts';

export const ownsTeam = async (db: Db, userId: string): Promise<boolean> =>
  (
    await db
      .select({ id: teams.id })
      .from(teams)
      .where(and(eq(teams.ownerId, userId), eq(teams.isActive, true)))
      .limit(1)
  ).length > 0;

/** An administrator beside whom there is no other. */
export const isLastAdmin = async (db: Db, userId: string): Promise<boolean> => {
  const admins = await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true)).limit(2);
  return admins.length === 1 && admins[0]?.id === userId;
};

export const holdsSubscription = async (db: Db, userId: string): Promise<boolean> =>
  (
    await db
      .select({ id: toolSubscriptions.id })
      .from(toolSubscriptions)
      .where(and(eq(toolSubscriptions.userId, userId), eq(toolSubscriptions.isActive, true)))
      .limit(1)
  ).length > 0;

/** What names the person is gone; what others and the law need (invoices, subscriptions, trials taken) stays with the id. */
export async function eraseIdentity(tx: Db, { id, email }: { id: string; email: string }, at: Date): Promise<void> {
  await tx
    .update(users)
    .set({
      // Reserved for ever to be nobody's (RFC 2606), so that the address is free to register anew.
      email: `closed-${id}@closed.invalid`,
      password: '!',
      firstName: '',
      lastName: '',
      profileImageUrl: null,
      mobile: null,
      businessName: null,
      businessAddress: null,
      businessCity: null,
      businessState: null,
      businessPostcode: null,
      afslNumber: null,
      dealerGroup: null,
      abn: null,
      professionalCredentials: null,
      specializationAreas: null,
      emailVerified: false,
      profileCompleted: false,
      isAdmin: false,
      freeAccessGranted: false,
      membershipType: 'standard',
      cardBrand: null,
      cardLast4: null,
      cardExpMonth: null,
      cardExpYear: null,
      authEpoch: sql`${users.authEpoch} + 1`,
      closedAt: at,
      updatedAt: at,
    })
    .where(eq(users.id, id));
  await tx.update(authTokens).set({ isRevoked: true }).where(eq(authTokens.userId, id));
  await tx.delete(emailVerificationTokens).where(eq(emailVerificationTokens.userId, id));
  await tx.delete(passwordResetTokens).where(eq(passwordResetTokens.userId, id));
  await tx.delete(notifications).where(eq(notifications.userId, id));
  await tx.delete(reminderSettings).where(eq(reminderSettings.userId, id));
  await tx.delete(billingAddresses).where(eq(billingAddresses.userId, id));
  await tx.delete(teamMembers).where(eq(teamMembers.userId, id));
  await tx.delete(teamInvitations).where(eq(sql`lower(${teamInvitations.email})`, email));
  await tx.delete(mails).where(eq(mails.toAddress, email));
}
