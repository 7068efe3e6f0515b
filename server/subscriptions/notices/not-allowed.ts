import { toolRefusal } from '#shared/rules/record.ts';
import { toolRulesFor } from '#server/payers/service.ts';
import type { Context } from '#server/platform/context.ts';

/** The practice that doesn't allow a tool, and why. */
export type Refusal = NonNullable<ReturnType<typeof toolRefusal>>;
export type Refusals = (toolId: string) => Refusal | null;

/** What the practices of whoever is told don't allow: nobody is asked to keep that, or to pay for it. */
export async function refusalsFor(context: Context, contactId: string): Promise<Refusals> {
  const rules = await toolRulesFor(context.db, contactId);
  return (toolId) => toolRefusal(rules, toolId);
}

export const refused = (toolName: string, { teamName, reason }: Refusal) =>
  `${teamName} doesn’t allow ${toolName}${reason === null ? '' : ` (“${reason}”)`}`;

/** What they can do about it, by a day. */
export const askFirst = ({ teamName }: Refusal, day: string) =>
  `If it should stay, ${teamName} has to allow it before ${day}.`;

/** Of what is owed: the day it ends, since nobody may pay for it. */
export const cannotPay = (toolName: string, refusal: Refusal, day: string) =>
  `${refused(toolName, refusal)}, so it can’t be paid for now: it ends on ${day}, and nothing more is charged. ${askFirst(refusal, day)}`;
