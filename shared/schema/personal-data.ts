import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { byField, laterFields, signUpFields } from '../rules/people/profile.ts';
import { erase, keep, type Handling } from './keep-or-erase.ts';
import * as why from './keep-reasons.ts';
import { ofBills } from './personal-data-bills.ts';
import { ofTools, type PersonalData } from './personal-data-tools.ts';
import { schema, type Tables } from './tables.ts';

const {
  users,
  sessions,
  emailChanges,
  emailVerificationTokens,
  passwordResetTokens,
  billingAddresses,
  invoices,
  factorResets,
  recoveryCodes,
  rememberedDevices,
  secondFactors,
  mails,
  notifications,
  reminderSettings,
  toolSubscriptions,
  trialUses,
  teamInvitations,
  teamMembers,
  teams,
} = schema;

const noCard = {
  cardBrand: erase(null),
  cardLast4: erase(null),
  cardExpMonth: erase(null),
  cardExpYear: erase(null),
  creditCents: erase(0),
};

/** Acts whose parameters hold an address, or the hash of a password, that was asked for; the audit trail has the rest. */
const holdsSecret = inArray(schema.acts.kind, ['change_email', 'set_password']);

/** Every table, and what becomes of it when somebody closes their account; server/accounts carries it out. */
export const personalData = {
  users: {
    rows: ({ id }) => eq(users.id, id),
    columns: {
      ...byField(signUpFields, () => erase('')),
      ...byField(laterFields, () => erase(null)),
      // An address that nobody can have (RFC 2606), so that the real one can register again.
      email: erase(sql`'closed-' || ${users.id} || '@closed.invalid'`),
      password: erase('!'),
      profileImageUrl: erase(null),
      emailVerified: erase(false),
      profileCompleted: erase(false),
      isAdmin: erase(false),
      freeAccessGranted: erase(false),
      hasSecondFactor: erase(false),
      mustChangePassword: erase(false),
      membershipType: erase('standard'),
      ...noCard,
      stripeSubscriptionId: erase(null),
      billingAnchor: erase(null),
      nextBillAt: erase(null),
      ...keep(why.openOnly, 'suspendedAt', 'suspendedFor', 'chargesPaused'),
      ...keep(why.toStripe, 'stripeCustomerId'),
      ...keep(why.identity, 'id', 'seq', 'authEpoch', 'closedAt', 'createdAt', 'updatedAt'),
    },
    exported: 'account',
  },
  sessions: {
    rows: ({ id }) => eq(sessions.userId, id),
    columns: {
      userId: erase(null),
      sess: erase({}),
      device: erase(null),
      destroyedAt: erase(sql`now()`),
      ...keep(why.endedSession, 'sid', 'publicId', 'authEpoch', 'expire', 'createdAt', 'lastSeenAt'),
    },
    exported: 'sessions',
  },
  emailVerificationTokens: {
    delete: ({ id }) => eq(emailVerificationTokens.userId, id),
    notExported: 'hashes of links that were mailed',
  },
  passwordResetTokens: {
    delete: ({ id }) => eq(passwordResetTokens.userId, id),
    notExported: 'hashes of links that were mailed',
  },
  secondFactors: { delete: ({ id }) => eq(secondFactors.userId, id), exported: 'secondFactors' },
  recoveryCodes: { delete: ({ id }) => eq(recoveryCodes.userId, id), notExported: 'hashes of codes that were shown' },
  rememberedDevices: { delete: ({ id }) => eq(rememberedDevices.userId, id), exported: 'rememberedDevices' },
  factorResets: { delete: ({ id }) => eq(factorResets.userId, id), notExported: 'a day’s wait; activity tells of it' },
  auditLog: {
    rows: ({ id }) => or(eq(schema.auditLog.actorId, id), eq(schema.auditLog.subjectId, id))!,
    columns: keep(
      why.evidence,
      'id',
      'actorId',
      'action',
      'subjectType',
      'subjectId',
      'before',
      'after',
      'ip',
      'device',
      'createdAt',
    ),
    exported: 'activity',
  },
  acts: {
    rows: ({ id }) => or(eq(schema.acts.personId, id), and(eq(schema.acts.subjectId, id), holdsSecret))!,
    columns: {
      parameters: erase(sql`case when ${holdsSecret} then '{}'::jsonb else ${schema.acts.parameters} end`),
      ...keep(
        why.evidence,
        ...(['id', 'kind', 'subjectId', 'reason', 'askedBy', 'ip', 'askedAt', 'personId', 'cents', 'state'] as const),
        ...(['expiresAt', 'decidedBy', 'decidedAt', 'doneAt', 'failure', 'undoneBy', 'undoneAt'] as const),
      ),
    },
    notExported: 'what administrators asked for; activity tells what was done',
  },
  userUsage: { delete: ({ id }) => eq(schema.userUsage.userId, id), notExported: 'a sum of toolSessions' },
  ...ofTools,
  toolSubscriptions: {
    rows: ({ id }) => eq(toolSubscriptions.userId, id),
    columns: {
      // Free text, in which people may say anything about themselves.
      cancellationDetails: erase(null),
      ...keep(
        why.purchase,
        ...(['id', 'userId', 'teamId', 'toolId', 'isActive', 'status', 'subscriptionType'] as const),
        ...(['stripeSubscriptionId', 'purchase', 'monthlyCents', 'quantity', 'autoRenew', 'winBackOf'] as const),
        ...(['prorations', 'draft', 'told', 'priceTold'] as const),
        ...(['winBack', 'freeMonths', 'paymentProblem', 'cancellationReason', 'cancelledAt', 'paidUntil'] as const),
        ...(['endDate', 'billingDay', 'unitCents', 'priceNumber', 'risesFrom', 'periodStart', 'revision'] as const),
        ...(['gracePeriodEnd', 'trialEndDate', 'expiredAt', 'version', 'syncedAt', 'createdAt', 'updatedAt'] as const),
      ),
    },
    exported: 'subscriptions',
  },
  trialUses: {
    rows: ({ trialIdentity }) => eq(trialUses.identity, trialIdentity),
    columns: keep(
      { keep: 'a trial is once per person; the address is stored as a hash', until: why.forGood },
      ...(['id', 'identity', 'toolId', 'subscriptionId', 'createdAt'] as const),
    ),
    exported: 'trialsTaken',
  },
  codeRedemptions: {
    rows: ({ id }) => eq(schema.codeRedemptions.userId, id),
    columns: keep(
      why.purchase,
      ...(['id', 'codeId', 'userId', 'teamId', 'toolId', 'subscriptionId', 'createdAt'] as const),
    ),
    exported: 'codesRedeemed',
  },
  invoices: {
    rows: ({ id }) => eq(invoices.userId, id),
    columns: keep(
      why.taxInvoice,
      ...(['id', 'stripeInvoiceId', 'userId', 'teamId', 'subscriptionId', 'number', 'status', 'description'] as const),
      ...(['totalCents', 'gstCents', 'amountPaidCents', 'dueCents', 'lines', 'buyer'] as const),
      ...(['issuedAt', 'paidAt', 'createdAt', 'updatedAt'] as const),
    ),
    exported: 'invoices',
  },
  ...ofBills,
  adjustmentNotes: {
    rows: ({ id }) => sql`${schema.adjustmentNotes.invoiceId} in (select id from invoices where user_id = ${id})`,
    columns: keep(
      why.taxInvoice,
      ...(['id', 'providerId', 'invoiceId', 'number', 'totalCents', 'gstCents', 'reason'] as const),
      ...(['issuedAt', 'createdAt'] as const),
    ),
    exported: 'adjustmentNotes',
  },
  subscriptionChanges: {
    rows: ({ id }) => eq(schema.subscriptionChanges.payerId, id),
    columns: keep(
      why.purchase,
      ...(['id', 'subscriptionId', 'payerId', 'toolId', 'at', 'month', 'status', 'plan', 'planBefore'] as const),
      ...(['live', 'liveBefore', 'cents', 'centsBefore', 'movement', 'cohort', 'hasPaid', 'onTrial'] as const),
      ...(['owedCents', 'trialStarted', 'trialConverted', 'wonBack', 'failedCents', 'recoveredCents'] as const),
      ...(['lostCents', 'invoiceId'] as const),
    ),
    notExported: 'what subscriptions say, for the sums of the business',
  },
  stripeEvents: {
    rows: ({ id }) => sql`${schema.stripeEvents.customerId} = (select stripe_customer_id from users where id = ${id})`,
    columns: keep(
      why.toStripe,
      ...(['id', 'type', 'objectId', 'subscriptionId', 'customerId', 'status', 'attempts', 'lastError'] as const),
      ...(['occurredAt', 'receivedAt', 'processedAt'] as const),
    ),
    notExported: 'numbers of Stripe objects; what they led to is under subscriptions and invoices',
  },
  billingAddresses: {
    delete: ({ id }) =>
      or(
        eq(billingAddresses.userId, id),
        sql`${billingAddresses.teamId} in (select id from teams where owner_id = ${id} and not is_active)`,
      )!,
    exported: 'billingAddress',
  },
  teams: {
    // Only closed teams: nobody can close their account while they own an open one.
    rows: ({ id }) => eq(teams.ownerId, id),
    columns: {
      // By default it holds the owner's first name.
      name: erase('Closed team'),
      ...noCard,
      stripeSubscriptionId: erase(null),
      billingAnchor: erase(null),
      nextBillAt: erase(null),
      ...keep(why.toStripe, 'stripeCustomerId'),
      ...keep(
        why.identity,
        'id',
        'ownerId',
        'membershipType',
        'maxMembers',
        'requiresFactor',
        'newToolsAllowed',
        'isActive',
        'createdAt',
        'updatedAt',
      ),
    },
    exported: 'teams',
  },
  teamMembers: { delete: ({ id }) => eq(teamMembers.userId, id), exported: 'teams' },
  teamInvitations: {
    delete: ({ email }) => eq(sql`lower(${teamInvitations.email})`, email),
    others: { keep: 'who invited a colleague stays known, by id', until: why.forGood },
    exported: 'invitations',
  },
  notifications: {
    delete: ({ id }) => eq(notifications.userId, id),
    others: why.colleagues,
    exported: 'notifications',
  },
  reminderSettings: { delete: ({ id }) => eq(reminderSettings.userId, id), exported: 'reminderSettings' },
  mails: {
    // Mails to them, from them to us, and their invitations to others; a union, so that each part uses an index.
    delete: ({ id, email, firstName, lastName, supportMailbox }) => sql`${mails.id} in (
      select id from mails where to_address = ${email}
      union all select mail.id from email_changes change join mails mail on mail.to_address = change.from_email
        where change.user_id = ${id} and mail.created_at < change.confirmed_at + interval '72 hours'
      union all select mail.id from email_changes change join mails mail on mail.to_address = change.to_email
        where change.user_id = ${id} and mail.kind = 'email-change'
      union all select id from mails where to_address = ${supportMailbox}
        and (headers ->> 'Reply-To' = ${email} or strpos(text_body, ${id}) > 0)
      union all select mail.id from team_invitations sent join mails mail on mail.to_address = sent.email
        where sent.invited_by_id = ${id} and mail.sent_at is not null
          and starts_with(mail.subject, ${`${firstName} ${lastName} invites you to `}))`,
    others: why.colleagues,
    exported: 'mails',
  },
  // After the mails, which are found through it.
  emailChanges: { delete: ({ id }) => eq(emailChanges.userId, id), exported: 'emailChanges' },
  rateLimits: { holds: 'counts of tries under keyed hashes, for a day at most' },
  appClock: { holds: 'the clock of development' },
  stripeAccount: { holds: 'the mode of the keys, and how far events have been read' },
  discountTiers: { holds: 'volume discounts' },
  toldIncidents: { holds: 'ids of webhook events and jobs' },
} satisfies PersonalData;

/** Personal data as a list, each with its table. */
export const personalTables = Object.entries<Handling<Record<string, unknown>>>(personalData).map(
  ([name, handling]) => ({
    name,
    table: schema[name as keyof Tables],
    handling,
  }),
);
