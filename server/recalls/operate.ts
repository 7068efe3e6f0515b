import type { Input, Reply } from '#shared/api/endpoint.ts';
import type { adminRecallsApi, toolRecallsApi } from '#shared/api/recalls.ts';
import { day, plus } from '#shared/rules/dates.ts';
import { mostToldUnconfirmed, type RecallTerms } from '#shared/rules/record/recalls.ts';
import { audit } from '#server/audit/service.ts';
import { findTool, type ToolRow, toolRows } from '#server/catalogue/service.ts';
import { notify } from '#server/notifications/service.ts';
import { administratorIds, lockActor } from '#server/people/service.ts';
import { sendOwnEvent } from '#server/tools/service.ts';
import { recalled } from '#server/usage/service.ts';
import type { ActorRow, SignedIn } from '#server/platform/http/actor.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { heading } from '#server/platform/mail-subject.ts';
import { type Context, inTransaction } from '#server/platform/context.ts';
import { pick } from '#server/platform/data/database.ts';
import { consume } from '#server/platform/http/rate-limit.ts';
import {
  changesOf,
  countTouched,
  insertChange,
  insertRecall,
  isStopped,
  lockRecall,
  type RecallRow,
  recallsOf,
  totalsOfRecalls,
  updateRecall,
} from './queries.ts';
import { tellJob } from './tell.ts';

/** The tool's maker, or an administrator. */
export type Operator = SignedIn & { as: 'maker' | 'admin' };
type Terms = Input<typeof toolRecallsApi.open>['body'];
type OfTool = Reply<typeof adminRecallsApi.list>;

/** How far back versions are offered. */
const versionDays = 730;

/** A maker's routes know only their own tools; nobody else learns that a tool exists. */
const isTheirs = (tool: ToolRow | null | undefined, by: Operator): tool is ToolRow =>
  tool != null && (by.as === 'admin' || tool.ownerId === by.id);

export const asMaker = (actor: ActorRow): Operator => ({ ...actor, as: 'maker' });
export const asAdmin = (actor: ActorRow): Operator => ({ ...actor, as: 'admin' });

/** With the tool and whoever acts locked: recalls of one tool change one after another, and none after a sign-out. */
const onTool = async <T>(
  context: Context,
  by: Operator,
  toolId: string,
  work: (inside: Context, tool: ToolRow) => Promise<T>,
): Promise<T> => {
  if (by.as === 'maker') await consume(context, 'developerWrites', by.id);
  return inTransaction(context, async (inside, tx) => {
    await lockActor(tx, by);
    const tool = await toolRows.lockToolRow(tx, toolId);
    if (!isTheirs(tool, by) || !tool.isActive) throw new AppError('tool_not_found');
    return work(inside, tool);
  });
};

const termsOf = (recall: RecallRow): RecallTerms =>
  pick(recall, 'versions', 'fromDay', 'untilDay', 'wrong', 'lookFor', 'severity', 'stops');

/** Whether people may be told at once: a maker's recall that tells many waits for an administrator. */
async function mayTell({ db }: Context, by: Operator, toolId: string, terms: Terms): Promise<boolean> {
  return by.as === 'admin' || (await countTouched(db, { ...terms, toolId })) <= mostToldUnconfirmed;
}

/** Tells the tool's own server: of an incident that was changed, by its opening with what holds now. */
const tellServer = (inside: Context, recall: RecallRow, reason: string | null): Promise<void> => {
  const { id: incident_id, toolId, closedAt, versions, severity, wrong, stops } = recall;
  const terms = { versions, from_day: recall.fromDay, until_day: recall.untilDay, wrong, look_for: recall.lookFor };
  return sendOwnEvent(
    inside,
    toolId,
    closedAt
      ? { type: 'incident.closed', details: { incident_id, reason } }
      : { type: 'incident.opened', details: { incident_id, ...terms, severity, stops_new_sessions: stops } },
  );
};

/** Notes what happened, stops or frees the tool, and has people told, or administrators asked. */
async function follow(
  inside: Context,
  by: Operator,
  tool: ToolRow,
  recall: RecallRow,
  { act, reason = null }: { act: 'opened' | 'confirmed' | 'changed' | 'closed'; reason?: string | null },
): Promise<void> {
  const { db } = inside;
  const now = inside.now();
  await insertChange(db, { recallId: recall.id, act, terms: termsOf(recall), reason, madeById: by.id, madeAt: now });
  await audit(inside, `recall.${act}`, { tool: tool.id, after: { recall: recall.id, reason } });
  if (act !== 'confirmed') await tellServer(inside, recall, reason);
  const stopped = await isStopped(db, tool.id);
  if (stopped !== (tool.stoppedAt !== null))
    await toolRows.updateTool(db, tool.id, { stoppedAt: stopped ? now : null });
  // What it no longer touches leaves it, and who was told hears of its end, whoever has to confirm the rest.
  if (recall.confirmedAt || act === 'changed' || act === 'closed')
    await inside.queue.send(db, tellJob, { recallId: recall.id, narrowed: act === 'changed' });
  for (const userId of recall.confirmedAt || recall.closedAt ? [] : await administratorIds(db))
    await notify(inside, {
      userId,
      title: heading`A recall of ${tool.name} waits for you`,
      message: `Its maker opened it, and it touches more than ${mostToldUnconfirmed} people. Nobody is told until an administrator confirms it.`,
      actionUrl: `/admin/tools/${tool.id}?tab=versions`,
      dedupeKey: `recall-waits:${recall.id}:${now.toISOString()}`,
      mail: { kind: 'recall-waits', actionLabel: 'See the recall' },
    });
}

