import { and, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { dataMap } from '../rules/people/data-map.ts';
import { columnsOf, type PersonalTable } from './personal-columns.ts';
import { schema, type Tables } from './tables.ts';

/** The person closing their account, and how to find their trials and their mails to us. */
export type Leaver = {
  id: string;
  email: string;
  /** Whether they have shown that the address is theirs: if not, what others sent it to is not about them. */
  emailVerified: boolean;
  firstName: string;
  lastName: string;
  trialIdentity: string;
  supportMailbox: string;
};
type Rows = (leaver: Leaver) => SQL;
/** The person's rows: those in which one of these columns names them, or these. */
type Where<Row> = readonly (keyof Row & ('id' | `${string}Id` | `${string}By`))[] | Rows;

/** The section of the account's export that shows the rows, or why none does. */
type Exported = { exported: string } | { notExported: string };

/** The person's rows go, or stay without what their groups erase; `set` says where a column becomes something else. */
type Handling<Row> = ({ delete: Where<Row> } | { rows: Where<Row>; set?: { [Name in keyof Row]?: Row[Name] | SQL } }) &
  Exported;
type PersonalData = { [Name in PersonalTable]: Handling<Tables[Name]['$inferSelect']> };

const noBill = { stripeSubscriptionId: null, billingAnchor: null, nextBillAt: null };

/** Acts whose parameters hold an address, or the hash of a password, that was asked for; the audit trail has the rest. */
const holdsSecret = inArray(schema.acts.kind, ['change_email', 'set_password']);

const { toolSubscriptions: slot, toolUsage: use, mails, teamInvitations } = schema;

/** Mails to them, from them to us, and their invitations to others; a union, so that each part uses an index. */
export const mailsAbout: Rows = ({ id, email, firstName, lastName, supportMailbox }) => sql`${mails.id} in (
  select id from mails where to_address = ${email}
  union all select mail.id from email_changes change join mails mail on mail.to_address = change.from_email
    where change.user_id = ${id} and mail.created_at < change.confirmed_at + interval '72 hours'
  union all select mail.id from email_changes change join mails mail on mail.to_address = change.to_email
    where change.user_id = ${id} and mail.kind = 'email-change'
  union all select id from mails where to_address = ${supportMailbox}
    and (headers ->> 'Reply-To' = ${email} or strpos(text_body, ${id}) > 0)
  union all select mail.id from bookkeepers keeper join mails mail on mail.to_address = keeper.email
    where keeper.user_id = ${id} and strpos(mail.subject, ${`${firstName} ${lastName}`}) > 0
  union all select mail.id from team_invitations sent join mails mail on mail.to_address = sent.email
    where sent.invited_by_id = ${id} and mail.sent_at is not null
      and starts_with(mail.subject, ${`${firstName} ${lastName} invites you to `}))`;

/** Every table, and what becomes of it when somebody closes their account; server/accounts carries it out. */
export const personalData: PersonalData = {
  users: {
    rows: ['id'],
    set: {
      // An address that nobody can have (RFC 2606), so that the real one can register again.
      email: sql`'closed-' || ${schema.users.id} || '@closed.invalid'`,
      password: '!',
      membershipType: 'standard',
      ...noBill,
    },
    exported: 'account',
  },
  sessions: {
    rows: ['userId'],
    set: { userId: null, sess: {}, device: null, destroyedAt: sql`now()` },
    exported: 'sessions',
  },
  emailVerificationTokens: { delete: ['userId'], notExported: 'hashes of links that were mailed' },
  passwordResetTokens: { delete: ['userId'], notExported: 'hashes of links that were mailed' },
  secondFactors: { delete: ['userId'], exported: 'secondFactors' },
  identities: { delete: ['userId'], exported: 'identities' },
  recoveryCodes: { delete: ['userId'], notExported: 'hashes of codes that were shown' },
  rememberedDevices: { delete: ['userId'], exported: 'rememberedDevices' },
  factorResets: { delete: ['userId'], notExported: 'a day’s wait; activity tells of it' },
  auditLog: { rows: ['actorId', 'subjectId'], exported: 'activity' },
  acts: {
    rows: ({ id }) => or(eq(schema.acts.personId, id), and(eq(schema.acts.subjectId, id), holdsSecret))!,
    set: { parameters: sql`case when ${holdsSecret} then '{}'::jsonb else ${schema.acts.parameters} end` },
    notExported: 'what administrators asked for; activity tells what was done',
  },
  userUsage: { delete: ['userId'], notExported: 'a sum of toolSessions' },

  toolUsage: {
    rows: ['userId'],
    set: { statedAt: sql`case when ${use.teamId} is not null then ${use.statedAt} end` },
    exported: 'toolSessions',
  },
  sessionStatements: {
    delete: ({ id }) =>
      sql`${schema.sessionStatements.userId} = ${id}
        and ${schema.sessionStatements.sessionId} in (select id from tool_usage where user_id = ${id} and team_id is null)`,
    exported: 'statements',
  },
  evidencePacks: {
    // Nobody could open an adviser's own packs any more; a practice's packs are its own.
    delete: ({ id }) => sql`${schema.evidencePacks.askedById} = ${id} and ${schema.evidencePacks.teamId} is null`,
    notExported: 'files made of toolSessions and statements, to be downloaded before the account is closed',
  },
  recordPeople: { rows: ['userId'], exported: 'practices' },
  recordHolds: { rows: ['heldById', 'releasedById'], notExported: 'holds of the practice, which its team page shows' },
  recallSessions: {
    rows: ['userId', 'lookedById'],
    notExported: 'which of toolSessions a recall touched; statements tell what was found',
  },
  recalls: { rows: ['openedById'], notExported: 'the maker’s own recalls, which /developers shows' },
  recallChanges: { rows: ['madeById'], notExported: 'the maker’s own recalls, which /developers shows' },
  toolReviews: { rows: ['userId'], exported: 'toolReviews' },
  toolAsks: { delete: ['userId'], exported: 'toolAsks' },
  sessionSignOffs: {
    rows: ['userId'],
    notExported: 'sign-offs for the practice, which its register shows; activity tells of them',
  },
  recordSamples: {
    rows: ['userId', 'adviserId'],
    notExported: 'samples that were drawn for the practice, which its evidence packs show',
  },
  teamTools: {
    rows: ['decidedById', 'accountableId'],
    notExported: 'decisions of the practice, which its team page shows; activity tells who made them',
  },
  toolDisclosures: { rows: ['madeById'], notExported: 'what the tool’s page shows with its history' },
  toolAnnouncements: { rows: ['announcedById'], notExported: 'the maker’s own announcements, which /developers shows' },
  toolPeople: { rows: ['userId'], notExported: 'the tools of toolSessions' },
  toolEvents: {
    rows: ['userId'],
    notExported: 'messages to a tool’s server, which say no more than that access ended',
  },
  usageAnalytics: { rows: ['userId'], exported: 'usage' },
  usageDays: { rows: ['userId'], notExported: 'sums of toolSessions and usage' },
  authTokens: {
    rows: ['userId'],
    set: { isRevoked: true },
    exported: 'accessTokens',
  },
  tools: { rows: ['ownerId'], notExported: 'the maker’s own tools, which /developers shows' },
  toolPrices: { rows: ['changedBy'], notExported: 'prices of tools, which administrators set' },
  toolChanges: { rows: ['changedBy'], notExported: 'settings of tools, which administrators change' },
  tierChanges: { rows: ['changedBy'], notExported: 'bulk discounts, which administrators set' },
  discountCodes: { rows: ['madeBy', 'endedBy'], notExported: 'discount codes, which administrators make' },
  testAdvisers: { rows: ['userId'], notExported: 'made-up people' },

  toolSubscriptions: {
    // With a practice's that they were the last to cancel, for what they wrote then; a union, so that each part uses an index.
    rows: ({ id }) => sql`${slot.id} in (
      select id from tool_subscriptions where user_id = ${id}
      union all select of_team.id from audit_log mine join tool_subscriptions of_team on of_team.id = mine.subject_id::uuid
        where mine.actor_id = ${id} and mine.action = 'subscription.changed' and mine.after ->> 'status' = 'cancelled'
          and of_team.team_id is not null and of_team.cancellation_details is not null
          and not exists (select from audit_log later where later.subject_id = mine.subject_id
            and later.action = mine.action and later.after ->> 'status' = 'cancelled' and later.created_at > mine.created_at))`,
    exported: 'subscriptions',
  },
  trialUses: {
    rows: ({ trialIdentity }) => eq(schema.trialUses.identity, trialIdentity),
    exported: 'trialsTaken',
  },
  codeRedemptions: { rows: ['userId'], exported: 'codesRedeemed' },
  bills: { rows: ['userId'], exported: 'bills' },
  // A team's name the person whose seat they are for, as the team's tax invoices do.
  adjustments: { rows: ['userId', 'personId'], exported: 'adjustments' },
  toldBills: { rows: ['userId'], exported: 'toldBills' },
  invoices: { rows: ['userId'], exported: 'invoices' },
  adjustmentNotes: {
    rows: ({ id }) => sql`${schema.adjustmentNotes.invoiceId} in (select id from invoices where user_id = ${id})`,
    exported: 'adjustmentNotes',
  },
  subscriptionChanges: { rows: ['payerId'], notExported: 'what subscriptions say, for the sums of the business' },
  stripeEvents: {
    rows: ({ id }) => sql`${schema.stripeEvents.customerId} = (select stripe_customer_id from users where id = ${id})`,
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
    rows: ['ownerId'],
    // By default the name holds the owner's first name.
    set: { name: 'Closed team', ...noBill },
    exported: 'teams',
  },
  teamMembers: { delete: ['userId'], exported: 'teams' },
  teamInvitations: {
    delete: ({ email, emailVerified }) =>
      emailVerified ? eq(sql`lower(${teamInvitations.email})`, email) : sql`false`,
    exported: 'invitations',
  },
  notifications: { delete: ['userId'], exported: 'notifications' },
  reminderSettings: { delete: ['userId'], exported: 'reminderSettings' },
  mails: {
    delete: mailsAbout,
    exported: 'mails',
  },
  yearStatements: { rows: ['userId'], notExported: 'that the statement of a year was mailed, which mails show' },
  // After the mails, which are found through them.
  bookkeepers: {
    delete: ({ id, email, emailVerified }) =>
      or(
        eq(schema.bookkeepers.userId, id),
        emailVerified ? eq(sql`lower(${schema.bookkeepers.email})`, email) : undefined,
        sql`${schema.bookkeepers.teamId} in (select id from teams where owner_id = ${id} and not is_active)`,
      )!,
    exported: 'bookkeepers',
  },
  emailChanges: { delete: ['userId'], exported: 'emailChanges' },
};

/** Tables without a person, and what they hold. */
export const impersonal: Record<Exclude<keyof Tables, PersonalTable>, string> = {
  evidenceHeads: 'sums of the files of evidencePacks, with which they go',
  evidenceStamps: 'time stamps of evidenceHeads, with which they go',
  evidencePieces: 'the files of evidencePacks, with which they go; a practice’s say who is who in its record',
  toolAgreements: 'prices of tools, of which none names a person',
  toolRefusals: 'what tools were refused, without people',
  toolChecks: 'what an examination of a tool found, with made-up people',
  toolSecrets: 'secrets of tools, as hashes or sealed',
  toolMetrics: 'sums per tool and day',
  rateLimits: 'counts of tries under keyed hashes, for a day at most',
  appClock: 'the clock of development',
  mailedCopies: 'ids of documents that were mailed to bookkeepers',
  mailFiles: 'files of mails, with which they go',
  sellers: 'the company that sells, and since when',
  stripeAccount: 'the mode of the keys, and how far events have been read',
  discountTiers: 'bulk discounts',
  toldIncidents: 'ids of webhook events and jobs',
};

/** What is left of a column without what it said of the person; a time that must be there stays. */
function emptied(column: PgColumn): unknown {
  if (!column.notNull) return null;
  return column.dataType === 'date' ? sql`${column}` : ({ boolean: false, number: 0 }[column.dataType as string] ?? '');
}

type Erasure = Record<string, unknown>;
type Columns = Record<string, PgColumn>;

/** What closing writes into the person's rows of a table: what the groups of its columns erase, and what it sets itself. */
function erasureOf(name: PersonalTable, columns: Columns, set: Erasure): Erasure {
  const erased: Erasure = {};
  for (const [group, names] of columnsOf(name)) {
    const { erases } = dataMap[group];
    for (const column of erases === 'none' ? [] : names)
      erased[column] =
        erases === 'all' || !columns['teamId']
          ? emptied(columns[column]!)
          : // A session opened through a practice's subscription is in the practice's record too; any other is the adviser's alone.
            sql`case when ${columns['teamId']} is not null then ${columns[column]} end`;
  }
  return { ...erased, ...set };
}

/** Personal data as a list, each with its table, which rows are the person's, and what closing an account writes into those that stay. */
export const personalTables = (Object.keys(personalData) as PersonalTable[]).map((name) => {
  const handling: Handling<Erasure> = personalData[name];
  const columns = getTableColumns(schema[name]) as Columns;
  const where = 'delete' in handling ? handling.delete : handling.rows;
  const rows: Rows =
    typeof where === 'function' ? where : ({ id }) => or(...where.map((column) => eq(columns[column]!, id)))!;
  const erasure = 'rows' in handling ? erasureOf(name, columns, handling.set ?? {}) : {};
  return { name, table: schema[name], handling, rows, erasure };
});
