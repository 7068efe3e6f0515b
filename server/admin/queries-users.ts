import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm';
import { parseAbn } from '#shared/rules/australia.ts';
import { searchTerms, users } from '#shared/schema/accounts.ts';
import { subscriberCounts, usageMarks, userBlocks, userUsage } from '#shared/schema/admin.ts';
import { type Db, first } from '#server/platform/database.ts';

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

/** An open account, with what an administrator sees of it. */
export const findListedUser = (db: Db, id: string) =>
  first(
    db
      .select({
        ...listed,
        mobile: users.mobile,
        businessName: users.businessName,
        abn: users.abn,
        afslNumber: users.afslNumber,
        hasSecondFactor: users.hasSecondFactor,
        stripeCustomerId: users.stripeCustomerId,
      })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.closedAt))),
  );

type PageRange = { start: number; limit: number };

/** The counters that the triggers keep. */
export async function counts(db: Db) {
  const [row] = await db
    .select({
      total: sql<number>`coalesce(sum(${subscriberCounts.total}), 0)::int`,
      verified: sql<number>`coalesce(sum(${subscriberCounts.verified}), 0)::int`,
      withProfiles: sql<number>`coalesce(sum(${subscriberCounts.withProfiles}), 0)::int`,
      freeAccess: sql<number>`coalesce(sum(${subscriberCounts.freeAccess}), 0)::int`,
      withUsage: sql<number>`coalesce(sum(${subscriberCounts.withUsage}), 0)::int`,
    })
    .from(subscriberCounts);
  return row!;
}

/**
 * Open accounts, newest first. The counts of the blocks lead to the block of the first row, so that any page skips at most
 * 1,024 entries of an index.
 */
export function newestUsers(db: Db, { start, limit }: PageRange, freeAccess: boolean) {
  const size = freeAccess ? userBlocks.freeAccess : userBlocks.users;
  const listedUsers = freeAccess ? sql`closed_at is null and free_access_granted` : sql`closed_at is null`;
  const page = sql`array(
    with first_block as (
      select block, upto - size as before
      from (select block, ${size} as size, sum(${size}) over (order by block desc) as upto from ${userBlocks}) as blocks
      where upto > ${start} order by block desc limit 1
    )
    select seq from users where ${listedUsers} and seq < (select (block + 1) << 10 from first_block)
    order by seq desc offset (select ${start} - before from first_block) limit ${limit}
  )`;
  return db
    .select(listed)
    .from(users)
    .where(and(isNull(users.closedAt), sql`${users.seq} = any(${page})`))
    .orderBy(desc(users.seq));
}

/**
 * `begin`, a common table expression: accounts with a name or address that starts with `text`, at most `limit` of each kind, each read
 * from its index. If full names or surnames fill the limit, nothing else is read, since it would come after them.
 */
function beginningWith(text: string, limit: number, frees: boolean[]) {
  const branches = searchTerms.map(({ term }, kind) =>
    sql.join(
      frees.map(
        (free) => sql`(
          select id, ${kind}::int as kind, (${term} collate "C") as term from users
          where closed_at is null and free_access_granted = ${sql.raw(String(free))}
            and (${term} collate "C") >= lower(${text}) and (${term} collate "C") < lower(${text}) || chr(1114111)
          order by (${term} collate "C"), id limit ${limit}
        )`,
      ),
      sql` union all `,
    ),
  );
  const [names, others] = [branches.slice(0, 2), branches.slice(2)].map((kinds) => sql.join(kinds, sql` union all `));
  return sql`named as materialized (${names}),
    begin as (
      select id, min(kind) as kind, min(term) as term from (
        select * from named
        union all select * from (${others}) as other
        where not exists (select from named group by kind having count(*) >= ${limit})
      ) as found group by id
    )`;
}

/** How many of the newest accounts are also searched for the text anywhere in their name or address. */
const searchedThrough = 1000;

/**
 * Open accounts with a part of their name or address that starts with `text`, best match first; if those don't fill a page,
 * also the newest that contain it anywhere. The cost grows neither with the accounts nor with the matches.
 */
export async function findUsers(db: Db, text: string, { start, limit }: PageRange, freeAccess: boolean, most: number) {
  const listedUsers = freeAccess ? sql`closed_at is null and free_access_granted` : sql`closed_at is null`;
  const { rows } = await db.execute<{ total: number; ids: string[] }>(sql`
    with ${beginningWith(text, most + 1, freeAccess ? [true] : [true, false])}, inside as (
      select id, 99 as kind, lpad((9999999999 - seq)::text, 10, '0') collate "C" as term
      from (select * from users where ${listedUsers} order by seq desc limit ${searchedThrough}) as newest
      where (select count(*) from begin) < ${limit}
        and position(lower(${text}) in lower(first_name || ' ' || last_name || ' ' || email)) > 0
        and not exists (select 1 from begin where begin.id = newest.id)
    ), hits as (select * from begin union all select * from inside)
    select (select count(*) from hits)::int as total,
      array(select id::text from hits order by kind, term, id offset ${start} limit ${limit}) as ids`);
  const { total, ids } = rows[0]!;
  if (ids.length === 0) return { total, users: [] };
  const found = new Map(
    (await db.select(listed).from(users).where(inArray(users.id, ids))).map((user) => [user.id, user]),
  );
  return { total, users: ids.flatMap((id) => found.get(id) ?? []) };
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

/** The ranking by uses; a page is read from the nearest mark before it. */
export function mostActive(db: Db, { start, limit }: PageRange) {
  const page = sql`array(
    with mark as (select * from ${usageMarks} where place <= ${start} order by place desc limit 1)
    select user_id from user_usage
    where (total_usage, user_id) <= (
      coalesce((select total_usage from mark), 2147483647),
      coalesce((select user_id from mark), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
    order by total_usage desc, user_id desc
    offset ${start}::int - coalesce((select place from mark), 0) limit ${limit}
  )`;
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
    .where(sql`${userUsage.userId} = any(${page})`)
    .orderBy(desc(userUsage.totalUsage), desc(userUsage.userId));
}
