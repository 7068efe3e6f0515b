import { and, eq, ne, sql } from 'drizzle-orm';
import unhomoglyph from 'unhomoglyph';
import { tools } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/data/database.ts';

/** How a name looks: its skeleton (Unicode TR 39), without what nobody sees. */
const skeletonOf = (text: string) =>
  unhomoglyph(
    text
      .normalize('NFKC')
      .normalize('NFD')
      .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Mn}\p{C}\s]/gu, ''),
  )
    .normalize('NFD')
    .toLowerCase();

/** A name is read in whatever case: `AI` looks like `Al`, and `fact find ai` is the same name. */
const looksOf = (name: string) => [name, name.toLowerCase(), name.toUpperCase()].map(skeletonOf);

/** Whether somebody may take one name for the other. */
export function lookAlike(one: string, other: string): boolean {
  const looks = looksOf(other);
  return looksOf(one).some((look) => looks.includes(look));
}

/** Whether this name may be taken for that of another tool of the catalogue. Names are locked until the transaction ends, so that two can't take one at once. */
export async function isNameTaken(db: Db, name: string, except: string): Promise<boolean> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('tool-name'))`);
  const others = await db
    .select({ name: tools.name })
    .from(tools)
    .where(and(eq(tools.isActive, true), ne(tools.id, except)));
  return others.some((other) => lookAlike(name, other.name));
}
