import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  text,
  uniqueIndex,
  uuid,
  varchar,
} from 'drizzle-orm/pg-core';
import { membershipTypes } from '../rules/people/accounts.ts';
import { states } from '../rules/australia.ts';
import { atStripe, createdAt, generatedId, instant, oneOf, updatedAt } from './columns.ts';

/**
 * What an administrator's search matches the beginning of, each with an index: the name in either order, and the e-mail address; without
 * regard to accents, apostrophes and forms (`triggers/searchable.sql`).
 */
export const searchTerms = [
  { name: 'name', term: sql.raw(`(searchable(first_name || ' ' || last_name) collate "C")`) },
  { name: 'surname', term: sql.raw(`(searchable(last_name || ' ' || first_name) collate "C")`) },
  { name: 'email', term: sql.raw(`(searchable(email) collate "C")`) },
] as const;
/** What it looks for the text in, of the newest accounts. */
export const searchedText = sql.raw(`(searchable(first_name || ' ' || last_name || ' ' || email) collate "C")`);

export const users = pgTable(
  'users',
  {
    id: generatedId(),
    /** Trimmed and lower-cased before it is stored. */
    email: text('email').notNull(),
    password: text('password').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    profileImageUrl: text('profile_image_url'),
    mobile: text('mobile'),
    businessName: text('business_name'),
    businessAddress: text('business_address'),
    businessCity: text('business_city'),
    businessState: text('business_state'),
    businessPostcode: text('business_postcode'),
    afslNumber: text('afsl_number'),
    /** Their number in ASIC's Financial Advisers Register. */
    adviserNumber: text('adviser_number'),
    dealerGroup: text('dealer_group'),
    abn: text('abn'),
    /** Both hold a JSON array of strings as text. */
    professionalCredentials: text('professional_credentials'),
    specializationAreas: text('specialization_areas'),
    emailVerified: boolean('email_verified').notNull().default(false),
    /** When its owner last proved an address of this account by a mailed link; null for those who did so before this was noted, too. */
    emailProvedAt: instant('email_proved_at'),
    profileCompleted: boolean('profile_completed').notNull().default(false),
    isAdmin: boolean('is_admin').notNull().default(false),
    freeAccessGranted: boolean('free_access_granted').notNull().default(false),
    membershipType: text('membership_type', { enum: membershipTypes }).notNull().default('standard'),
    stripeCustomerId: text('stripe_customer_id'),
    ...atStripe(),
    /** Raised by every change of password or rights; a session with a lower number is over, on every replica at once. */
    authEpoch: integer('auth_epoch').notNull().default(0),
    /** Whether second_factors has a row for them; copied here because every request by an administrator asks. */
    hasSecondFactor: boolean('has_second_factor').notNull().default(false),
    /** The next sign-in with a password leads to choosing a new one. */
    mustChangePassword: boolean('must_change_password').notNull().default(false),
    /** When an administrator locked this person out, and why. */
    suspendedAt: instant('suspended_at'),
    suspendedFor: text('suspended_for'),
    /** Nothing is charged for their own tools during the suspension. */
    chargesPaused: boolean('charges_paused').notNull().default(false),
    closedAt: instant('closed_at'),
    /** Order of registration, by which the administrators' lists sort. */
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('users_email_unique').on(sql`lower(${t.email})`),
    uniqueIndex('users_stripe_customer_unique').on(t.stripeCustomerId),
    index('users_stripe_subscription')
      .on(t.stripeSubscriptionId)
      .where(sql`${t.stripeSubscriptionId} is not null`)
      .concurrently(),
    // Administrators search by it.
    index('users_abn_open')
      .on(t.abn)
      .where(sql`${t.abn} is not null and ${t.closedAt} is null`),
    uniqueIndex('users_newest')
      .on(t.seq)
      .where(sql`${t.closedAt} is null`),
    uniqueIndex('users_free_access')
      .on(t.seq)
      .where(sql`${t.freeAccessGranted}`),
    // Finds the few administrators among all users.
    index('users_administrators')
      .on(t.id)
      .where(sql`${t.isAdmin}`)
      .concurrently(),
    index('users_unverified')
      .on(t.seq)
      .where(sql`${t.closedAt} is null and not ${t.emailVerified}`)
      .concurrently(),
    index('users_suspended')
      .on(t.seq)
      .where(sql`${t.closedAt} is null and ${t.suspendedAt} is not null`)
      .concurrently(),
    index('users_counted')
      .on(t.emailVerified, t.profileCompleted, t.freeAccessGranted)
      .where(sql`${t.closedAt} is null`)
      .concurrently(),
    ...searchTerms.map(({ name, term }) =>
      index(`users_searchable_${name}`)
        .on(term, t.seq.desc().nullsFirst())
        .where(sql`${t.closedAt} is null`)
        .concurrently(),
    ),
    // With the columns that the text is made of: only so PostgreSQL reads the text from the index.
    index('users_searchable')
      .on(t.seq, searchedText, t.firstName, t.lastName, t.email)
      .where(sql`${t.closedAt} is null`)
      .concurrently(),
    check(
      'users_suspended_for',
      sql`(${t.suspendedAt} is null) = (${t.suspendedFor} is null) and (${t.suspendedAt} is not null or not ${t.chargesPaused})`,
    ),
    check('users_email_normal', sql`${t.email} = lower(btrim(${t.email}))`),
    oneOf('users_membership_type', t.membershipType, membershipTypes),
    check('users_abn', sql`${t.abn} ~ '^[1-9][0-9]{10}$'`),
    oneOf('users_business_state', t.businessState, states),
    check('users_business_postcode', sql`${t.businessPostcode} ~ '^[0-9]{4}$'`),
  ],
);

