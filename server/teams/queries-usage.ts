import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/database.ts';

export type UsageRow = {
  userId: string;
  firstName: string;
  lastName: string;
  email: string;
  toolId: string;
  toolName: string;
  sessions: number;
  lastUsedAt: Date | null;
};

/**
 * Every member × every tool the team has, or had since then, with the sessions since. What somebody did before they joined
 * is theirs alone.
 */
export async function usageOfTeam(db: Db, teamId: string, since: Date): Promise<UsageRow[]> {
  const { rows } = await db.execute<Omit<UsageRow, 'lastUsedAt'> & { lastUsedAt: string | Date | null }>(sql`
    select member.user_id as "userId", person.first_name as "firstName", person.last_name as "lastName", person.email,
      tool.id as "toolId", tool.name as "toolName",
      count(used.id)::int as sessions, max(used.last_accessed) as "lastUsedAt"
    from team_members member
    join users person on person.id = member.user_id
    cross join tools tool
    left join tool_usage used on used.user_id = member.user_id and used.tool_id = tool.id
      and used.last_accessed >= greatest(${since.toISOString()}::timestamptz, member.joined_at)
    where member.team_id = ${teamId} and exists (
      select 1 from tool_subscriptions paid
      where paid.team_id = ${teamId} and paid.tool_id = tool.id and paid.status <> 'incomplete'
        and (paid.is_active or paid.expired_at >= ${since.toISOString()}::timestamptz))
    group by member.id, person.id, tool.id
    order by array_position(array['owner', 'admin', 'member'], member.role), member.joined_at, member.id, tool.name`);
  return rows.map((row) => ({ ...row, lastUsedAt: row.lastUsedAt === null ? null : new Date(row.lastUsedAt) }));
}
