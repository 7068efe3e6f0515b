import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/database.ts';

/**
 * Each function compares what the triggers keep with the rows in one statement, so that both come from one snapshot and only
 * a bug makes them differ. It adds the difference instead of setting the result, so that nothing counted since is lost.
 */
type Difference = Record<string, unknown>;

/** Corrects the five counters; returns the differences. */
export async function repairCounts(db: Db): Promise<Difference[]> {
  const { rows } = await db.execute(sql`
    with actual as (
      select count(*) as total, count(*) filter (where email_verified) as verified,
        count(*) filter (where profile_completed) as with_profiles,
        count(*) filter (where free_access_granted) as free_access,
        (select count(*) from user_usage) as with_usage
      from users where closed_at is null
    ), kept as (
      select coalesce(sum(total), 0) as total, coalesce(sum(verified), 0) as verified,
        coalesce(sum(with_profiles), 0) as with_profiles, coalesce(sum(free_access), 0) as free_access,
        coalesce(sum(with_usage), 0) as with_usage
      from subscriber_counts
    ), difference as (
      select actual.total - kept.total as total, actual.verified - kept.verified as verified,
        actual.with_profiles - kept.with_profiles as with_profiles, actual.free_access - kept.free_access as free_access,
        actual.with_usage - kept.with_usage as with_usage
      from actual, kept where actual is distinct from kept
    ), repaired as (
      insert into subscriber_counts as counts (shard, total, verified, with_profiles, free_access, with_usage)
      select 0, * from difference
      on conflict (shard) do update set total = counts.total + excluded.total,
        verified = counts.verified + excluded.verified, with_profiles = counts.with_profiles + excluded.with_profiles,
        free_access = counts.free_access + excluded.free_access, with_usage = counts.with_usage + excluded.with_usage
    )
    select * from difference where total <> 0 or verified <> 0 or with_profiles <> 0 or free_access <> 0 or with_usage <> 0`);
  return rows;
}

/** Corrects the counts of the blocks; returns the differences. */
export async function repairBlocks(db: Db): Promise<Difference[]> {
  const { rows } = await db.execute(sql`
    with actual as (
      select seq >> 10 as block, count(*) as users, count(*) filter (where free_access_granted) as free_access
      from users where closed_at is null group by 1
    ), difference as (
      select block, coalesce(actual.users, 0) - coalesce(kept.users, 0) as users,
        coalesce(actual.free_access, 0) - coalesce(kept.free_access, 0) as free_access
      from actual full join user_blocks as kept using (block)
      where (coalesce(actual.users, 0), coalesce(actual.free_access, 0))
        <> (coalesce(kept.users, 0), coalesce(kept.free_access, 0))
    ), repaired as (
      insert into user_blocks as kept (block, users, free_access) select * from difference order by block
      on conflict (block) do update set users = kept.users + excluded.users,
        free_access = kept.free_access + excluded.free_access
    )
    select * from difference`);
  return rows;
}

/** Corrects the use counts of the next `limit` accounts after `after`; `last` is the id of the last one, null at the end. */
export async function repairUsage(
  db: Db,
  after: string,
  limit: number,
): Promise<{ last: string | null; differences: Difference[] }> {
  const { rows } = await db.execute<{ last: string | null; differences: Difference[] }>(sql`
    with batch as materialized (
      select id, closed_at from users where id > ${after} order by id limit ${limit}
    ), actual as (
      select user_id, count(*)::int as uses, max(last_accessed) as last_used
      from tool_usage where user_id in (select id from batch where closed_at is null) group by 1
    ), kept as (
      select * from user_usage where user_id in (select id from batch)
    ), difference as (
      select user_id, coalesce(actual.uses, 0) - coalesce(kept.total_usage, 0) as uses,
        coalesce(actual.last_used, kept.last_used) as last_used, kept.last_used as was_used
      from actual full join kept using (user_id)
      where coalesce(actual.uses, 0) <> coalesce(kept.total_usage, 0) or actual.last_used is distinct from kept.last_used
    ), repaired as (
      insert into user_usage as ranking (user_id, total_usage, last_used)
      select user_id, uses, last_used from difference order by user_id
      on conflict (user_id) do update set
        total_usage = ranking.total_usage + excluded.total_usage,
        last_used = case
          when ranking.last_used = (select was_used from difference where difference.user_id = ranking.user_id)
          then excluded.last_used else greatest(ranking.last_used, excluded.last_used) end
    )
    select (select id::text from batch order by id desc limit 1) as last,
      coalesce((select json_agg(json_build_object('userId', user_id, 'uses', uses)) from difference), '[]') as differences`);
  const { last, differences } = rows[0]!;
  if (differences.length > 0) {
    await db.execute(sql`delete from user_usage where total_usage <= 0 and user_id > ${after} and user_id <= ${last}`);
  }
  return { last, differences };
}

/** Marks who holds every thousandth place of the ranking, from which its deep pages are read. */
export async function markRanking(db: Db): Promise<void> {
  await db.execute(sql`
    insert into usage_marks as marks (place, total_usage, user_id)
    select place, total_usage, user_id from (
      select total_usage, user_id, row_number() over (order by total_usage desc, user_id desc) - 1 as place from user_usage
    ) as ranking where place % 1000 = 0 and place > 0 order by place
    on conflict (place) do update set total_usage = excluded.total_usage, user_id = excluded.user_id
    where (marks.total_usage, marks.user_id) <> (excluded.total_usage, excluded.user_id)`);
  await db.execute(sql`delete from usage_marks where place >= (select count(*) from user_usage)`);
}
