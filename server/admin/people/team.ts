import type { adminApi } from '#shared/api/admin.ts';
import type { HappeningKind } from '#shared/api/admin-person.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { requirePayerFacts, teamPayer } from '#server/payers/service.ts';
import { billingForecast, rights, toldBills } from '#server/subscriptions/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { timelineOf } from './person.ts';
import { findTeam, membersOfTeam, teamsByName } from './queries-team.ts';

const searchedTeams = 20;

/** A team, even a closed one. */
export async function requireTeam({ db }: Context, id: string) {
  const found = await findTeam(db, id);
  if (!found) throw new AppError('team_not_found');
  return { ...found.team, owner: found.owner };
}

/** `GET /api/admin/teams` */
export const findTeams = ({ db }: Context, search: string) => teamsByName(db, search, searchedTeams);

/** `GET /api/admin/teams/:id` */
export async function showTeam(context: Context, id: string): Promise<Reply<typeof adminApi.team>> {
  const { owner, ...team } = await requireTeam(context, id);
  const [members, { card }, subscriptions] = await Promise.all([
    membersOfTeam(context.db, team.id),
    requirePayerFacts(context.db, teamPayer(team.id)),
    // As the owner sees them: nobody else sees what a team pays.
    rights.subscriptionsOf(context, team.ownerId),
  ]);
  return {
    team,
    owner,
    members,
    card,
    subscriptions: subscriptions.filter(({ teamId }) => teamId === team.id),
  };
}

/** `GET /api/admin/teams/:id/timeline` */
export async function teamTimeline(
  context: Context,
  id: string,
  wanted: { before?: string | undefined; kind?: HappeningKind | undefined },
) {
  const { id: teamId, stripeCustomerId: customerId } = await requireTeam(context, id);
  return timelineOf(context, { kind: 'team', teamId, customerId }, wanted);
}

/** `GET /api/admin/teams/:id/forecast` */
export const teamForecast = async (context: Context, id: string): Promise<Reply<typeof adminApi.teamForecast>> =>
  billingForecast(context, teamPayer((await requireTeam(context, id)).id));

/** `GET /api/admin/teams/:id/told` */
export const teamTold = async (context: Context, id: string, page: number): Promise<Reply<typeof adminApi.teamTold>> =>
  toldBills.toldOf(context, teamPayer((await requireTeam(context, id)).id), page);
