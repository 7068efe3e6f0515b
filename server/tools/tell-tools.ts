import type { EndReason, OwnEventType, ToolEventType } from '#shared/rules/tools/tools.ts';
import { minute, plus } from '#shared/rules/dates.ts';
import { accessUntil } from '#shared/rules/billing/subscriptions.ts';
import type { Whose } from '#server/access-tokens/service.ts';
import { payerOf, practices } from '#server/payers/service.ts';
import { findToolPerson } from '#server/people/service.ts';
import { rights } from '#server/subscriptions/service.ts';
import { hasLeft } from '#server/teams/service.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { eachOf } from '#server/platform/queue/each-of.ts';
import { accessOf, type Shut, toolTelling } from './access.ts';
import { deliverJob } from './deliver.ts';
import { insertEvent, type NewEvent } from './queries-events.ts';
import { checkAgain, forgetPerson, lockKnown, noteAccess, peopleToCheck } from './queries-people.ts';

type KnownPerson = Awaited<ReturnType<typeof lockKnown>>[number];
type News = { type: ToolEventType; reason?: EndReason; details?: Record<string, unknown> };

/** The job behind `accessChanged`. */
export async function tellTools(context: Context, whose: Whose): Promise<void> {
  for (const userId of await practices.peopleOf(context.db, payerOf(whose))) await tellToolsOf(context, userId);
}

/**
 * Compares what the tools that know this person were told with what is true now, and tells them what has changed: the one place
 * where the end or the return of access becomes an event, whatever the cause.
 */
const tellToolsOf = (context: Context, userId: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const tools = await lockKnown(tx, userId);
    if (tools.length === 0) return;
    const person = await findToolPerson(tx, userId);
    if (person && person.ended !== 'account.closed') {
      for (const known of tools) await tellTool(inside, known);
      return;
    }
    for (const known of tools) {
      await send(inside, known, { type: 'account.closed' });
      await send(inside, known, { type: 'person.erase' });
    }
    await forgetPerson(tx, userId);
  });

async function tellTool(context: Context, known: KnownPerson): Promise<void> {
  const access = await accessOf(context, known.userId, known.toolId);
  if (typeof access !== 'string') {
    const until = accessUntil(access);
    const checkAt = until === 'forever' ? null : until;
    await noteAccess(context.db, known, { mayUse: true, teamId: access.teamId, checkAt });
    return known.mayUse ? undefined : send(context, known, { type: 'access.restored' });
  }
  await noteAccess(context.db, known, { mayUse: false, checkAt: null });
  if (known.mayUse) await send(context, known, await newsOf(context, known, access));
}

async function newsOf(context: Context, { userId, toolId, teamId }: KnownPerson, shut: Shut): Promise<News> {
  if (shut === 'tool_not_allowed') return { type: 'access.ended', reason: 'not_allowed' };
  if (shut === 'team_factor_required' || shut === 'team_microsoft_required')
    return { type: 'access.ended', reason: 'second_factor' };
  const person = await findToolPerson(context.db, userId);
  if (person?.ended === 'member.removed') return { type: 'member.removed' };
  if (person?.ended && person.ended !== 'account.closed') return { type: 'access.ended', reason: person.ended };
  if (person && person.suspendedAt !== null) return { type: 'access.ended', reason: 'suspended' };
  if (teamId !== null && (await hasLeft(context.db, teamId, userId))) return { type: 'member.removed' };
  return { type: 'access.ended', reason: await rights.whyEnded(context, userId, toolId) };
}

/** Puts the event into the tool's log, from which a job delivers it. A tool that takes no events still has to erase people. */
export async function send(
  context: Context,
  { userId, toolId }: Pick<KnownPerson, 'userId' | 'toolId'>,
  { type, reason, details }: News,
): Promise<void> {
  const tool = await toolTelling(context.db, toolId, userId);
  if (!tool?.eventsUrl && type !== 'person.erase') return;
  await insert(context, { userId, toolId, type, reason, details });
}

/** Tells a tool's server of a change or an incident of the tool itself, in the caller's transaction. */
export async function sendOwnEvent(
  context: Context,
  toolId: string,
  event: { type: OwnEventType; details: Record<string, unknown> },
): Promise<void> {
  const tool = await toolTelling(context.db, toolId, null);
  if (tool?.eventsUrl) await insert(context, { userId: null, toolId, ...event });
}

async function insert(context: Context, event: Omit<NewEvent, 'createdAt' | 'nextAttemptAt'>): Promise<void> {
  const now = context.now();
  const eventId = await insertEvent(context.db, { ...event, createdAt: now, nextAttemptAt: now });
  await context.queue.send(context.db, deliverJob, { eventId });
}

const batch = 100;

/** A job: tells tools of people whose access may have ended by the clock. Those for whom it fails come up again behind everybody else. */
export const tellEndedByClock = (context: Context): Promise<void> =>
  eachOf(context, {
    find: async () => (await peopleToCheck(context.db, context.now(), batch)).map((id) => ({ id })),
    work: ({ id }) => tellToolsOf(context, id),
    skip: ({ id }) => checkAgain(context.db, id, plus(context.now(), minute)),
    fault: 'tools could not be told',
  });