/** Of whom a row is: it goes with its owner. */
export const ofUser = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });
/** Who did it: a row that keeps its author. */
export const byUser = (name: string) =>
  uuid(name)
    .notNull()
    .references(() => users.id);

/** `sid` is SHA-256 of the cookie's id. A destroyed session stays as an empty row, so that no late write revives it. */
export const sessions = pgTable(
  'sessions',
  {
    sid: varchar('sid').primaryKey(),
    sess: json('sess').notNull(),
    expire: instant('expire').notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    authEpoch: integer('auth_epoch'),
    /** Names the session in the list of sessions. */
    publicId: uuid('public_id').notNull().defaultRandom(),
    device: text('device'),
    createdAt: createdAt(),
    lastSeenAt: instant('last_seen_at').notNull().defaultNow(),
    destroyedAt: instant('destroyed_at'),
  },
  (t) => [
    index('sessions_expire').on(t.expire),
    index('sessions_user').on(t.userId),
    uniqueIndex('sessions_public_id').on(t.publicId),
  ],
);

/** `token` holds SHA-256 of the mailed token. */
export const emailVerificationTokens = pgTable(
  'email_verification_tokens',
  {
    id: generatedId(),
    userId: ofUser(),
    token: text('token').notNull().unique(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [index('email_verification_tokens_user').on(t.userId)],
);

/** `token` holds SHA-256 of the mailed token. */
export const passwordResetTokens = pgTable(
  'password_reset_tokens',
  {
    id: generatedId(),
    userId: ofUser(),
    token: text('token').notNull().unique(),
    expiresAt: instant('expires_at').notNull(),
    used: boolean('used').notNull().default(false),
    /** Whether it was mailed, so that using it proves the address; others are given after a password that has to be changed. */
    mailed: boolean('mailed').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [index('password_reset_tokens_user').on(t.userId)],
);

/**
 * A change of e-mail address: asked for, confirmed at the new address, perhaps undone from the old one. `token` and `undoToken`
 * hold SHA-256 of the mailed ones; there is nothing to undo for an address that was never verified.
 */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: generatedId(),
    userId: ofUser(),
    fromEmail: text('from_email').notNull(),
    toEmail: text('to_email').notNull(),
    token: text('token').notNull().unique(),
    expiresAt: instant('expires_at').notNull(),
    confirmedAt: instant('confirmed_at'),
    undoToken: text('undo_token').unique(),
    undoneAt: instant('undone_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('email_changes_user').on(t.userId),
    index('email_changes_from').on(t.fromEmail),
    uniqueIndex('email_changes_pending')
      .on(t.userId)
      .where(sql`${t.confirmedAt} is null`),
  ],
);
