import type { adminApi } from '#shared/api/operators/admin.ts';
import type { HappeningKind } from '#shared/api/operators/admin-person.ts';
import type { Input, Reply } from '#shared/api/endpoint.ts';
import { requirePayerFacts, teamPayer } from '#server/payers/service.ts';
import { forAdministrators, rights } from '#server/subscriptions/service.ts';
import { findTeamWithOwner, membersOf, teamsByName } from '#server/teams/service.ts';
import { orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { timelineOf } from './person.ts';

/** A team, even a closed one. */
async function requireTeam({ db }: Context, id: string) {
  const found = await orRefuse(findTeamWithOwner(db, id), 'team_not_found');
  return { ...found.team, owner: found.owner };
}

export const anyTeamPayer = async (context: Context, id: string) => teamPayer((await requireTeam(context, id)).id);

export async function listTeams(
  { db }: Context,
  { page, limit, search = '' }: Input<typeof adminApi.teams>['query'],
): Promise<Reply<typeof adminApi.teams>> {
  const { teams, total } = await teamsByName(db, search, { start: (page - 1) * limit, limit });
  const paid = await forAdministrators.teamsPay(
    db,
    teams.map(({ id }) => id),
  );
  const listed = teams.map((team) => ({ ...team, ...(paid.get(team.id) ?? { tools: 0, monthlyCents: 0 }) }));
  return { teams: listed, pagination: { page, total, totalPages: Math.ceil(total / limit) } };
}

export async function showTeam(context: Context, id: string): Promise<Reply<typeof adminApi.team>> {
  const { owner, ...team } = await requireTeam(context, id);
  const [members, { card }, subscriptions] = await Promise.all([
    membersOf(context.db, team.id),
    requirePayerFacts(context.db, teamPayer(team.id)),
    // As the owner sees them: nobody else sees what a team pays.
    rights.subscriptionsOf(context, team.ownerId),
  ]);
  return {
    team,
    owner,
    members: members.map(({ userId, role, joinedAt, user }) => ({ ...user, id: userId, role, joinedAt })),
    card,
    subscriptions: subscriptions.filter(({ teamId }) => teamId === team.id),
  };
}

export async function teamTimeline(
  context: Context,
  id: string,
  wanted: { before?: string | undefined; kind?: HappeningKind | undefined },
) {
  const { id: teamId, stripeCustomerId: customerId } = await requireTeam(context, id);
  return timelineOf(context, { kind: 'team', teamId, customerId }, wanted);
}
