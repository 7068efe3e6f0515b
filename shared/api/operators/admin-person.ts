import * as z from 'zod';
import { membershipTypes } from '#shared/rules/people/accounts.ts';
import { paymentMethod } from '../billing.ts';
import { date } from '../fields.ts';
import { sentProfile } from '../profile.ts';
import { subscription } from '../subscriptions.ts';

export const personName = { firstName: z.string(), lastName: z.string(), email: z.string() };

/** An open account, as the administrators' lists have it. */
export const adminUser = z.object({
  id: z.string(),
  ...personName,
  dealerGroup: z.string().nullable(),
  membershipType: z.enum(membershipTypes),
  ownsTeam: z.boolean(),
  emailVerified: z.boolean(),
  profileCompleted: z.boolean(),
  isAdmin: z.boolean(),
  freeAccessGranted: z.boolean(),
  mustChangePassword: z.boolean(),
  suspendedAt: date.nullable(),
  suspendedFor: z.string().nullable(),
  chargesPaused: z.boolean(),
  createdAt: date,
});
export type AdminUser = z.output<typeof adminUser>;

/** One person, with what somebody answering the phone needs first. */
export const adminPerson = z.object({
  user: adminUser.extend({ ...sentProfile, hasSecondFactor: z.boolean(), stripeCustomerId: z.string().nullable() }),
  card: paymentMethod.nullable(),
  subscriptions: z.array(subscription),
  teams: z.array(z.object({ id: z.string(), name: z.string(), role: z.string() })),
});
export type AdminPerson = z.output<typeof adminPerson>;

/** One team, with what somebody answering the phone needs first. */
export const adminTeam = z.object({
  team: z.object({
    id: z.string(),
    name: z.string(),
    isActive: z.boolean(),
    maxMembers: z.int(),
    membershipType: z.enum(membershipTypes),
    requiresFactor: z.boolean(),
    stripeCustomerId: z.string().nullable(),
    createdAt: date,
  }),
  owner: z.object({ id: z.string(), name: z.string(), email: z.string() }),
  members: z.array(z.object({ id: z.string(), ...personName, role: z.string(), joinedAt: date })),
  card: paymentMethod.nullable(),
  subscriptions: z.array(subscription),
});
export type AdminTeam = z.output<typeof adminTeam>;

/** What happened to or around a person or a team. */
export const happeningKinds = ['act', 'invoice', 'adjustment_note', 'mail', 'session', 'stripe'] as const;
export type HappeningKind = (typeof happeningKinds)[number];

export const timeline = z.object({
  rows: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(happeningKinds),
      at: date,
      sentence: z.string(),
      /** A line each, such as the lines of an invoice. */
      details: z.array(z.string()),
    }),
  ),
  /** For the call that asks for older rows; null where there are none. */
  older: z.string().nullable(),
});

/** The last row that is shown: its time to the microsecond, and its id. */
export const timelineCursor = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, {
    error: 'Not a place in the timeline',
  });
