import { and, type Column, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { byField, laterFields, signUpFields } from '../rules/people/profile.ts';
import type { Keep } from './keep-reasons.ts';
import * as why from './keep-reasons.ts';
import { schema, type Tables } from './tables.ts';

/** The person closing their account, and how to find their trials and their mails to us. */
export type Leaver = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  trialIdentity: string;
  supportMailbox: string;
};
type Rows = (leaver: Leaver) => SQL;

/** The section of the account's export that shows the rows, or why none does. */
type Exported = { exported: string } | { notExported: string };

export type Handling<Row> =
  /** Nothing personal; what it holds instead. */
  | { holds: string }
  /** These rows go; `others` says why rows of other people may still name the person. */
  | ({ delete: Rows; others?: Keep } & Exported)
  /** These rows stay, and of them everything but what is erased. */
  | ({ rows: Rows; erase?: { [Name in keyof Row]?: Row[Name] | SQL }; keep: Keep } & Exported);
type PersonalData = { [Name in keyof Tables]: Handling<Tables[Name]['$inferSelect']> };

/** The rows in which one of these columns names the person. */
const of =
  (...columns: Column[]): Rows =>
  ({ id }) =>
    or(...columns.map((column) => eq(column, id)))!;

const noBill = { stripeSubscriptionId: null, billingAnchor: null, nextBillAt: null };
const noCard = { cardBrand: null, cardLast4: null, cardExpMonth: null, cardExpYear: null, creditCents: 0 };

type User = Tables['users']['$inferSelect'];
/** The suspension's columns are empty in a closed account, since a suspended one is not closed. */
type KeptOfUser =
  | ('id' | 'seq' | 'authEpoch' | 'closedAt' | 'createdAt' | 'updatedAt' | 'stripeCustomerId')
  | ('suspendedAt' | 'suspendedFor' | 'chargesPaused');
/** Every column of an account but those that are kept by name: a new one doesn't compile until it is in either. */
const erasedOfUser: { [Name in Exclude<keyof User, KeptOfUser>]: User[Name] | SQL } = {
  ...byField(signUpFields, () => ''),
  ...byField(laterFields, () => null),
  // An address that nobody can have (RFC 2606), so that the real one can register again.
  email: sql`'closed-' || ${schema.users.id} || '@closed.invalid'`,
  password: '!',
  profileImageUrl: null,
  emailVerified: false,
  profileCompleted: false,
  isAdmin: false,
  freeAccessGranted: false,
  hasSecondFactor: false,
  mustChangePassword: false,
  membershipType: 'standard',
  ...noCard,
  ...noBill,
};

/** Acts whose parameters hold an address, or the hash of a password, that was asked for; the audit trail has the rest. */
const holdsSecret = inArray(schema.acts.kind, ['change_email', 'set_password']);

/** A session opened through a practice's subscription is in the practice's record too; any other is the adviser's alone. */
const unlessOfPractice = (column: AnyPgColumn) =>
  sql`case when ${schema.toolUsage.teamId} is not null then ${column} end`;

const { toolUsage: use, mails, teamInvitations } = schema;

