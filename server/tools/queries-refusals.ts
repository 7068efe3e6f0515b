import { desc, eq, lt, sql } from 'drizzle-orm';
import { toolRefusals } from '#shared/schema/tools.ts';
import { type Db, deleteSome } from '#server/platform/data/database.ts';

const r = toolRefusals;

export const insertRefusals = (db: Db, rows: (typeof r.$inferInsert)[]) => db.insert(r).values(rows);

type WrongSecrets = Pick<typeof r.$inferInsert, 'toolId' | 'message' | 'times'>;

/** Adds to the rows of the minute that begins at `start`. */
export const addWrongSecrets = async (db: Db, rows: WrongSecrets[], start: Date): Promise<void> => {
  const column = <Name extends keyof WrongSecrets>(name: Name) => sql.param(rows.map((row) => row[name]));
  await db.execute(sql`
    insert into tool_refusals (tool_id, kind, message, times, created_at)
    select wrong.tool_id, 'secret', wrong.message, wrong.times, ${start.toISOString()}::timestamptz
    from unnest(${column('toolId')}::text[], ${column('message')}::text[], ${column('times')}::int[])
      wrong (tool_id, message, times)
    order by wrong.tool_id, wrong.message
    on conflict (tool_id, created_at, message) where kind = 'secret'
      do update set times = tool_refusals.times + excluded.times`);
};

export const refusalsOf = (db: Db, toolId: string, limit: number) =>
  db.select().from(r).where(eq(r.toolId, toolId)).orderBy(desc(r.createdAt), desc(r.id)).limit(limit);

export const deleteOldRefusals = (db: Db, before: Date, limit: number): Promise<number> =>
  deleteSome(db, r, r.id, lt(r.createdAt, before), limit);
