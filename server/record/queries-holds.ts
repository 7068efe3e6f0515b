import { and, asc, eq, getTableColumns, inArray, isNull, lt } from 'drizzle-orm';
import { keyOfReference } from '#shared/rules/record/client-reference.ts';
import { recordHolds } from '#shared/schema/record.ts';
import { referenceKey } from '#shared/schema/usage.ts';
import { person } from '#server/people/service.ts';
import { type Db, first, pick } from '#server/platform/data/database.ts';

const h = recordHolds;

export const insertHold = (db: Db, hold: typeof h.$inferInsert) => db.insert(h).values(hold);

/** What a practice holds now, with who held it. */
export const holdsOf = (db: Db, teamId: string) =>
  db
    .select({ ...getTableColumns(h), userId: h.heldById, firstName: person.firstName, lastName: person.lastName })
    .from(h)
    .innerJoin(person, eq(person.id, h.heldById))
    .where(and(eq(h.teamId, teamId), isNull(h.releasedAt)))
    .orderBy(asc(h.heldAt));

/** Whether a practice holds one of these client references now. */
export const holdsOne = async (db: Db, teamId: string, references: string[]): Promise<boolean> =>
  (await db.$count(
    h,
    and(
      eq(h.teamId, teamId),
      isNull(h.releasedAt),
      inArray(referenceKey(h.clientReference), references.map(keyOfReference)),
    ),
  )) > 0;

/** Every legal hold of a practice, for its evidence packs: those that were released, too. */
export const everyHoldOf = (db: Db, teamId: string) =>
  db
    .select(pick(h, 'clientReference', 'reason', 'heldById', 'heldAt', 'releasedAt'))
    .from(h)
    .where(eq(h.teamId, teamId))
    .orderBy(asc(h.heldAt));

/** Everything that is held, for the job that forgets. */
export const allHolds = (db: Db) =>
  db.select({ teamId: h.teamId, clientReference: h.clientReference }).from(h).where(isNull(h.releasedAt));

export const forgetHolds = (db: Db, before: Date) => db.delete(h).where(lt(h.releasedAt, before));

export const releaseHold = (
  db: Db,
  teamId: string,
  id: string,
  by: { releasedById: string | null; releasedAt: Date },
) =>
  first(
    db
      .update(h)
      .set(by)
      .where(and(eq(h.id, id), eq(h.teamId, teamId), isNull(h.releasedAt)))
      .returning(),
  );