/** Every table, and what becomes of it when somebody closes their account; server/accounts carries it out. */
export const personalData: PersonalData = {
  users: { rows: of(schema.users.id), erase: erasedOfUser, keep: why.identity, exported: 'account' },
  sessions: {
    rows: of(schema.sessions.userId),
    erase: { userId: null, sess: {}, device: null, destroyedAt: sql`now()` },
    keep: why.endedSession,
    exported: 'sessions',
  },
  emailVerificationTokens: {
    delete: of(schema.emailVerificationTokens.userId),
    notExported: 'hashes of links that were mailed',
  },
  passwordResetTokens: {
    delete: of(schema.passwordResetTokens.userId),
    notExported: 'hashes of links that were mailed',
  },
  secondFactors: { delete: of(schema.secondFactors.userId), exported: 'secondFactors' },
  recoveryCodes: { delete: of(schema.recoveryCodes.userId), notExported: 'hashes of codes that were shown' },
  rememberedDevices: { delete: of(schema.rememberedDevices.userId), exported: 'rememberedDevices' },
  factorResets: { delete: of(schema.factorResets.userId), notExported: 'a day’s wait; activity tells of it' },
  auditLog: { rows: of(schema.auditLog.actorId, schema.auditLog.subjectId), keep: why.evidence, exported: 'activity' },
  acts: {
    rows: ({ id }) => or(eq(schema.acts.personId, id), and(eq(schema.acts.subjectId, id), holdsSecret))!,
    erase: { parameters: sql`case when ${holdsSecret} then '{}'::jsonb else ${schema.acts.parameters} end` },
    keep: why.evidence,
    notExported: 'what administrators asked for; activity tells what was done',
  },
  userUsage: { delete: of(schema.userUsage.userId), notExported: 'a sum of toolSessions' },

  toolUsage: {
    rows: of(use.userId),
    erase: {
      clientReference: unlessOfPractice(use.clientReference),
      referenceFrom: unlessOfPractice(use.referenceFrom),
      purpose: unlessOfPractice(use.purpose),
      purposeFrom: unlessOfPractice(use.purposeFrom),
      checked: unlessOfPractice(use.checked),
      statedAt: unlessOfPractice(use.statedAt),
    },
    keep: why.use,
    exported: 'toolSessions',
  },
  sessionStatements: {
    delete: ({ id }) =>
      sql`${schema.sessionStatements.userId} = ${id}
        and ${schema.sessionStatements.sessionId} in (select id from tool_usage where user_id = ${id} and team_id is null)`,
    others: why.practiceRecord,
    exported: 'statements',
  },
  evidencePacks: {
    // Nobody could open an adviser's own packs any more; a practice's packs name advisers by id only.
    delete: ({ id }) => sql`${schema.evidencePacks.askedById} = ${id} and ${schema.evidencePacks.teamId} is null`,
    others: why.practiceRecord,
    notExported: 'files made of toolSessions and statements, to be downloaded before the account is closed',
  },
  evidenceHeads: { holds: 'sums of the files of evidencePacks, with which they go' },
  evidencePieces: { holds: 'the files of evidencePacks, with which they go; a practice’s name people by id only' },
  toolReviews: { rows: of(schema.toolReviews.userId), keep: why.practiceRecord, exported: 'toolReviews' },
  teamTools: {
    rows: of(schema.teamTools.decidedById),
    keep: why.decision,
    notExported: 'decisions of the practice, which its team page shows; activity tells who made them',
  },
  toolDisclosures: {
    rows: of(schema.toolDisclosures.madeById),
    keep: why.disclosure,
    notExported: 'what the tool’s page shows with its history',
  },
  toolPeople: { rows: of(schema.toolPeople.userId), keep: why.toBeTold, notExported: 'the tools of toolSessions' },
  toolEvents: {
    rows: of(schema.toolEvents.userId),
    keep: why.toldTool,
    notExported: 'messages to a tool’s server, which say no more than that access ended',
  },
  usageAnalytics: { rows: of(schema.usageAnalytics.userId), keep: why.use, exported: 'usage' },
  usageDays: { rows: of(schema.usageDays.userId), keep: why.use, notExported: 'sums of toolSessions and usage' },
  authTokens: {
    rows: of(schema.authTokens.userId),
    erase: { isRevoked: true },
    keep: why.token,
    exported: 'accessTokens',
  },
  tools: {
    rows: of(schema.tools.ownerId),
    keep: why.tool,
    notExported: 'the maker’s own tools, which /developers shows',
  },
  toolPrices: {
    rows: of(schema.toolPrices.changedBy),
    keep: why.evidence,
    notExported: 'prices of tools, which administrators set',
  },
  toolChanges: {
    rows: of(schema.toolChanges.changedBy),
    keep: why.evidence,
    notExported: 'settings of tools, which administrators change',
  },
  tierChanges: {
    rows: of(schema.tierChanges.changedBy),
    keep: why.evidence,
    notExported: 'volume discounts, which administrators set',
  },
  discountCodes: {
    rows: of(schema.discountCodes.madeBy, schema.discountCodes.endedBy),
    keep: why.evidence,
    notExported: 'discount codes, which administrators make',
  },
  testAdvisers: { rows: of(schema.testAdvisers.userId), keep: why.madeUp, notExported: 'made-up people' },
  toolRefusals: { holds: 'what tools were refused, without people' },
  toolChecks: { holds: 'what an examination of a tool found, with made-up people' },
  toolSecrets: { holds: 'secrets of tools, as hashes or sealed' },
  toolMetrics: { holds: 'sums per tool and day' },

  toolSubscriptions: {
    rows: of(schema.toolSubscriptions.userId),
    // Free text, in which people may say anything about themselves.
    erase: { cancellationDetails: null },
    keep: why.purchase,
    exported: 'subscriptions',
  },
  trialUses: {
    rows: ({ trialIdentity }) => eq(schema.trialUses.identity, trialIdentity),
    keep: why.trial,
    exported: 'trialsTaken',
  },
  codeRedemptions: { rows: of(schema.codeRedemptions.userId), keep: why.purchase, exported: 'codesRedeemed' },
  bills: { rows: of(schema.bills.userId), keep: why.taxInvoice, exported: 'bills' },
  // A team's name the person whose seat they are for, as the team's tax invoices do.
  adjustments: {
    rows: of(schema.adjustments.userId, schema.adjustments.personId),
    keep: why.taxInvoice,
    exported: 'adjustments',
  },
  toldBills: { rows: of(schema.toldBills.userId), keep: why.purchase, exported: 'toldBills' },
  invoices: { rows: of(schema.invoices.userId), keep: why.taxInvoice, exported: 'invoices' },
  adjustmentNotes: {
    rows: ({ id }) => sql`${schema.adjustmentNotes.invoiceId} in (select id from invoices where user_id = ${id})`,
    keep: why.taxInvoice,
    exported: 'adjustmentNotes',
  },
  subscriptionChanges: {
    rows: of(schema.subscriptionChanges.payerId),
    keep: why.purchase,
    notExported: 'what subscriptions say, for the sums of the business',
  },
  stripeEvents: {
    rows: ({ id }) => sql`${schema.stripeEvents.customerId} = (select stripe_customer_id from users where id = ${id})`,
    keep: why.toStripe,
    notExported: 'numbers of Stripe objects; what they led to is under subscriptions and invoices',
  },
  billingAddresses: {
    delete: ({ id }) =>
      or(
        eq(schema.billingAddresses.userId, id),
        sql`${schema.billingAddresses.teamId} in (select id from teams where owner_id = ${id} and not is_active)`,
      )!,
    exported: 'billingAddress',
  },

  teams: {
    // Only closed teams: nobody can close their account while they own an open one.
    rows: of(schema.teams.ownerId),
    // By default the name holds the owner's first name.
    erase: { name: 'Closed team', ...noCard, ...noBill },
    keep: why.identity,
    exported: 'teams',
  },
  teamMembers: { delete: of(schema.teamMembers.userId), exported: 'teams' },
  teamInvitations: {
    delete: ({ email }) => eq(sql`lower(${teamInvitations.email})`, email),
    others: why.inviter,
    exported: 'invitations',
  },
  notifications: { delete: of(schema.notifications.userId), others: why.colleagues, exported: 'notifications' },
  reminderSettings: { delete: of(schema.reminderSettings.userId), exported: 'reminderSettings' },
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
  emailChanges: { delete: of(schema.emailChanges.userId), exported: 'emailChanges' },

  rateLimits: { holds: 'counts of tries under keyed hashes, for a day at most' },
  appClock: { holds: 'the clock of development' },
  stripeAccount: { holds: 'the mode of the keys, and how far events have been read' },
  discountTiers: { holds: 'volume discounts' },
  toldIncidents: { holds: 'ids of webhook events and jobs' },
};

/** Personal data as a list, each with its table. */
export const personalTables = Object.entries<Handling<Record<string, unknown>>>(personalData).map(
  ([name, handling]) => ({ name, table: schema[name as keyof Tables], handling }),
);
