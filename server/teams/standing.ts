import { teamCan, type TeamRight, type TeamRole } from '#shared/rules/teams.ts';
import { AppError } from '#server/platform/app-error.ts';
import type { Db } from '#server/platform/database.ts';
import { lockTeam, roleIn, teamWithRole, type TeamRow } from './queries.ts';

export type Standing = { team: TeamRow; role: TeamRole };

/** The team as this adviser may meet it: outsiders are told it does not exist, members without the right are refused. */
export async function standingIn(db: Db, teamId: string, userId: string, right: TeamRight): Promise<Standing> {
  const found = await teamWithRole(db, teamId, userId);
  if (!found) throw new AppError('team_not_found');
  if (!teamCan(found.role, right)) throw new AppError('forbidden');
  return found;
}

/** The same with the team locked, so that what was checked still holds when it is acted upon. */
export async function lockStanding(tx: Db, teamId: string, userId: string, right: TeamRight): Promise<Standing> {
  const team = await lockTeam(tx, teamId);
  const role = team?.isActive ? await roleIn(tx, teamId, userId) : null;
  if (!team || !role) throw new AppError('team_not_found');
  if (!teamCan(role, right)) throw new AppError('forbidden');
  return { team, role };
}
