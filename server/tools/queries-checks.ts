import { and, eq, getTableColumns, gt, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import { plus } from '#shared/rules/dates.ts';
import { longestWaitMs, type ToolCall, type ToolFinding } from '#shared/rules/tools/tool-checks.ts';
import { toolChecks } from '#shared/schema/tools.ts';
import { type Db, first, hasChanged } from '#server/platform/data/database.ts';

const c = toolChecks;
export type ToolCheck = typeof c.$inferSelect;
type AskedCheck = Pick<ToolCheck, 'toolId' | 'run' | 'domain' | 'page' | 'finish' | 'examined' | 'requestedAt'>;

/** Stores a new examination in place of the last one. */
export async function insertCheck(db: Db, asked: AskedCheck): Promise<void> {
  const fresh = { startedAt: null, finishedAt: null, fault: null, findings: [], calls: [], shutSession: null };
  const values = { ...asked, ...fresh, aliveAt: asked.requestedAt };
  await db.insert(c).values(values).onConflictDoUpdate({ target: c.toolId, set: values });
}

const { run: _run, shutSession: _session, calls: _calls, ...shown } = getTableColumns(c);

export const checksOf = (db: Db, toolIds: string[]) => db.select(shown).from(c).where(inArray(c.toolId, toolIds));

/** How many examinations were asked for before this one and have not begun; those that were given up do not count. */
export const countAhead = (db: Db, asked: Pick<ToolCheck, 'requestedAt'>, now: Date) =>
  db.$count(
    c,
    and(
      isNull(c.startedAt),
      isNull(c.finishedAt),
      lt(c.requestedAt, asked.requestedAt),
      gt(c.requestedAt, plus(now, -longestWaitMs)),
    ),
  );

/** JSON that PostgreSQL accepts, whatever a stranger's server wrote. */
const storable = (value: unknown) =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.replaceAll(/[\0\p{Surrogate}]/gu, '\uFFFD').slice(0, 1000) : part,
  );

/** This run, while it is not over. */
const going = (run: string) => and(eq(c.run, run), isNull(c.finishedAt));

/** Begins an examination; null where somebody has begun it already, or it is over. */
export const beginCheck = (db: Db, run: string, now: Date) =>
  first(
    db
      .update(c)
      .set({ startedAt: now, aliveAt: now })
      .where(and(going(run), isNull(c.startedAt)))
      .returning(),
  );

/** A sign of life, with the findings since the last one; false where the run is over, or another has taken its place. */
export const keepChecking = (db: Db, run: string, found: ToolFinding[], now: Date) =>
  hasChanged(
    db
      .update(c)
      .set({ aliveAt: now, findings: sql`${c.findings} || ${storable(found)}::jsonb` })
      .where(going(run)),
  );

export const endCheck = async (db: Db, run: string, fault: string | null, now: Date): Promise<void> => {
  await db.update(c).set({ finishedAt: now, fault, calls: [] }).where(going(run));
};

export const callsOf = async (db: Db, run: string): Promise<ToolCall[]> =>
  (await first(db.select({ calls: c.calls }).from(c).where(eq(c.run, run))))?.calls ?? [];

/** An examination makes about fifty calls, some 10 kB; beyond this size, further calls are not kept. */
const mostBytes = 200_000;

/** Notes a call of a tool that is being examined; does nothing for any other. */
export const insertCall = (db: Db, toolId: string, call: ToolCall) =>
  db
    .update(c)
    .set({ calls: sql`${c.calls} || ${storable([call])}::jsonb` })
    .where(
      and(
        eq(c.toolId, toolId),
        isNotNull(c.startedAt),
        isNull(c.finishedAt),
        sql`pg_column_size(${c.calls}) < ${mostBytes}`,
      ),
    );

/** While this tool is examined, answers to reports of this session say that access has ended; nothing else does. */
export const shutSession = (db: Db, run: string, sessionId: string) =>
  hasChanged(db.update(c).set({ shutSession: sessionId }).where(going(run)));

/** The session that an examination under way has shut, and the examination, whose id is that of a demand to erase somebody. */
export const goingCheck = (db: Db, toolId: string) =>
  first(
    db
      .select({ run: c.run, shutSession: c.shutSession })
      .from(c)
      .where(and(eq(c.toolId, toolId), isNotNull(c.startedAt), isNull(c.finishedAt))),
  );
