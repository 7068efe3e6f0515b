import { teamCan } from '#shared/rules/people/teams.ts';
import { notify } from '#server/notifications/service.ts';
import { membersOf } from '#server/teams/service.ts';
import { heading, type Heading } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import type { AskRow } from './queries-asks.ts';

type Team = { id: string; name: string };
type News = { heading: Heading; message: string; kind: string; occasion: string; mailed: boolean };

const tell = (inside: Context, team: Team, { userId, isAsker }: { userId: string; isAsker: boolean }, news: News) =>
  notify(inside, {
    userId,
    title: news.heading,
    message: news.message,
    actionUrl: isAsker ? '/dashboard' : `/teams?team=${team.id}&tab=record`,
    dedupeKey: `${news.kind}:${news.occasion}`,
    ...(news.mailed && {
      mail: {
        kind: news.kind,
        always: true,
        actionLabel: isAsker ? 'Open your tools' : 'Open the record',
      },
    }),
  });

/** Tells those who look after the team that somebody asks for a tool. */
export async function tellAsked(
  inside: Context,
  team: Team,
  { id, reason, wasAllowed }: AskRow,
  { firstName, lastName, toolName }: { firstName: string; lastName: string; toolName: string },
): Promise<void> {
  const name = `${firstName} ${lastName}`.trim();
  const what = `${team.name} to ${wasAllowed ? 'get' : 'allow'} ${toolName}`;
  const where = 'What it would cost, and what its supplier says, is under Record on the team’s page.';
  for (const { userId, role } of await membersOf(inside.db, team.id))
    if (teamCan(role, 'review'))
      await tell(
        inside,
        team,
        { userId, isAsker: false },
        {
          heading: heading`${name} asks for ${toolName}`,
          message: `${name} asks ${what}: “${reason}” ${where}`,
          kind: 'team-tool-asked',
          occasion: id,
          mailed: true,
        },
      );
}

type Answered = { outcome: NonNullable<AskRow['outcome']>; answer: string | null; by: string | null; toolName: string };

/**
 * Tells whoever asked. Everybody is mailed already of a tool that is allowed or begins; of a refusal, whoever asked, and those who
 * look after the team but for whoever answered.
 */
export async function tellAnswered(
  inside: Context,
  team: Team,
  { id, userId: askerId }: AskRow,
  { outcome, answer, by, toolName }: Answered,
): Promise<void> {
  const texts = {
    allowed: [heading`You asked for ${toolName}: it is allowed`, `${team.name} now allows ${toolName}.`],
    bought: [
      heading`You asked for ${toolName}: it is here`,
      `${team.name} now has ${toolName}. It is on your dashboard.`,
    ],
    declined: [
      heading`${team.name} declined ${toolName}`,
      `${team.name} does not get ${toolName}, which was asked for.`,
    ],
  } as const;
  const [about, said] = texts[outcome];
  const news = {
    heading: about,
    message: answer ? `${said} The answer: “${answer}”` : said,
    kind: 'team-ask-answered',
    occasion: id,
    mailed: outcome === 'declined',
  };
  await tell(inside, team, { userId: askerId, isAsker: true }, news);
  if (outcome !== 'declined') return;
  for (const { userId, role } of await membersOf(inside.db, team.id))
    if (teamCan(role, 'review') && userId !== by && userId !== askerId)
      await tell(inside, team, { userId, isAsker: false }, news);
}
