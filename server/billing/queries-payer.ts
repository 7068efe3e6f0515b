import { and, eq } from 'drizzle-orm';
import { teams } from '#shared/schema/teams.ts';
import type { Db } from '#server/platform/database.ts';

export const ownedTeam = async (db: Db, teamId: string, ownerId: string) =>
  (
    await db
      .select()
      .from(teams)
      .where(and(eq(teams.id, teamId), eq(teams.ownerId, ownerId), eq(teams.isActive, true)))
  )[0] ?? null;
