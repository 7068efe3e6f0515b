import { teamCan, type TeamRight, type TeamRole } from '#shared/rules/people/teams.ts';
import { practices } from '#server/payers/service.ts';
import { lockActor } from '#server/people/service.ts';
import type { ActorRow } from '#server/platform/http/actor.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Db } from '#server/platform/data/database.ts';
import { findTeam, findTeamWithRole, lockTeam, type TeamRow } from './queries.ts';

type TeamAndRole = { team: TeamRow; role: TeamRole };

/** The team, if this adviser has the right. Outsiders are told that it does not exist; members without the right are refused. */
export async function requireTeamRight(db: Db, teamId: string, userId: string, right: TeamRight): Promise<TeamAndRole> {
  const found = await findTeamWithRole(db, teamId, userId);
  if (found && found.role !== 'owner' && !found.isProved) throw new AppError('verify_for_team');
  if (!found) throw new AppError('team_not_found');
  if (!teamCan(found.role, right)) throw new AppError('forbidden');
  return found;
}

/** Checks the right with the team and whoever acts locked, so that they stay signed in and have it until the transaction ends. */
export async function lockTeamRight(tx: Db, teamId: string, actor: ActorRow, right: TeamRight): Promise<TeamAndRole> {
  const team = await lockTeam(tx, teamId);
  await lockActor(tx, actor);
  const role = team?.isActive ? await practices.requireProvedRole(tx, teamId, actor.id) : null;
  if (!team || !role) throw new AppError('team_not_found');
  if (!teamCan(role, right)) throw new AppError('forbidden');
  return { team, role };
}

/**
 * The team, if this adviser may read and export its record: its owner, even once it is closed, and as long as it is not, everybody who
 * may see its use. Null for others.
 */
export async function findRecordTeam(
  db: Db,
  teamId: string,
  userId: string,
): Promise<{ id: string; name: string } | null> {
  const team = await findTeam(db, teamId);
  if (!team) return null;
  if (team.ownerId === userId) return team;
  const role = await practices.requireProvedRole(db, teamId, userId);
  return role && teamCan(role, 'seeUsage') ? team : null;
}

/** That team; members without the right are refused, and outsiders told that it does not exist. */
export async function requireRecordTeam(db: Db, teamId: string, userId: string) {
  const team = await findRecordTeam(db, teamId, userId);
  if (team) return team;
  throw new AppError((await practices.findTeamRole(db, teamId, userId)) ? 'forbidden' : 'team_not_found');
}
