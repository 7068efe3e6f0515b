import { monthCentsOf } from '#shared/rules/billing/bill.ts';
import { formatCalendarDay, formatSydneyDate } from '#shared/rules/dates.ts';
import { aRole, handOverDays, type InvitedRole, takesSeat } from '#shared/rules/people/teams.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { type MoneyMail, type Notice, type NoticeMail, notify } from '#server/notifications/service.ts';
import { teamPayer } from '#server/payers/service.ts';
import type { Person } from '#server/people/service.ts';
import { billingForecast, toldBills } from '#server/subscriptions/service.ts';
import { heading, type Heading } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import type { TeamRow } from './queries.ts';

export type Name = Pick<Person, 'firstName' | 'lastName'>;
export const nameOf = ({ firstName, lastName }: Name) => `${firstName} ${lastName}`.trim();
type Team = Pick<TeamRow, 'id' | 'name'>;

type TeamNotice = Pick<Notice, 'userId' | 'message' | 'actionUrl'> &
  Pick<NoticeMail, 'kind' | 'table' | 'secondTable' | 'after' | 'actionLabel'> & {
    heading: Heading;
    occasion: string;
    /** What the mail says beyond the notice. */
    more?: readonly string[];
  };

/** Notifies somebody of a change in a team, in the app and by mail, whatever their reminder settings. */
function notifyOf(context: Context, notice: TeamNotice) {
  const { userId, message, kind, occasion, actionUrl, more = [], actionLabel, heading: title, ...amounts } = notice;
  return notify(context, {
    userId,
    title,
    message,
    ...(actionUrl !== undefined && { actionUrl }),
    dedupeKey: `${kind}:${occasion}`,
    mail: {
      kind,
      paragraphs: [message, ...more],
      ...amounts,
      always: true,
      ...(actionUrl !== undefined && {
        actionLabel: actionLabel ?? (actionUrl.startsWith('/teams') ? 'Open your team' : 'Open your tools'),
      }),
    },
  });
}

const teamPage = (team: Team) => `/teams?team=${team.id}`;

export const notifyFactorDemanded = (context: Context, team: Team, userId: string) =>
  notifyOf(context, {
    userId,
    heading: heading`Two-step verification for ${team.name}`,
    message: `${team.name} now asks its members for two-step verification. Please set it up. Until you do, you can't open the team's tools.`,
    kind: 'team-factor-demanded',
    occasion: `${team.id}:${userId}:${context.now().toISOString()}`,
    actionUrl: '/profile?tab=security',
    actionLabel: 'Set it up',
  });

export const notifyMicrosoftDemanded = (context: Context, team: Team, userId: string) =>
  notifyOf(context, {
    userId,
    heading: heading`${team.name} asks you to sign in with Microsoft`,
    message: `${team.name} now asks its members to sign in with the practice's Microsoft account. Please connect yours. Until you do, you can't open the team's tools.`,
    kind: 'team-microsoft-demanded',
    occasion: `${team.id}:${userId}:${context.now().toISOString()}`,
    actionUrl: '/profile?tab=security',
    actionLabel: 'Connect Microsoft',
  });

/** What somebody of this role may do, to follow "you". */
export const rightsText: Record<InvitedRole, string> = {
  member: 'can open its tools, at no cost to you',
  admin: 'can open its tools at no cost to you, invite and remove members, and see how the tools are used',
  reviewer:
    'read its record of AI use and its invoices, and review and decide about tools. You have no seat, and open no tools through it',
};

/** `occasion` is the time of the change. */
export const notifyRole = (context: Context, team: Team, userId: string, role: InvitedRole, occasion: string) =>
  notifyOf(context, {
    userId,
    heading: heading`You are now ${aRole(role)} of ${team.name}`,
    message: `Your role in the team ${team.name} has changed. As ${aRole(role)} you ${rightsText[role]}.`,
    kind: 'team-role-changed',
    occasion: `${team.id}:${userId}:${occasion}`,
    actionUrl: teamPage(team),
  });

