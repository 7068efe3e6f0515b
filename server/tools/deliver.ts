import { day, minute, plus } from '#shared/rules/dates.ts';
import { erasureDays, isOwnEvent, minutesToNextAttempt } from '#shared/rules/tools/tools.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { realNow } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { type Db, transaction } from '#server/platform/data/database.ts';
import { memoOf } from '#server/platform/memo.ts';
import { maskText } from '#server/platform/logs/log-redaction.ts';
import { postOut } from '#server/platform/http/outgoing.ts';
import {
  claimOldest,
  confirmErasure,
  dueEvents,
  findEvent,
  markOverdue,
  reopen,
  settle,
  type ToolEvent,
} from './queries-events.ts';
import type { ToolActor } from '#server/platform/crypto/tool-credentials.ts';
import { toolTelling } from './access.ts';
import { goingCheck } from './queries-checks.ts';
import { signedHeaders } from './signing.ts';
import { type Salted, subjectOf } from './subject.ts';

export const deliverJob = 'deliver-tool-event';
export const erasureJob = 'confirm-erasure';

/** How long a tool's server has to answer. */
const deadlineMs = 10_000;
/** After this long another process may take over. */
const claimSeconds = 30;

/** A tool whose server took longer than this for an answer in the last minute is slow: only so many tries of its events are made at a time. */
const slowMs = 2000;
const slowFor = minute;
const mostOfSlow = 2;
/** How long a job goes on with what else waits for a slow tool. */
const jobMs = minute;

type Tries = { begun: Set<{ toolId: string; at: number }>; slowAt: Map<string, number> };
const triesOf = memoOf((_pool: Db['$client']): Tries => ({ begun: new Set(), slowAt: new Map() }));

/** How many tries of the tool's events are under way in this process, and whether it is slow. */
function busyWith({ db }: Context, toolId: string): { tries: number; slow: boolean } {
  const { begun, slowAt } = triesOf(db.$client);
  const now = performance.now();
  const own = [...begun].filter((one) => one.toolId === toolId);
  const slow = own.some(({ at }) => now - at > slowMs) || now - (slowAt.get(toolId) ?? -Infinity) < slowFor;
  return { tries: own.length, slow };
}

/**
 * Delivers what waits for this event's person and tool, oldest first, and stops at the first that the tool doesn't accept. A slow tool keeps
 * no others waiting: beyond a few jobs at a time its events stay due, and those few go on with them.
 */
export async function deliver(context: Context, eventId: string): Promise<void> {
  const begun = performance.now();
  let waits: string | undefined = eventId;
  while (waits) {
    const event = await findEvent(context.db, waits);
    if (!event) return;
    const { tries, slow } = busyWith(context, event.toolId);
    if (slow && tries >= mostOfSlow) return;
    await deliverTo(context, event);
    const goesOn = performance.now() - begun < jobMs && busyWith(context, event.toolId).slow;
    waits = goesOn ? (await dueEvents(context.db, context.now(), 1, event.toolId))[0] : undefined;
  }
}

async function deliverTo(context: Context, to: ToolEvent): Promise<void> {
  const { begun, slowAt } = triesOf(context.db.$client);
  for (;;) {
    const next = await claimOldest(context.db, to, context.now(), claimSeconds);
    if (!next) return;
    const one = { toolId: to.toolId, at: performance.now() };
    begun.add(one);
    try {
      await attempt(context, next);
    } finally {
      begun.delete(one);
      if (performance.now() - one.at > slowMs) slowAt.set(to.toolId, performance.now());
    }
  }
}

async function attempt(context: Context, event: ToolEvent): Promise<void> {
  const outcome = await post(context, event).catch((error: unknown) => ({
    status: null,
    error: maskText(error instanceof Error ? error.message : 'unknown fault').slice(0, 200),
  }));
  const taken = outcome.status !== null && outcome.status >= 200 && outcome.status < 300;
  const wait = taken ? null : minutesToNextAttempt(event.attempts);
  await settle(context.db, event.id, {
    lastStatus: outcome.status,
    lastError: taken ? null : outcome.error,
    deliveredAt: taken ? context.now() : null,
    nextAttemptAt: wait === null ? null : plus(context.now(), wait * minute),
  });
}

/** One try; returns the status that the tool answered with. */
async function post({ db, env }: Context, event: ToolEvent): Promise<{ status: number; error: string }> {
  const tool = await toolTelling(db, event.toolId, event.userId);
  if (!tool?.eventsUrl) throw new Error('the tool has no address for events');
  const body = bodyOf(event, tool);
  const headers = await signedHeaders(db, env, event.toolId, { id: event.id, body, at: realNow() });
  if (!headers) throw new Error('the tool has no secret to sign with');
  const status = await postOut(tool.eventsUrl, {
    headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Adviserly-Events/1' },
    body,
    deadlineMs,
    publicOnly: env.mode === 'production',
  });
  return { status, error: `the tool answered ${status}` };
}

/** What is sent of an event. */
export const bodyOf = ({ id, type, reason, details, userId, toolId, createdAt }: ToolEvent, tool: Salted) =>
  JSON.stringify({
    type,
    timestamp: createdAt.toISOString(),
    data: {
      ...(userId !== null && !isOwnEvent(type) && { sub: subjectOf(tool, userId) }),
      tool_id: toolId,
      ...(reason && { reason }),
      ...(type === 'person.erase' && { erasure_id: id }),
      ...details,
    },
  });

/** Reopens a settled event, and tries it at once. */
export async function replay(context: Context, id: string): Promise<void> {
  if (!(await reopen(context.db, id, context.now()))) throw new AppError('event_waits');
  await context.queue.send(context.db, deliverJob, { eventId: id });
}

const mostDue = 500;

export async function deliverDueEvents(context: Context): Promise<void> {
  for (const eventId of await dueEvents(context.db, context.now(), mostDue))
    await context.queue.send(context.db, deliverJob, { eventId }, { singletonKey: eventId });
}

/** `POST /api/tools/erasures/{id}`: the tool has erased the person, or somebody made up whom an examination of it named. */
export async function confirmErased(
  context: Context,
  { toolId, examined }: Pick<ToolActor, 'toolId' | 'examined'>,
  id: string,
): Promise<{ confirmed: true }> {
  const confirmed = await confirmErasure(context.db, toolId, id, context.now());
  if (!confirmed && !(examined && (await goingCheck(context.db, toolId))?.run === id.toLowerCase()))
    throw new AppError('erasure_not_found');
  return { confirmed: true };
}

/** A daily job: an erasure that its tool has not confirmed in time becomes an incident, once. */
export async function followErasures(context: Context): Promise<void> {
  const now = context.now();
  await transaction(context.db, async (tx) => {
    for (const { id } of await markOverdue(tx, plus(now, -erasureDays * day), now))
      await context.queue.send(tx, erasureJob, { eventId: id });
  });
}

/** The job for one such erasure. It fails until the tool has confirmed, so each Replay of the incident asks the tool again. */
export async function demandErasure(context: Context, eventId: string): Promise<void> {
  const event = await findEvent(context.db, eventId);
  if (!event || event.confirmedAt !== null) return;
  if (await reopen(context.db, eventId, context.now())) await deliver(context, eventId);
  throw new Error(`${event.toolId} has not confirmed in ${erasureDays} days that it erased a person`);
}
