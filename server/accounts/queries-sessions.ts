import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm';
import { sessions } from '#shared/schema/accounts.ts';
import type { Db } from '#server/platform/database.ts';

const s = sessions;
type Life = { idle: number; absolute: number };

/** The sessions that still open the account, the last used first: the rule of the session store, as a list. `life` in seconds. */
export const liveSessions = (db: Db, userId: string, authEpoch: number, life: Life) =>
  db
    .select({ sid: s.sid, id: s.publicId, device: s.device, createdAt: s.createdAt, lastSeenAt: s.lastSeenAt })
    .from(s)
    .where(
      and(
        eq(s.userId, userId),
        eq(s.authEpoch, authEpoch),
        isNull(s.destroyedAt),
        gt(s.expire, sql`now()`),
        sql`${s.lastSeenAt} > now() - make_interval(secs => ${life.idle})`,
        sql`${s.createdAt} > now() - make_interval(secs => ${life.absolute})`,
      ),
    )
    .orderBy(desc(s.lastSeenAt), s.publicId);

const tombstone = { destroyedAt: sql`now()`, sess: {}, userId: null, device: null };

/** Ends one session of this account; answers its stored id, or null where the account has none of that name. */
export async function destroySession(db: Db, userId: string, publicId: string): Promise<string | null> {
  const [ended] = await db
    .update(s)
    .set(tombstone)
    .where(and(eq(s.publicId, publicId), eq(s.userId, userId), isNull(s.destroyedAt)))
    .returning({ sid: s.sid });
  return ended?.sid ?? null;
}

/** Ends every session of this account; the rows stay as tombstones of nobody. */
export const destroySessions = async (db: Db, userId: string) => {
  await db.update(s).set(tombstone).where(eq(s.userId, userId));
};
