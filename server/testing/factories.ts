import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { users } from '#shared/schema/accounts.ts';
import { codeRedemptions, discountCodes } from '#shared/schema/discount-codes.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import type { Context } from '#server/platform/context.ts';
import { password } from './newcomer.ts';

export { password };

export type NewUser = Partial<typeof users.$inferInsert>;
type With = Pick<Context, 'db' | 'passwords'>;

const suffix = () => randomBytes(4).toString('hex');
const hashes = new WeakMap<object, Promise<string>>();

/** A verified adviser with a complete profile, unless `details` say otherwise. */
export async function createUser({ db, passwords }: With, details: NewUser = {}) {
  const hash = hashes.get(passwords) ?? passwords.hash(password);
  hashes.set(passwords, hash);
  const [row] = await db
    .insert(users)
    .values({
      email: `adviser-${suffix()}@practice.example`,
      password: await hash,
      firstName: 'Alex',
      lastName: 'Nguyen',
      mobile: '+61412345678',
      businessName: 'Nguyen Advice',
      businessAddress: '1 Pitt Street',
      businessCity: 'Sydney',
      businessState: 'NSW',
      businessPostcode: '2000',
      dealerGroup: 'Independent',
      professionalCredentials: '[]',
      specializationAreas: '["Retirement Planning"]',
      emailVerified: true,
      profileCompleted: true,
      ...details,
    })
    .returning();
  return row!;
}

export const createAdmin = (context: With, details: NewUser = {}) =>
  createUser(context, { email: `admin-${suffix()}@adviserly.example`, isAdmin: true, ...details });

/** A team whose owner is its first member, with `members` more advisers. */
export async function createTeam(
  context: With,
  { members = 0, ...details }: Partial<typeof teams.$inferInsert> & { members?: number } = {},
) {
  const ownerId = details.ownerId ?? (await createUser(context)).id;
  const [team] = await context.db
    .insert(teams)
    .values({ name: 'Nguyen Partners', ...details, ownerId })
    .returning();
  await context.db.insert(teamMembers).values({ teamId: team!.id, userId: ownerId, role: 'owner' });
  for (let i = 0; i < members; i += 1) {
    const member = await createUser(context, { membershipType: 'team' });
    await context.db.insert(teamMembers).values({ teamId: team!.id, userId: member.id, role: 'member' });
  }
  return { team: team!, ownerId };
}

/** A discount code made by this person and redeemed with one of their subscriptions. */
export async function createRedeemedCode({ db }: Pick<With, 'db'>, userId: string) {
  const terms = { percent: 20, months: 3, mostRedemptions: 5, endsAt: new Date(), reason: 'Spring' };
  const values = { code: suffix().toUpperCase(), ...terms, madeBy: userId };
  const [code] = await db.insert(discountCodes).values(values).returning();
  const [row] = await db.select().from(toolSubscriptions).where(eq(toolSubscriptions.userId, userId)).limit(1);
  const redeemed = { codeId: code!.id, userId, toolId: row!.toolId, subscriptionId: row!.id };
  await db.insert(codeRedemptions).values(redeemed);
}
