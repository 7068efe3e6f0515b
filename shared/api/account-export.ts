import * as z from 'zod';
import { user } from './accounts.ts';
import { moneySections } from './account-export-money.ts';
import type { Shows } from './account-export-shows.ts';
import { cents, date } from './fields.ts';

const text = z.string().nullable();
const time = date.nullable();

const asked = { toolId: z.string(), reason: z.string(), askedAt: date };
const toolAsk = z.object({ ...asked, outcome: text, answer: text, answeredAt: time });

/**
 * Everything held about one adviser, without secrets, hashes and links. shared/schema/personal-data.ts says which section
 * shows which table. A comment says what is left out, where its name doesn't.
 */
export const accountExport = z.object({
  exportedAt: date,
  /** What each kind of data is, and in which sections of this file it stands. */
  index: z.array(
    z.object({
      title: z.string(),
      what: z.string(),
      why: z.string(),
      seenBy: z.string(),
      kept: z.string(),
      whenYouClose: z.string(),
      sections: z.array(z.string()),
    }),
  ),
  account: user.omit({ draftKey: true }).extend({ creditCents: cents }),
  card: z
    .object({ brand: z.string(), last4: text, expMonth: z.int().nullable(), expYear: z.int().nullable() })
    .nullable(),
  billingAddress: (
    z.object({
      line1: z.string(),
      line2: text,
      city: z.string(),
      state: z.string(),
      postcode: z.string(),
      updatedAt: date,
    }) satisfies Shows<'billingAddresses'>
  ).nullable(),
  /** Your own bookkeeper and, with a verified address, whose bookkeeper you are. */
  bookkeepers: z.array(
    z.object({ email: z.string(), askedAt: date, confirmedAt: date.nullable() }) satisfies Shows<'bookkeepers'>,
  ),
  reminderSettings: (
    z.object({
      emailReminders: z.boolean(),
      inAppNotifications: z.boolean(),
      reminderDays: z.array(z.int()),
      weeklyStatements: z.boolean(),
      updatedAt: date,
    }) satisfies Shows<'reminderSettings'>
  ).nullable(),
  sessions: z.array(z.object({ device: text, createdAt: date, lastSeenAt: date }) satisfies Shows<'sessions'>),
  emailChanges: z.array(
    z.object({
      fromEmail: z.string(),
      toEmail: z.string(),
      createdAt: date,
      confirmedAt: time,
      undoneAt: time,
    }) satisfies Shows<'emailChanges'>,
  ),
  secondFactors: z.array(
    z.object({
      kind: z.string(),
      name: z.string(),
      createdAt: date,
      lastUsedAt: time,
    }) satisfies Shows<'secondFactors'>,
  ),
  rememberedDevices: z.array(
    z.object({
      device: z.string(),
      createdAt: date,
      lastUsedAt: date,
      expiresAt: date,
    }) satisfies Shows<'rememberedDevices'>,
  ),
  identities: z.array(
    z.object({
      provider: z.string(),
      subject: z.string(),
      tenant: text,
      createdAt: date,
    }) satisfies Shows<'identities'>,
  ),
  /** A team's money and settings are on its pages, for its owner. */
  teams: z.array(
    z.object({ name: z.string(), role: z.string(), isActive: z.boolean(), joinedAt: date }) satisfies Shows<
      'teams',
      'cardBrand' | 'cardLast4' | 'cardExpMonth' | 'cardExpYear' | 'creditCents'
    > &
      Shows<'teamMembers'>,
  ),
  invitations: z.array(
    z.object({
      team: z.string(),
      email: z.string(),
      role: z.string(),
      /** Sent by the adviser, or received. */
      direction: z.enum(['sent', 'received']),
      createdAt: date,
      expiresAt: date,
      acceptedAt: time,
      declinedAt: time,
      isRevoked: z.boolean(),
    }) satisfies Shows<'teamInvitations'>,
  ),
  /** `draft`, `told` and `priceTold` repeat what invoices and mails say; the rest is how we keep in step with Stripe. */
  ...moneySections,
  toolSessions: z.array(
    z.object({
      id: z.string(),
      toolId: z.string(),
      createdAt: date,
      lastAccessed: date,
      endedAt: time,
      toolVersion: text,
      purpose: text,
      purposeFrom: text,
      clientReference: text,
      referenceFrom: text,
      checked: z.boolean().nullable(),
    }) satisfies Shows<'toolUsage', 'reports' | 'durationSeconds' | 'actions' | 'bytes' | 'scoreTotal' | 'scoreCount'>,
  ),
  /** Each line of the record of AI use, corrections as well. */
  statements: z.array(
    z.object({
      sessionId: z.string(),
      checked: z.boolean().nullable(),
      checks: z.array(z.string()).nullable(),
      remark: text,
      purpose: text,
      clientReference: text,
      madeAt: date,
      late: z.boolean(),
      byFormer: z.boolean(),
      recallFault: z.boolean().nullable(),
      redactedFor: text,
      redactedAt: time,
    }) satisfies Shows<'sessionStatements'>,
  ),
  /** What practices that the adviser has left keep of who they are. */
  practices: z.array(
    z.object({
      practice: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      adviserNumber: text,
      joinedAt: time,
      leftAt: date,
    }) satisfies Shows<'recordPeople'>,
  ),
  toolReviews: z.array(
    z.object({
      toolId: z.string(),
      remark: z.string(),
      /** The version of the maker's answers at the time. */
      disclosureVersion: z.int().nullable(),
      nextDue: text,
      madeAt: date,
      redactedFor: text,
      redactedAt: time,
    }) satisfies Shows<'toolReviews'>,
  ),
  toolAsks: z.array(toolAsk satisfies Shows<'toolAsks'>),
  usage: z.array(
    z.object({
      toolId: z.string(),
      date,
      sessionDuration: z.int().nullable(),
      actionsPerformed: z.int(),
      dataProcessed: z.int(),
      performanceScore: text,
    }) satisfies Shows<'usageAnalytics'>,
  ),
  accessTokens: z.array(
    z.object({
      kind: z.string(),
      toolId: text,
      lastFour: text,
      clientReference: text,
      purpose: text,
      createdAt: date,
      expiresAt: date,
      usedAt: time,
      isRevoked: z.boolean(),
    }) satisfies Shows<'authTokens'>,
  ),
  notifications: z.array(
    z.object({
      type: z.string(),
      title: z.string(),
      message: z.string(),
      isRead: z.boolean(),
      createdAt: date,
    }) satisfies Shows<'notifications'>,
  ),
  /** To a verified address, and from you. The text of a mail is blanked once it is sent, since its links are secrets. */
  mails: z.array(
    z.object({
      kind: z.string(),
      subject: z.string(),
      toAddress: z.string(),
      createdAt: date,
      sentAt: time,
    }) satisfies Shows<'mails'>,
  ),
  /** What was changed, before and after, may be about others. */
  activity: z.array(
    z.object({
      action: z.string(),
      /** Whether the adviser did it, or it was done to the account. */
      byYou: z.boolean(),
      ip: text,
      device: text,
      createdAt: date,
    }) satisfies Shows<'auditLog'>,
  ),
});
export type AccountExport = z.output<typeof accountExport>;
