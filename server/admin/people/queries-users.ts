import { and, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { parseAbn } from '#shared/rules/australia.ts';
import { byField, type ProfileField, profileFields } from '#shared/rules/people/profile.ts';
import { searchedText, searchTerms, users } from '#shared/schema/accounts.ts';
import { userUsage } from '#shared/schema/admin.ts';
import { type Db, first } from '#server/platform/data/database.ts';

const listed = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
  dealerGroup: users.dealerGroup,
  membershipType: users.membershipType,
  emailVerified: users.emailVerified,
  profileCompleted: users.profileCompleted,
  isAdmin: users.isAdmin,
  freeAccessGranted: users.freeAccessGranted,
  mustChangePassword: users.mustChangePassword,
  suspendedAt: users.suspendedAt,
  suspendedFor: users.suspendedFor,
  chargesPaused: users.chargesPaused,
  createdAt: users.createdAt,
};

const profileColumns = byField(profileFields, (name) => users[name]) as Pick<typeof users, ProfileField>;
const { hasSecondFactor, stripeCustomerId } = users;

/** An open account, with its profile. */
export const findListedUser = (db: Db, id: string) =>
  first(
    db
      .select({ ...listed, ...profileColumns, hasSecondFactor, stripeCustomerId })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.closedAt))),
  );

type PageRange = { start: number; limit: number };

/** Open accounts, and how many of them have done what. */
export async function counts(db: Db) {
  const [row] = await db
    .select({
      total: count(),
      verified: sql<number>`count(*) filter (where ${users.emailVerified})::int`,
      withProfiles: sql<number>`count(*) filter (where ${users.profileCompleted})::int`,
      freeAccess: sql<number>`count(*) filter (where ${users.freeAccessGranted})::int`,
    })
    .from(users)
    .where(isNull(users.closedAt));
  return row!;
}

const open = (freeAccess: boolean) =>
  and(isNull(users.closedAt), freeAccess ? sql`${users.freeAccessGranted}` : undefined);

export const countUsers = (db: Db, freeAccess: boolean) => db.$count(users, open(freeAccess));

/** Open accounts, newest first. The rows before the page are skipped in an index. */
export function newestUsers(db: Db, { start, limit }: PageRange, freeAccess: boolean) {
  const page = db
    .select({ seq: users.seq })
    .from(users)
    .where(open(freeAccess))
    .orderBy(desc(users.seq))
    .offset(start)
    .limit(limit);
  return db
    .select(listed)
    .from(users)
    .where(and(open(freeAccess), sql`${users.seq} = any(array(${page}))`))
    .orderBy(desc(users.seq));
}

/** How many of the newest accounts are also searched for the text anywhere in their name or address. */
const searchedThrough = 20_000;

/**
 * Open accounts whose name or address begins with `text`, best match first, then the newest that contain it anywhere. Of each kind, at
 * most one more than `most` is read.
 */
export async function findUsers(db: Db, text: string, { start, limit }: PageRange, freeAccess: boolean, most: number) {
  const begins = searchTerms.map(
    ({ term }, kind) => sql`(
      select ${users.seq}, ${kind}::int as kind, ${term} as term from ${users}
      where ${open(freeAccess)} and ${term} >= lower(${text}) and ${term} < lower(${text}) || chr(1114111)
      order by 3, 1 desc limit ${most + 1}
    )`,
  );
  const { rows } = await db.execute<{ total: number; seqs: number[] }>(sql`
    with hits as (
      select * from (${sql.join(begins, sql` union all `)}) as begins
      union all
      (select seq, 9, null from (
        select seq, ${searchedText} as searched from ${users} where ${open(freeAccess)} order by seq desc limit ${searchedThrough}
      ) as newest where position(lower(${text}) in searched) > 0 order by seq desc limit ${most + 1})
    ), found as (
      select seq, min(kind) as kind, min(term) as term from hits group by seq
    )
    select (select count(*) from found)::int as total,
      array(select seq::float8 from found order by kind, term, seq desc offset ${start} limit ${limit}) as seqs`);
  const { total, seqs } = rows[0]!;
  const found = await db
    .select({ ...listed, seq: users.seq })
    .from(users)
    .where(and(isNull(users.closedAt), inArray(users.seq, seqs)));
  return { total, users: found.toSorted((a, b) => seqs.indexOf(a.seq) - seqs.indexOf(b.seq)) };
}

/**
 * The open accounts behind a business number: an ABN, an invoice number or a Stripe id. A team's number finds its owner.
 * Each is read from its index.
 */
export async function findUsersByNumber(db: Db, text: string, most: number) {
  const abn = parseAbn(text);
  const number = text.toUpperCase();
  const owners = sql`
    select id from users where abn = ${abn} or stripe_customer_id = ${text}
    union select owner_id from teams where stripe_customer_id = ${text}
    union select coalesce(paid.user_id, teams.owner_id) from (
      select user_id, team_id from invoices where number = ${number} or stripe_invoice_id = ${text}
      union all select user_id, team_id from tool_subscriptions where stripe_subscription_id = ${text}
    ) as paid left join teams on teams.id = paid.team_id`;
  return db
    .select(listed)
    .from(users)
    .where(and(isNull(users.closedAt), sql`${users.id} in (${owners})`))
    .orderBy(desc(users.seq))
    .limit(most);
}

export const countRanked = (db: Db) => db.$count(userUsage);

/** The ranking by uses. The rows before the page are skipped in an index. */
export function mostActive(db: Db, { start, limit }: PageRange) {
  const order = [desc(userUsage.totalUsage), desc(userUsage.userId)];
  const page = db
    .select({ userId: userUsage.userId })
    .from(userUsage)
    .orderBy(...order)
    .offset(start)
    .limit(limit);
  return db
    .select({
      userId: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      totalUsage: userUsage.totalUsage,
      lastUsed: userUsage.lastUsed,
    })
    .from(userUsage)
    .innerJoin(users, eq(users.id, userUsage.userId))
    .where(sql`${userUsage.userId} = any(array(${page}))`)
    .orderBy(...order);
}