/** `occasion` is the time of the choice. */
export const notifyUse = (
  context: Context,
  team: Team,
  userId: string,
  { toolId, toolName, opens }: { toolId: string; toolName: string; opens: boolean },
  occasion: string,
) =>
  notifyOf(context, {
    userId,
    heading: opens ? heading`You can now open ${toolName}` : heading`You can no longer open ${toolName}`,
    message: opens
      ? `${team.name} has given you ${toolName}, at no cost to you.`
      : `${team.name} now pays for ${toolName} for others only. You can no longer open it through the team. Your own subscriptions continue as before.`,
    kind: opens ? 'team-tool-given' : 'team-tool-taken',
    occasion: `${team.id}:${userId}:${toolName}:${occasion}`,
    actionUrl: opens ? `/open/${toolId}` : '/dashboard',
    ...(opens && { actionLabel: 'Open the tool' }),
  });

/** `occasion` is the invitation's id. */
export async function notifyJoined(
  context: Context,
  team: Team,
  joiner: Person & { role: InvitedRole },
  managers: readonly string[],
  occasion: string,
): Promise<void> {
  const name = nameOf(joiner);
  for (const userId of managers) {
    await notifyOf(context, {
      userId,
      heading: heading`${name} joined ${team.name}`,
      message: `${name} accepted the invitation to your team ${team.name}${takesSeat(joiner.role) ? '. They can open the tools that are for everybody' : ` as ${aRole(joiner.role)}`}.`,
      kind: 'team-member-joined',
      occasion,
      actionUrl: teamPage(team),
    });
  }
  await notifyOf(context, {
    userId: joiner.id,
    heading: heading`Welcome to ${team.name}`,
    message: takesSeat(joiner.role)
      ? `You are now a member of the team ${team.name}. The tools that it has for you are on your dashboard, at no cost to you.`
      : `You are now ${aRole(joiner.role)} of the team ${team.name}. You ${rightsText[joiner.role]}.`,
    kind: 'team-joined',
    occasion,
    actionUrl: takesSeat(joiner.role) ? '/dashboard' : teamPage(team),
  });
}

export const notifyDeclined = (context: Context, team: Team, inviterId: string, email: string, occasion: string) =>
  notifyOf(context, {
    userId: inviterId,
    heading: heading`Invitation declined`,
    message: `${email} declined the invitation to your team ${team.name}.`,
    kind: 'team-invitation-declined',
    occasion,
    actionUrl: teamPage(team),
  });

/** `occasion` is the time of the removal. */
export const notifyRemoved = (context: Context, team: Team, userId: string, occasion: string) =>
  notifyOf(context, {
    userId,
    heading: heading`You were removed from ${team.name}`,
    message: `You are no longer a member of the team ${team.name}, and you can no longer open its tools. Your own subscriptions continue as before.`,
    kind: 'team-removed',
    occasion: `${team.id}:${occasion}`,
    actionUrl: '/dashboard',
  });

/** Tells those who look after the team, and whoever has left. `occasion` is the time. */
export async function notifyLeft(
  context: Context,
  team: Team,
  leaver: { id: string; name: string },
  managers: readonly { userId: string }[],
  occasion: string,
): Promise<void> {
  for (const { userId } of managers)
    await notifyOf(context, {
      userId,
      heading: heading`${leaver.name} left ${team.name}`,
      message: `${leaver.name} left the team ${team.name} and can no longer open its tools. What they did stays in its record.`,
      kind: 'team-member-left',
      occasion: `${team.id}:${leaver.id}:${occasion}`,
      actionUrl: teamPage(team),
    });
  await notifyOf(context, {
    userId: leaver.id,
    heading: heading`You left ${team.name}`,
    message: `You are no longer a member of the team ${team.name}, and you can no longer open its tools. Your own subscriptions continue as before.`,
    kind: 'team-left',
    occasion: `${team.id}:${occasion}`,
    actionUrl: '/dashboard',
  });
}

export const notifyClosed = (context: Context, team: Team, userId: string) =>
  notifyOf(context, {
    userId,
    heading: heading`${team.name} was closed`,
    message: `${team.name} has been closed, so you no longer have access to its tools. Your own subscriptions continue as before.`,
    kind: 'team-closed',
    occasion: team.id,
    actionUrl: '/dashboard',
  });

