import { notify } from '#server/notifications/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Person, TeamRow } from './queries.ts';

type Name = Pick<Person, 'firstName' | 'lastName'>;
const nameOf = ({ firstName, lastName }: Name) => `${firstName} ${lastName}`.trim();
type Team = Pick<TeamRow, 'id' | 'name'>;

type News = { userId: string; title: string; message: string; kind: string; occasion: string; actionUrl?: string };

/** Team changes are told in the app and by mail, whatever the reminder settings say (decisions §9). */
function tell(context: Context, { userId, title, message, kind, occasion, actionUrl }: News) {
  return notify(context, {
    userId,
    type: 'system_alert',
    title,
    message,
    ...(actionUrl !== undefined && { actionUrl }),
    dedupeKey: `${kind}:${occasion}`,
    mail: {
      kind,
      subject: title,
      always: true,
      ...(actionUrl !== undefined && {
        actionLabel: actionUrl.startsWith('/teams') ? 'Open your team' : 'Open your dashboard',
      }),
    },
  });
}

const teamPage = (team: Team) => `/teams?team=${team.id}`;

/** `occasion` is the invitation's id: each acceptance is told once. */
export async function tellJoined(
  context: Context,
  team: Team,
  joiner: Person,
  managers: readonly string[],
  occasion: string,
): Promise<void> {
  const name = nameOf(joiner);
  for (const userId of managers) {
    await tell(context, {
      userId,
      title: `${name} joined ${team.name}`,
      message: `${name} accepted the invitation to your team ${team.name} and can open its tools now.`,
      kind: 'team-member-joined',
      occasion,
      actionUrl: teamPage(team),
    });
  }
  await tell(context, {
    userId: joiner.id,
    title: `Welcome to ${team.name}`,
    message: `You are now a member of the team ${team.name}. The tools it subscribes to are on your dashboard, at no cost to you.`,
    kind: 'team-joined',
    occasion,
    actionUrl: '/dashboard',
  });
}

export const tellDeclined = (context: Context, team: Team, inviterId: string, email: string, occasion: string) =>
  tell(context, {
    userId: inviterId,
    title: 'Invitation declined',
    message: `${email} declined the invitation to your team ${team.name}.`,
    kind: 'team-invitation-declined',
    occasion,
    actionUrl: teamPage(team),
  });

/** `occasion` is the membership's time of removal. */
export const tellRemoved = (context: Context, team: Team, userId: string, occasion: string) =>
  tell(context, {
    userId,
    title: `You were removed from ${team.name}`,
    message: `You are no longer a member of the team ${team.name}, and its tools are closed to you. Your own subscriptions go on as before.`,
    kind: 'team-removed',
    occasion: `${team.id}:${occasion}`,
    actionUrl: '/dashboard',
  });

export const tellClosed = (context: Context, team: Team, userId: string) =>
  tell(context, {
    userId,
    title: `${team.name} was closed`,
    message: `Your team ${team.name} was closed, and its tools with it. Your own subscriptions go on as before.`,
    kind: 'team-closed',
    occasion: team.id,
    actionUrl: '/dashboard',
  });

export async function tellHandedOver(
  context: Context,
  team: Team,
  from: Person,
  to: Person,
  stays: boolean,
  occasion: string,
): Promise<void> {
  await tell(context, {
    userId: to.id,
    title: `You are now the owner of ${team.name}`,
    message: `${nameOf(from)} handed the team ${team.name} over to you. The card of the old owner was removed: please add one before the next renewal, so that the team keeps its tools.`,
    kind: 'team-received',
    occasion,
    actionUrl: teamPage(team),
  });
  await tell(context, {
    userId: from.id,
    title: `You handed over ${team.name}`,
    message: `${nameOf(to)} is now the owner of the team ${team.name}, and your card is no longer used for it. ${stays ? 'You stay in the team as an admin.' : 'You are no longer in the team.'}`,
    kind: 'team-handed-over',
    occasion,
    actionUrl: stays ? teamPage(team) : '/dashboard',
  });
}
