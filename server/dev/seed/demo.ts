import type { TeamRole } from '#shared/rules/people/teams.ts';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import { users } from '#shared/schema/accounts.ts';
import { day, plus } from '#shared/rules/dates.ts';
import type { Context } from '#server/platform/context.ts';
import { demoAccounts as kept } from '#server/people/service.ts';
import { transaction, type Db } from '#server/platform/data/database.ts';
import { seedLife, type Habit } from './usage.ts';

type Details = Partial<typeof users.$inferInsert>;
type DemoAccount = { email: string; password: string; role: string; note: string };

/** Published on purpose: production refuses to start on a database with these accounts. */
export const demoPassword = 'Demo-Adviser-2026';
export const emailOf = (name: string) => `${name}@${kept.domain}`;
const account = (name: string, role: string, note: string): DemoAccount => ({
  email: emailOf(name),
  password: demoPassword,
  role,
  note,
});

const admin = account('admin', 'Administrator', 'Opens /admin.');

const secondAdmin = account(
  'admin2',
  'Second administrator',
  'Approves what needs a second administrator (FOUR_EYES=on).',
);

/** Numbers that nobody has: the ABNs that are issued begin with 11 to 99. */
const harbour = (adviserNumber: string) => ({
  businessName: 'Harbour Advice',
  dealerGroup: 'Harbour Wealth',
  businessAddress: '12 Lydiard Street North',
  businessCity: 'Ballarat',
  businessState: 'VIC',
  businessPostcode: '3350',
  afslNumber: '000101',
  adviserNumber,
});
const people: { account: DemoAccount; details: Details; teamRole?: TeamRole; habit?: Habit }[] = [
  {
    account: account(
      'adviser',
      'Adviser',
      'Three tools, a trial that ends in weeks, and an offer to come back to a fourth.',
    ),
    habit: { tools: ['fact-find-ai', 'risk-profile-ai', 'file-note-ai', 'lost-money-ai'], perDay: 2.6 },
    details: { firstName: 'Olivia', lastName: 'Chen', dealerGroup: 'Independent' },
  },
  {
    account: account('unverified', 'Adviser, unverified', 'Has not opened the verification mail: no free trial.'),
    details: { firstName: 'Jack', lastName: 'Murphy', dealerGroup: 'Southern Advice Group', emailVerified: false },
  },
  {
    account: account(
      'partner',
      'Partner adviser',
      'Member of the partner group: half of every base price. One payment is disputed.',
    ),
    habit: { tools: ['risk-profile-ai', 'pre-fill-ai'], perDay: 0.9 },
    details: { firstName: 'Priya', lastName: 'Sharma', dealerGroup: 'Independent', membershipType: 'shaw_partners' },
  },
  {
    account: account(
      'free',
      'Adviser with free access',
      'Free access was revoked three days ago: four days of grace are left.',
    ),
    details: { firstName: 'Noah', lastName: 'Williams', dealerGroup: null, freeAccessGranted: true },
  },
  {
    account: account(
      'owner',
      'Practice owner',
      'Owns the team Harbour Advice: five people, two tools, three months of invoices.',
    ),
    teamRole: 'owner',
    habit: { tools: ['fact-find-ai', 'file-note-ai'], perDay: 1.4 },
    details: { firstName: 'Grace', lastName: 'Taylor', ...harbour('000000101'), abn: '10000000000' },
  },
  {
    account: account('team-admin', 'Team admin', 'Invites and removes members of Harbour Advice.'),
    teamRole: 'admin',
    habit: { tools: ['file-note-ai', 'fact-find-ai'], perDay: 1.1 },
    details: { firstName: 'Liam', lastName: 'Walker', ...harbour('000000102') },
  },
  {
    account: account('member', 'Team member', 'One of three members of Harbour Advice.'),
    teamRole: 'member',
    habit: { tools: ['file-note-ai', 'fact-find-ai'], perDay: 0.9 },
    details: { firstName: 'Mei', lastName: 'Tanaka', ...harbour('000000103') },
  },
  {
    account: account('member2', '', ''),
    teamRole: 'member',
    habit: { tools: ['fact-find-ai', 'file-note-ai'], perDay: 0.7 },
    details: { firstName: 'Thomas', lastName: 'Katsaros', ...harbour('000000104') },
  },
  {
    account: account('member3', '', ''),
    teamRole: 'member',
    habit: { tools: ['file-note-ai'], perDay: 0.6 },
    details: { firstName: 'Ruby', lastName: "O'Brien", ...harbour('000000105') },
  },
];

/** Who can sign in when demo data is on; shown at start and on /dev. */
export const demoAccounts: readonly DemoAccount[] = [
  ...people.flatMap((person) => (person.account.role ? [person.account] : [])),
  admin,
  secondAdmin,
];

/** Before the first of their sessions. */
const joinedDaysAgo = 120;

const completeProfile = {
  mobile: '+61412345678',
  businessAddress: '1 Macquarie Place',
  businessCity: 'Sydney',
  businessState: 'NSW',
  businessPostcode: '2000',
  professionalCredentials: '["CFP"]',
  specializationAreas: '["Retirement Planning","SMSF Administration"]',
  emailVerified: true,
  profileCompleted: true,
} satisfies Details;

/**
 * Adds the demo accounts, once per database: the administrator's account marks that it was done, so that an account
 * deleted or changed later stays that way. Two servers that start together wait here for each other.
 */
export async function seedDemo(context: Context): Promise<void> {
  const hash = await context.passwords.hash(demoPassword);
  const now = context.now();
  const add = async (db: Db, email: string, details: Details) => {
    const names = { firstName: 'Demo', lastName: 'Adviser', businessName: `${details.lastName ?? 'Demo'} Advice` };
    const times = { createdAt: plus(now, -joinedDaysAgo * day), updatedAt: now };
    const row = { ...names, ...completeProfile, ...times, ...details, email, password: hash };
    const [added] = await db.insert(users).values(row).onConflictDoNothing().returning({ id: users.id });
    return added?.id ?? null;
  };
  await transaction(context.db, async (tx) => {
    const administrator = { firstName: 'Amelia', lastName: 'Hughes', isAdmin: true };
    if ((await add(tx, admin.email, administrator)) === null) return;
    await add(tx, secondAdmin.email, { firstName: 'Oscar', lastName: 'Lindqvist', isAdmin: true });
    const team: { userId: string; role: TeamRole }[] = [];
    for (const person of people) {
      const inTeam = person.teamRole && person.teamRole !== 'owner' ? { membershipType: 'team' as const } : {};
      const userId = await add(tx, person.account.email, { ...person.details, ...inTeam });
      if (userId !== null && person.teamRole) team.push({ userId, role: person.teamRole });
    }
    // Dated before their first sessions: a team is not shown what its members did elsewhere.
    await addTeam(tx, team, plus(now, -joinedDaysAgo * day));
  });
  await seedLife(
    context,
    people.flatMap(({ account, habit }) => (habit ? [{ email: account.email, habit }] : [])),
  );
}

async function addTeam(db: Db, people: { userId: string; role: TeamRole }[], at: Date): Promise<void> {
  const ownerId = people.find((one) => one.role === 'owner')?.userId;
  if (ownerId === undefined) return;
  const times = { createdAt: at, updatedAt: at };
  const [team] = await db
    .insert(teams)
    .values({ name: 'Harbour Advice', ownerId, ...times })
    .returning({ id: teams.id });
  if (!team) return;
  await db.insert(teamMembers).values(people.map((one) => ({ ...one, teamId: team.id, joinedAt: at, createdAt: at })));
}