/** Asks a member to take the team over; the page shows its bill. */
export const notifyOffered = (context: Context, team: Team, from: Name, to: Person, occasion: string) =>
  notifyOf(context, {
    userId: to.id,
    heading: heading`${nameOf(from)} asks you to take over ${team.name}`,
    message: `${nameOf(from)} asks you to become the owner of the team ${team.name}, who decides and pays. Its page shows the next bill. Nothing changes until you accept, within ${handOverDays} days.`,
    kind: 'team-offered',
    occasion,
    actionUrl: teamPage(team),
    actionLabel: 'See the bill',
  });

/** Whoever was asked has declined, or the owner has taken the question back; the other one hears of it. */
export const notifyHandOverEnded = (context: Context, team: Team, by: Name, userId: string, occasion: string) =>
  notifyOf(context, {
    userId,
    heading: heading`${team.name} is not handed over`,
    message: `${nameOf(by)} ended the hand-over of the team ${team.name}. Its owner stays the same.`,
    kind: 'team-hand-over-ended',
    occasion,
    actionUrl: teamPage(team),
  });

/** What a team's new owner has to know of its money: what it costs, the next charge, what is owed, and whether a card is missing. */
async function moneyOf(context: Context, team: Team) {
  const payer = teamPayer(team.id);
  const telling = await toldBills.tellingFor(context, payer);
  const { words, forecast, refusals } = telling;
  const { bill, endings } = forecast;
  const { owed } = await billingForecast(context, payer);
  const costs = bill
    ? [
        `Its tools cost ${formatCents(monthCentsOf(bill))} a month, GST included, which you pay from now on.`,
        `The next bill is ${formatCents(bill.totalCents)} on ${formatCalendarDay(bill.day)}.`,
      ]
    : [];
  const unpaid = owed
    ? [
        `${formatCents(owed.dueCents)} is not paid yet; please pay it on ${words.billingTab} by ${formatSydneyDate(owed.until)}.`,
      ]
    : [];
  const trials = endings.filter(({ reason }) => reason === 'trial_without_card');
  const wantsCard = toldBills.isWanted([...(bill?.lines ?? []), ...(owed?.lines ?? []), ...trials], refusals);
  const asked = wantsCard
    ? `The previous owner's card was removed: please add one on ${words.billingTab}${bill ? ` before ${formatCalendarDay(bill.day)}` : ''}, so that the team keeps its tools.`
    : `The previous owner's card was removed.${bill ? '' : ' Nothing is due for now.'}`;
  return { telling, says: [...costs, ...unpaid, asked], trials, wantsCard };
}

/** Tells the new owner what the team costs and when, and the old owner that they no longer pay. */
export async function notifyHandedOver(
  context: Context,
  team: Team,
  from: Person,
  to: Person,
  stays: boolean,
  occasion: string,
): Promise<void> {
  const { telling, says, trials, wantsCard } = await moneyOf(context, team);
  const { table, secondTable, after } = toldBills.nextOf(telling);
  const kind = 'team-received' satisfies MoneyMail;
  const about = heading`You are now the owner of ${team.name}`;
  const message = [`${nameOf(from)} handed the team ${team.name} over to you.`, ...says].join(' ');
  const more = [
    ...trials.map((one) => toldBills.endingText(one, telling.words.whose, telling.refusals(one.toolId))),
    `If the previous owner named a bookkeeper, they still get the team’s invoices; ${telling.words.billingTab} shows who it is.`,
  ];
  await notifyOf(context, {
    userId: to.id,
    heading: about,
    message,
    more,
    after,
    kind,
    occasion,
    ...telling.words.billing,
    ...(table && { table }),
    ...(secondTable && { secondTable }),
    ...(wantsCard && { actionLabel: 'Add a card' }),
  });
  await toldBills.keepBill(telling, { kind, subject: about.subject, paragraphs: [message, ...more, ...after] });
  await notifyOf(context, {
    userId: from.id,
    heading: heading`You handed over ${team.name}`,
    message: `${nameOf(to)} is now the owner of the team ${team.name} and pays for its tools. Your card was removed from the team, and you are not charged for it any more. ${stays ? 'You stay in the team as an admin.' : 'You are no longer in the team.'}`,
    kind: 'team-handed-over' satisfies MoneyMail,
    occasion,
    actionUrl: stays ? teamPage(team) : '/dashboard',
  });
}
