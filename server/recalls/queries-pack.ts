import { and, asc, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { recalls, recallSessions } from '#shared/schema/recalls.ts';
import { type Db, pick } from '#server/platform/data/database.ts';
import type { Owner } from './queries.ts';

const r = recalls;
const s = recallSessions;

/** Which recalls touch these sessions, and whether somebody has looked at each again. */
export const touchedAmong = (db: Db, sessionIds: string[]) =>
  db
    .select(pick(s, 'recallId', 'sessionId', 'foundAt', 'lookedAt', 'lookedById', 'fault'))
    .from(s)
    .where(and(sql`${s.sessionId} = any(${sql.param(sessionIds)}::uuid[])`, isNull(s.removedAt)))
    .orderBy(asc(s.sessionId), asc(s.foundAt));
export type PackTouch = Awaited<ReturnType<typeof touchedAmong>>[number];

/** What these recalls say, as of now. */
export const touchingRecalls = (db: Db, ids: string[]) =>
  db.select().from(r).where(inArray(r.id, ids)).orderBy(asc(r.createdAt));
export type PackRecall = Awaited<ReturnType<typeof touchingRecalls>>[number];

/** The ids of the sessions that a recall touches, all or an owner's, for a condition. */
export const sessionsIn = (recallId: string, owner?: Owner): SQL => {
  const theirs =
    owner && ('teamId' in owner ? sql` and team_id = ${owner.teamId}` : sql` and user_id = ${owner.userId}`);
  return sql`(select session_id from recall_sessions where recall_id = ${recallId}::uuid and removed_at is null${theirs ?? sql``})`;
};
