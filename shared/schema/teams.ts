import { type Column, sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { membershipTypes } from '../rules/people/accounts.ts';
import { lateAfterDays } from '../rules/record/record.ts';
import { invitedRoles, teamRoles } from '../rules/people/teams.ts';
import { byUser, ofUser, users } from './accounts.ts';
import { atStripe, createdAt, generatedId, instant, oneOf, updatedAt } from './columns.ts';

export const teams = pgTable(
  'teams',
  {
    id: generatedId(),
    name: text('name').notNull(),
    ownerId: byUser('owner_id'),
    membershipType: text('membership_type', { enum: membershipTypes }).notNull().default('team'),
    maxMembers: integer('max_members').notNull().default(19),
    /** A team has a Stripe customer of its own, never its owner's. */
    stripeCustomerId: text('stripe_customer_id').unique(),
    ...atStripe(),
    /** Members without a second factor can't open the team's tools. */
    requiresFactor: boolean('requires_factor').notNull().default(false),
    /** Its tools open only in sessions that began with this organisation's Microsoft account; null: in any. */
    microsoftTenant: text('microsoft_tenant'),
    /** Whether members may use a tool on which the practice has not decided (team_tools). */
    newToolsAllowed: boolean('new_tools_allowed').notNull().default(true),
    /** Days after a session from which a review of it is late, and whether late ones, and those of former members, are refused. */
    lateAfterDays: integer('late_after_days').notNull().default(lateAfterDays),
    refusesLate: boolean('refuses_late').notNull().default(false),
    /** Everybody is reminded each week of what they have not reviewed; owner and admins get a digest. */
    remindsWeekly: boolean('reminds_weekly').notNull().default(false),
    /** Its tools open only with a client reference and a purpose. */
    needsClient: boolean('needs_client').notNull().default(false),
    /** What its advisers can tick as checked; null: the usual list. */
    checks: text('checks').array(),
    /** Whom the owner has asked to take the team over, and when. */
    offeredToId: uuid('offered_to_id'),
    offeredAt: instant('offered_at'),
    isActive: boolean('is_active').notNull().default(true),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('teams_one_active_per_owner')
      .on(t.ownerId)
      .where(sql`${t.isActive}`),
    index('teams_stripe_subscription')
      .on(t.stripeSubscriptionId)
      .where(sql`${t.stripeSubscriptionId} is not null`)
      .concurrently(),
    // Administrators search by it.
    index('teams_searchable')
      .on(sql`(searchable(${t.name}) collate "C")`, t.id)
      .concurrently(),
    index('teams_listed')
      .on(t.isActive.desc().nullsFirst(), sql`(searchable(${t.name}) collate "C")`, t.id)
      .concurrently(),
    check('teams_max_members', sql`${t.maxMembers} between 1 and 19`),
    oneOf('teams_membership_type', t.membershipType, membershipTypes.slice(1)),
  ],
);

/** Of which team a row is: it goes with its team. */
export const ofTeam = () =>
  uuid('team_id')
    .notNull()
    .references(() => teams.id, { onDelete: 'cascade' });

/** Who pays: an adviser or a team, as `onePayer` checks. */
export const payer = () => ({
  userId: uuid('user_id').references(() => users.id),
  teamId: uuid('team_id').references(() => teams.id),
});
export const onePayer = (name: string, t: { userId: Column; teamId: Column }) =>
  check(name, sql`(${t.userId} is null) <> (${t.teamId} is null)`);

export const teamMembers = pgTable(
  'team_members',
  {
    id: generatedId(),
    teamId: ofTeam(),
    userId: ofUser(),
    role: text('role', { enum: teamRoles }).notNull().default('member'),
    joinedAt: instant('joined_at').notNull().defaultNow(),
    /** Since when they have a seat, where that is later. */
    seatedAt: instant('seated_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('team_members_once').on(t.teamId, t.userId),
    uniqueIndex('team_members_one_owner')
      .on(t.teamId)
      .where(sql`${t.role} = 'owner'`),
    // Every dashboard and every launch asks for the teams of one person.
    index('team_members_user').on(t.userId),
    uniqueIndex('team_members_one_membership')
      .on(t.userId)
      .where(sql`${t.role} <> 'owner'`),
    oneOf('team_members_role', t.role, teamRoles),
  ],
);

/** Who somebody is who has left a practice or closed their account, for as long as its record of AI use is kept. */
export const recordPeople = pgTable(
  'record_people',
  {
    teamId: ofTeam(),
    userId: ofUser(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email').notNull(),
    adviserNumber: text('adviser_number'),
    /** Null where they worked through the practice before memberships were noted. */
    joinedAt: instant('joined_at'),
    leftAt: instant('left_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.teamId, t.userId] }), index('record_people_left').on(t.leftAt)],
);

/** `token` and `copiedToken` hold SHA-256: of the link that was mailed, which proves the address, and of the one shown to the inviter. */
export const teamInvitations = pgTable(
  'team_invitations',
  {
    id: generatedId(),
    teamId: ofTeam(),
    email: text('email').notNull(),
    invitedById: byUser('invited_by_id'),
    role: text('role', { enum: invitedRoles }).notNull().default('member'),
    token: text('token').notNull().unique(),
    copiedToken: text('copied_token'),
    expiresAt: instant('expires_at').notNull(),
    acceptedAt: instant('accepted_at'),
    declinedAt: instant('declined_at'),
    isRevoked: boolean('is_revoked').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('team_invitations_pending')
      .on(t.teamId, sql`lower(${t.email})`)
      .where(sql`${t.acceptedAt} is null and ${t.declinedAt} is null and not ${t.isRevoked}`),
    index('team_invitations_team').on(t.teamId),
    uniqueIndex('team_invitations_copied')
      .on(t.copiedToken)
      .where(sql`${t.copiedToken} is not null`)
      .concurrently(),
    oneOf('team_invitations_role', t.role, teamRoles.slice(1)),
  ],
);
