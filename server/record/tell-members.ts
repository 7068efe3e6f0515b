import { brand } from '#shared/brand.ts';
import { notify } from '#server/notifications/service.ts';
import { namesOf } from '#server/people/service.ts';
import { membersOf } from '#server/teams/service.ts';
import { heading, type Heading } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';

type Team = { id: string; name: string };
/** `outside`: about a tool that no dashboard lists, whose sessions are recorded by hand. */
type News = { occasion: string; heading: Heading; says: string[]; ownerHears?: string | false; outside?: boolean };

/** Tells everybody in a practice but whoever did it. */
async function tellPractice(inside: Context, team: Team, by: string, kind: string, news: News) {
  const { occasion, heading: title, says, ownerHears, outside = false } = news;
  const pages = {
    owner: [`/teams?team=${team.id}&tab=tools`, 'Open team tools'],
    member: outside ? ['/record', 'Open your record'] : ['/dashboard', 'Open your tools'],
  } as const;
  for (const { userId, role } of await membersOf(inside.db, team.id)) {
    if (userId === by) continue;
    const [actionUrl, actionLabel] = pages[role === 'owner' ? role : 'member'];
    const paragraphs = role === 'owner' && ownerHears ? [...says, ownerHears] : says;
    await notify(inside, {
      userId,
      title,
      message: paragraphs.join(' '),
      actionUrl,
      dedupeKey: `${kind}:${team.id}:${occasion}`,
      mail: { kind, always: true, paragraphs, actionLabel },
    });
  }
}

type Decision = { toolId: string; toolName: string; outside: boolean; reason: string | null; at: Date };

/** Nobody in the practice may use the tool from now on. */
export async function tellStopped(
  inside: Context,
  team: Team,
  by: string,
  { toolId, toolName, outside, reason, at }: Decision,
) {
  const [name] = await namesOf(inside.db, [by]);
  const why = reason ? [`${name ? `${name}’s reason` : 'The reason'}: “${reason}”`] : [];
  await tellPractice(inside, team, by, 'team-tool-stopped', {
    occasion: `${toolId}:${at.toISOString()}`,
    heading: heading`${team.name} has stopped ${toolName}`,
    says: [
      `You ${outside ? 'may not use' : 'can’t open or buy'} ${toolName} until ${team.name} allows it again.`,
      ...why,
    ],
    ownerHears: !outside && 'The practice keeps paying for it until you cancel it under Tools on the team’s page.',
  });
}

/** The practice may use the tool again, or for the first time. */
export const tellAllowed = (
  inside: Context,
  team: Team,
  by: string,
  { toolId, toolName, outside, dataAllowed, at }: Omit<Decision, 'reason'> & { dataAllowed?: string },
) =>
  tellPractice(inside, team, by, 'team-tool-allowed', {
    occasion: `${toolId}:${at.toISOString()}`,
    heading: heading`${team.name} allows ${toolName}`,
    says: [
      `You may now use ${toolName} for your work at ${team.name}.`,
      ...(dataAllowed ? [`The practice’s rule for what you enter: “${dataAllowed}”.`] : []),
      ...(outside ? [`${brand.name} doesn’t see what you do in it, so please record each session yourself.`] : []),
    ],
    outside,
  });

/** Whether tools without a decision may be used has changed. */
export const tellNewTools = (inside: Context, team: Team, by: string, allowed: boolean, at: Date) =>
  tellPractice(inside, team, by, 'team-new-tools', {
    occasion: at.toISOString(),
    heading: allowed ? heading`${team.name} allows new tools` : heading`${team.name} allows tools one by one`,
    says: allowed
      ? [`You can now use every tool that ${team.name} has not stopped.`]
      : [`You can now use only the tools that ${team.name} has allowed.`, 'Your dashboard shows which.'],
  });
