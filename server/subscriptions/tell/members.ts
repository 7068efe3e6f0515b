import { accessChanged } from '#server/access-tokens/service.ts';
import { findPayerFacts, type Payer, practices } from '#server/payers/service.ts';
import { findTool } from '#server/catalogue/service.ts';
import { notify } from '#server/notifications/service.ts';
import { heading, type Heading, mailSubject } from '#server/platform/mail-subject.ts';
import type { Context } from '#server/platform/context.ts';
import type { SlotRow } from '../queries.ts';
import { listed, on } from './words.ts';

/** A team's tool, and who uses it; null: everybody. */
type Tool = { toolId: string; toolName: string; chosenUsers: readonly string[] | null };
type Tools = readonly Tool[];
type Names = readonly string[];
type Says = (team: string, names: Names) => { about: Heading; message: string };

/**
 * Tells everybody who uses these tools of a team, each of their own; its owner, who pays, hears of the bill. An adviser has nobody to
 * tell.
 */
async function tellMembers(
  inside: Context,
  payer: Payer,
  { kind, occasion, tools }: { kind: string; occasion: string; tools: Tools },
  says: Says,
): Promise<void> {
  const facts = payer.kind === 'team' && (await findPayerFacts(inside.db, payer));
  if (!facts || !facts.teamName) return;
  const [first] = tools;
  const does = kind === 'team-tool-began' && first && (await findTool(inside.db, first.toolId))?.description;
  for (const userId of await practices.peopleOf(inside.db, payer)) {
    const own = tools.filter(({ chosenUsers }) => chosenUsers?.includes(userId) ?? true);
    if (userId === facts.contactId || own.length === 0) continue;
    const { about, message } = says(
      facts.teamName,
      own.map(({ toolName }) => toolName),
    );
    const [tool] = kind !== 'team-tool-ends' && own.length === 1 ? own : [];
    const actionLabel = tool ? 'Open the tool' : 'Open your tools';
    const paragraphs = does && tool === first ? [message, `What it does: ${does}`] : [message];
    const mail = { kind, always: true, actionLabel, paragraphs };
    const actionUrl = tool ? `/open/${tool.toolId}` : '/dashboard';
    await notify(inside, { userId, title: about, message, actionUrl, mail, dedupeKey: `${kind}:${occasion}` });
  }
}

const byCount = (names: Names, one: string, several: string) => (names.length === 1 ? one : several);

/** A team has begun with tools; `trialEnd` where it tries them. */
export const membersGet = (
  inside: Context,
  payer: Payer,
  occasion: string,
  tools: Tools,
  trialEnd: Date | null = null,
) =>
  tellMembers(inside, payer, { kind: 'team-tool-began', occasion, tools }, (team, names) => {
    const began = trialEnd ? `tries ${listed(names)} until ${on(trialEnd)}` : `has subscribed to ${listed(names)}`;
    return {
      about: heading`You can now use ${listed(names)}`,
      message: `${team} ${began}. You can use ${byCount(names, 'it', 'them')} at no cost to you.`,
    };
  });

/** A team's tools end on a day, or have ended. */
export const membersLose = (inside: Context, payer: Payer, occasion: string, tools: Tools, at: Date | null) =>
  tellMembers(inside, payer, { kind: 'team-tool-ends', occasion, tools }, (team, names) => {
    const end = byCount(names, 'ends', 'end');
    const open = `open ${listed(names)} through ${team}`;
    return {
      about: at
        ? {
            title: `${listed(names)} ${end} at ${team} on ${on(at)}`,
            subject: mailSubject`${listed(names)} ${end} at ${team}`,
          }
        : heading`${listed(names)} ${byCount(names, 'has', 'have')} ended at ${team}`,
      message: `${at ? `You can ${open} until ${on(at)}.` : `You can no longer ${open}.`} Your own subscriptions continue as before.`,
    };
  });

/** A team's tool that was to end goes on. */
export const membersKeep = (inside: Context, payer: Payer, occasion: string, tool: Tool) =>
  tellMembers(inside, payer, { kind: 'team-tool-continues', occasion, tools: [tool] }, (team, [name]) => ({
    about: heading`${name!} continues at ${team}`,
    message: `${name!} no longer ends. You can open it as before.`,
  }));

/** The last one who was chosen for a team's tool has left, and this person has it now; its maker hears of that, too. */
export async function tellHeir(inside: Context, payer: Payer, userId: string, row: SlotRow): Promise<void> {
  const facts = await findPayerFacts(inside.db, payer);
  const of = facts?.teamName ? ` of ${facts.teamName}` : '';
  await accessChanged(inside, { userId });
  await notify(inside, {
    userId,
    title: heading`You can now open ${row.toolName}`,
    message: `Nobody${of} is left who was chosen for ${row.toolName}, so it is yours. If nobody needs it, the owner can choose others or cancel it.`,
    actionUrl: `/open/${row.toolId}`,
    mail: { kind: 'team-tool-given', always: true, actionLabel: 'Open the tool' },
    dedupeKey: `team-tool-inherited:${row.id}:${userId}:${inside.now().toISOString()}`,
  });
}
