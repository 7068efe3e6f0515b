import { asc, eq } from 'drizzle-orm';
import { sessionStatements } from '#shared/schema/record.ts';
import type { Db } from '#server/platform/database.ts';

const s = sessionStatements;

/** The lines of a session, the first first. */
export const statementsOf = (db: Db, sessionId: string) =>
  db.select().from(s).where(eq(s.sessionId, sessionId)).orderBy(asc(s.position));
