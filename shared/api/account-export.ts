import * as z from 'zod';
import { user } from './accounts.ts';
import { date } from './fields.ts';

const text = z.string().nullable();
const time = date.nullable();

/**
 * Everything held about one adviser, without secrets, hashes and links. shared/schema/personal-data.ts says which section
 * shows which table.
 */
export const accountExport = z.object({
  exportedAt: date,
  account: user,
  card: z
    .object({ brand: z.string(), last4: text, expMonth: z.int().nullable(), expYear: z.int().nullable() })
    .nullable(),
  billingAddress: z
    .object({
      line1: z.string(),
      line2: text,
      city: z.string(),
      state: z.string(),
      postcode: z.string(),
      updatedAt: date,
    })
    .nullable(),
  reminderSettings: z
    .object({
      emailReminders: z.boolean(),
      inAppNotifications: z.boolean(),
      reminderDays: z.array(z.int()),
      updatedAt: date,
    })
    .nullable(),
  sessions: z.array(z.object({ device: text, createdAt: date, lastSeenAt: date })),
  emailChanges: z.array(
    z.object({ fromEmail: z.string(), toEmail: z.string(), createdAt: date, confirmedAt: time, undoneAt: time }),
  ),
  secondFactors: z.array(z.object({ kind: z.string(), name: z.string(), createdAt: date, lastUsedAt: time })),
  rememberedDevices: z.array(z.object({ device: z.string(), createdAt: date, lastUsedAt: date, expiresAt: date })),
  teams: z.array(z.object({ name: z.string(), role: z.string(), isActive: z.boolean(), joinedAt: date })),
  invitations: z.array(
    z.object({
      team: z.string(),
      email: z.string(),
      role: z.string(),
      /** Sent by the adviser, or received. */
      direction: z.enum(['sent', 'received']),
      createdAt: date,
      acceptedAt: time,
      declinedAt: time,
    }),
  ),
  subscriptions: z.array(
    z.object({
      toolId: z.string(),
      status: z.string(),
      monthlyCents: z.int(),
      autoRenew: z.boolean(),
      cancellationReason: text,
      cancellationDetails: text,
      createdAt: date,
      trialEndDate: time,
      endDate: time,
      cancelledAt: time,
      expiredAt: time,
    }),
  ),
  trialsTaken: z.array(z.object({ toolId: z.string(), createdAt: date })),
  codesRedeemed: z.array(z.object({ code: z.string(), toolId: z.string(), createdAt: date })),
  invoices: z.array(
    z.object({
      number: text,
      status: z.string(),
      description: z.string(),
      totalCents: z.int(),
      gstCents: z.int(),
      amountPaidCents: z.int(),
      lines: z.array(z.object({ description: z.string(), quantity: z.number(), cents: z.int() })),
      /** As it stood on the day of issue. */
      buyer: z
        .object({ name: z.string(), business: text, abn: text, email: z.string(), address: z.array(z.string()) })
        .nullable(),
      issuedAt: date,
      paidAt: time,
    }),
  ),
  /** What was refunded or credited. */
  adjustmentNotes: z.array(
    z.object({ number: z.string(), totalCents: z.int(), gstCents: z.int(), reason: text, issuedAt: date }),
  ),
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
    }),
  ),
  /** Each line of the record of AI use, corrections as well. */
  statements: z.array(
    z.object({
      sessionId: z.string(),
      checked: z.boolean().nullable(),
      remark: text,
      purpose: text,
      clientReference: text,
      madeAt: date,
    }),
  ),
  toolReviews: z.array(z.object({ toolId: z.string(), remark: z.string(), nextDue: text, madeAt: date })),
  usage: z.array(
    z.object({
      toolId: z.string(),
      date,
      sessionDuration: z.int().nullable(),
      actionsPerformed: z.int(),
      dataProcessed: z.int(),
      performanceScore: text,
    }),
  ),
  accessTokens: z.array(
    z.object({
      kind: z.string(),
      toolId: text,
      lastFour: text,
      createdAt: date,
      expiresAt: date,
      usedAt: time,
      isRevoked: z.boolean(),
    }),
  ),
  notifications: z.array(
    z.object({ type: z.string(), title: z.string(), message: z.string(), isRead: z.boolean(), createdAt: date }),
  ),
  mails: z.array(
    z.object({ kind: z.string(), subject: z.string(), toAddress: z.string(), createdAt: date, sentAt: time }),
  ),
  activity: z.array(
    z.object({
      action: z.string(),
      /** Whether the adviser did it, or it was done to the account. */
      byYou: z.boolean(),
      ip: text,
      device: text,
      createdAt: date,
    }),
  ),
});
export type AccountExport = z.output<typeof accountExport>;
