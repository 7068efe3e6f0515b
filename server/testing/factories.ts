import { randomBytes } from 'node:crypto';
import { users } from '#shared/schema/accounts.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import type { Context } from '#server/platform/context.ts';
import { password } from './newcomer.ts';

export { password };

export type NewUser = Partial<typeof users.$inferInsert>;
type With = Pick<Context, 'db' | 'passwords'>;

const suffix = () => randomBytes(4).toString('hex');
const hashes = new WeakMap<object, Promise<string>>();

/** A verified adviser with a complete profile, unless said otherwise. */
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

/** A team with its owner as first member, and `members` advisers more. */
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
