import { and, eq } from 'drizzle-orm';
import { teamMembers, teams } from '#shared/schema/teams.ts';
import type { Db } from '#server/platform/database.ts';

/** Every live team this adviser belongs to, with their role in it. */
export const teamsOf = (db: Db, userId: string) =>
  db
    .select({
      id: teams.id,
      name: teams.name,
      membershipType: teams.membershipType,
      maxMembers: teams.maxMembers,
      role: teamMembers.role,
    })
    .from(teamMembers)
    .innerJoin(teams, and(eq(teams.id, teamMembers.teamId), eq(teams.isActive, true)))
    .where(eq(teamMembers.userId, userId));
