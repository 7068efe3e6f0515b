import { and, count as countRows, desc, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm';
import { searchedText, searchTerms, users } from '#shared/schema/accounts.ts';
import { type Db, first, transaction } from '#server/platform/data/database.ts';

/** An account as administrators see it; the contract says which of it they are shown. */
const { password: _password, ...listed } = getTableColumns(users);

export const find = (db: Db, id: string) =>
  first(
    db
      .select(listed)
      .from(users)
      .where(and(eq(users.id, id), isNull(users.closedAt))),
  );

type PageRange = { start: number; limit: number };

/** Open accounts, and how many of them have done what. */
export async function counts(db: Db) {
  const [row] = await db
    .select({
      total: countRows(),
      verified: sql<number>`count(*) filter (where ${users.emailVerified})::int`,
      withProfiles: sql<number>`count(*) filter (where ${users.profileCompleted})::int`,
      freeAccess: sql<number>`count(*) filter (where ${users.freeAccessGranted})::int`,
    })
    .from(users)
    .where(isNull(users.closedAt));
  return row!;
}

const filters = {
  free_access: sql`${users.freeAccessGranted}`,
  unverified: sql`not ${users.emailVerified}`,
  suspended: sql`${users.suspendedAt} is not null`,
  administrators: sql`${users.isAdmin}`,
};
/** Which open accounts a list shows: all where it is null. */
export type Filter = keyof typeof filters | null;

const open = (filter: Filter) => and(isNull(users.closedAt), filter ? filters[filter] : undefined);

export const count = (db: Db, filter: Filter) => db.$count(users, open(filter));

/** Open accounts, newest first. The rows before the page are skipped in an index. */
export function newest(db: Db, { start, limit }: PageRange, filter: Filter) {
  const page = db
    .select({ seq: users.seq })
    .from(users)
    .where(open(filter))
    .orderBy(desc(users.seq))
    .offset(start)
    .limit(limit);
  return db
    .select(listed)
    .from(users)
    .where(and(open(filter), sql`${users.seq} = any(array(${page}))`))
    .orderBy(desc(users.seq));
}

/** How many of the newest accounts are also searched for the text anywhere in their name or address. */
const searchedThrough = 20_000;

/**
 * Open accounts whose name or address begins with `text`, best match first, then the newest that contain it anywhere. Of each kind, at
 * most one more than `most` is read.
 */
export async function search(db: Db, text: string, { start, limit }: PageRange, filter: Filter, most: number) {
  // Once for the whole query. Nothing but apostrophes and accents finds nobody.
  const typed = sql`(select searchable(${text}) collate "C")`;
  const begins = searchTerms.map(
    ({ term }, kind) => sql`(
      select ${users.seq}, ${kind}::int as kind, ${term} as term from ${users}
      where ${open(filter)} and ${typed} <> '' and ${term} >= ${typed} and ${term} < ${typed} || chr(1114111)
      order by 3, 1 desc limit ${most + 1}
    )`,
  );
  const hits = sql`
    with hits as (
      select * from (${sql.join(begins, sql` union all `)}) as begins
      union all
      (select seq, 9, null from (
        select seq, ${searchedText} as searched from ${users} where ${open(filter)}
        order by seq desc, ${searchedText} desc limit ${searchedThrough}
      ) as newest where ${typed} <> '' and position(${typed} in searched) > 0 order by seq desc limit ${most + 1})
    ), found as (
      select seq, min(kind) as kind, min(term) as term from hits group by seq
    )
    select (select count(*) from found)::int as total,
      array(select seq::float8 from found order by kind, term, seq desc offset ${start} limit ${limit}) as seqs`;
  const { rows } = await transaction(db, async (tx) => {
    // `newest` is ordered as the index `users_searchable` is. With another index and a sort after it, PostgreSQL would work out the text
    // of each row, which takes thirty times as long.
    await tx.execute(sql`set local enable_incremental_sort = off`);
    return tx.execute<{ total: number; seqs: number[] }>(hits);
  });
  const { total, seqs } = rows[0]!;
  const found = await db
    .select(listed)
    .from(users)
    .where(and(isNull(users.closedAt), inArray(users.seq, seqs)));
  return { total, users: found.toSorted((a, b) => seqs.indexOf(a.seq) - seqs.indexOf(b.seq)) };
}

/** The open accounts that are among these or have that ABN, the newest first. */
export const among = (db: Db, ids: string[], abn: string | null, filter: Filter, limit: number) =>
  db
    .select(listed)
    .from(users)
    .where(and(open(filter), or(inArray(users.id, ids), sql`${users.abn} = ${abn}`)))
    .orderBy(desc(users.seq))
    .limit(limit);

/** Everybody with an administrator's rights, suspended or not. */
export const allAdministratorIds = async (db: Db): Promise<string[]> =>
  (await db.select({ id: users.id }).from(users).where(eq(users.isAdmin, true))).map(({ id }) => id);
