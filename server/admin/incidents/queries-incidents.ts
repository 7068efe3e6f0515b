import { desc } from 'drizzle-orm';
import { toldIncidents } from '#shared/schema/admin.ts';
import type { Db } from '#server/platform/data/database.ts';

const t = toldIncidents;

export const lastTold = async (db: Db): Promise<Date | null> =>
  (await db.select({ at: t.toldAt }).from(t).orderBy(desc(t.toldAt)).limit(1))[0]?.at ?? null;

/** Notes these as told; returns those that were not yet. */
export async function noteTold(tx: Db, ids: string[], at: Date): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .insert(t)
    .values(ids.map((id) => ({ id, toldAt: at })))
    .onConflictDoNothing()
    .returning({ id: t.id });
  return new Set(rows.map(({ id }) => id));
}