/** Has sessions with a tool looked at again. */
export const openRecall = (
  context: Context,
  by: Operator,
  toolId: string,
  terms: Terms,
): Promise<{ id: string; confirmed: boolean }> =>
  onTool(context, by, toolId, async (inside, tool) => {
    if (by.as === 'maker') await consume(inside, 'makerRecalls', by.id);
    const now = inside.now();
    const confirmedAt = (await mayTell(inside, by, toolId, terms)) ? now : null;
    const opened = { openedById: by.id, byMaker: by.as === 'maker', confirmedAt, createdAt: now };
    const recall = await insertRecall(inside.db, { toolId, ...terms, ...opened });
    await follow(inside, by, tool, recall, { act: 'opened' });
    return { id: recall.id, confirmed: confirmedAt !== null };
  });

/** A recall of this tool that is still open, locked with its tool. */
const onRecall = (
  context: Context,
  by: Operator,
  { toolId, id }: { toolId: string; id: string },
  work: (inside: Context, tool: ToolRow, recall: RecallRow) => Promise<void>,
): Promise<void> =>
  onTool(context, by, toolId, async (inside, tool) => {
    const recall = await orRefuse(lockRecall(inside.db, id, toolId), 'recall_not_found');
    if (recall.closedAt) throw new AppError('recall_closed');
    await work(inside, tool, recall);
  });

type At = { toolId: string; id: string };

/** Widens, narrows or rewords a recall. A job takes out what it no longer touches, and tells of what it now touches. */
export const changeRecall = (
  context: Context,
  by: Operator,
  at: At,
  { reason, ...terms }: Input<typeof toolRecallsApi.change>['body'],
): Promise<void> =>
  onRecall(context, by, at, async (inside, tool, before) => {
    const told = before.confirmedAt ?? inside.now();
    const confirmedAt = (await mayTell(inside, by, at.toolId, terms)) ? told : null;
    const recall = await updateRecall(inside.db, at.id, { ...terms, confirmedAt });
    await follow(inside, by, tool, recall, { act: 'changed', reason });
  });

/** Has people told of a recall that waited for an administrator. */
export const confirmRecall = (context: Context, by: Operator, at: At): Promise<void> =>
  onRecall(context, by, at, async (inside, tool, { confirmedAt }) => {
    if (confirmedAt) throw new AppError('recall_confirmed');
    const recall = await updateRecall(inside.db, at.id, { confirmedAt: inside.now() });
    await follow(inside, by, tool, recall, { act: 'confirmed' });
  });

/** Touches no more sessions from now on. What is open stays to be looked at. */
export const closeRecall = (context: Context, by: Operator, at: At, reason: string): Promise<void> =>
  onRecall(context, by, at, async (inside, tool) => {
    const recall = await updateRecall(inside.db, at.id, { closedAt: inside.now(), closedFor: reason });
    await follow(inside, by, tool, recall, { act: 'closed', reason });
  });

/** What a tool's operators see of its recalls: figures, and no person. */
export async function recallsOfTool(context: Context, by: Operator, toolId: string): Promise<OfTool> {
  const { db } = context;
  const tool = await findTool(db, toolId);
  if (!isTheirs(tool, by)) throw new AppError('tool_not_found');
  const rows = await recallsOf(db, toolId);
  const ids = rows.map(({ id }) => id);
  const totals = ids.length > 0 ? await totalsOfRecalls(db, ids) : [];
  const changes = ids.length > 0 ? await changesOf(db, ids) : [];
  const none = { sessions: 0, open: 0, people: 0, practices: 0 };
  return {
    versions: await recalled.versionsOf(db, toolId, plus(context.now(), -versionDays * day)),
    recalls: rows.map((row) => ({
      ...row,
      ...(totals.find(({ recallId }) => recallId === row.id) ?? none),
      toolName: tool.name,
      confirmed: row.confirmedAt !== null,
      history: changes.filter(({ recallId }) => recallId === row.id),
    })),
  };
}
