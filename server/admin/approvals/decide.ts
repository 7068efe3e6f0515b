import { undoMs } from '#shared/rules/operators/admin.ts';
import { approvalState, mayUndo } from '#shared/rules/operators/approvals.ts';
import { plus } from '#shared/rules/dates.ts';
import { audit } from '#server/audit/service.ts';
import { columnsOf, subjectOf } from '#server/payers/service.ts';
import { administratorIds } from '#server/people/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction, type Db } from '#server/platform/data/database.ts';
import { isFinal } from '../acts/carry-out.ts';
import { boundOf } from './kinds.ts';
import {
  type ApprovalRow,
  changeApproval,
  findApproval,
  lockApproval,
  noteExecuted,
  wasMadeAdminSince,
} from './queries.ts';

/** The job that carries out what was approved, in case the request died. */
export const carryOutJob = 'carry-out-approval';
/** Seconds after which the job runs. */
const checkAfter = 60;

async function requireWaiting(context: Context, tx: Db, id: string): Promise<ApprovalRow> {
  const row = await lockApproval(tx, id);
  if (!row) throw new AppError('approval_not_found');
  if (approvalState(row, context.now()) !== 'waiting') throw new AppError('approval_settled');
  return row;
}

/** What decides, for any number of requests, whether this administrator may approve them. */
export const approverOf = async ({ db, now }: Context, id: string) => ({
  id,
  isTooNew: await wasMadeAdminSince(db, id, plus(now(), -undoMs)),
  administrators: await administratorIds(db),
});

/** Why this administrator may not approve it; null if they may. */
export function whyNot(row: ApprovalRow, { id, isTooNew, administrators }: Awaited<ReturnType<typeof approverOf>>) {
  if (row.askedBy === id) return 'approves_own' as const;
  if (columnsOf(boundOf(row).subject).userId === id) return 'approves_for_self' as const;
  if (isTooNew) return 'approver_too_new' as const;
  if (!administrators.includes(row.askedBy)) return 'asker_gone' as const;
  return null;
}

/** Approves what another administrator asked for, and does it, once. */
export async function approve(context: Context, id: string): Promise<void> {
  const actorId = context.caller!.actorId!;
  const later = await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const row = await requireWaiting(context, tx, id);
    const refusal = whyNot(row, await approverOf(inside, actorId));
    if (refusal) throw new AppError(refusal);
    const bound = boundOf(row);
    const now = context.now();
    await audit(inside, 'admin.approval_given', {
      ...subjectOf(bound.subject),
      after: { kind: row.kind, askedBy: row.askedBy, ...bound.trail, reason: row.reason },
    });
    await changeApproval(tx, id, { state: 'approved', decidedBy: actorId, decidedAt: now });
    if (!bound.execute) {
      await context.queue.send(tx, carryOutJob, { id }, { startAfter: checkAfter });
      return true;
    }
    await changeApproval(tx, id, { parameters: await bound.execute(inside), executedAt: now });
    return false;
  });
  if (later) await carryOut(context, id);
}

/** Carries out what was approved but can't be part of a transaction of ours. Repeating it is safe. */
export async function carryOut(context: Context, id: string): Promise<void> {
  const row = await findApproval(context.db, id);
  if (row?.state !== 'approved' || row.executedAt !== null || row.failure !== null) return;
  try {
    await boundOf(row).later?.(context);
  } catch (error) {
    if (isFinal(error)) await changeApproval(context.db, id, { failure: error.message });
    throw error;
  }
  await noteExecuted(context.db, id, context.now());
}

/** A job: the same, except that a final refusal ends it quietly, since administrators read it in the list. */
export const carryOutLater = (context: Context, id: string): Promise<void> =>
  carryOut(context, id).catch((error: unknown) => {
    if (!isFinal(error)) throw error;
  });

/** Refuses the request; whoever asked for it takes it back the same way. */
export const refuse = (context: Context, id: string, reason: string): Promise<void> =>
  transaction(context.db, async (tx) => {
    const row = await requireWaiting(context, tx, id);
    const actorId = context.caller!.actorId!;
    const own = row.askedBy === actorId;
    const bound = boundOf(row);
    await changeApproval(tx, id, { state: 'refused', decidedBy: own ? null : actorId, decidedAt: context.now() });
    await audit(within(context, tx), own ? 'admin.approval_withdrawn' : 'admin.approval_refused', {
      ...subjectOf(bound.subject),
      after: { kind: row.kind, askedBy: row.askedBy, ...bound.trail, reason },
    });
  });

/** Undoes what was done less than a day ago, if it can be undone. */
export const undo = (context: Context, id: string, reason: string): Promise<void> =>
  transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const row = await lockApproval(tx, id);
    if (!row) throw new AppError('approval_not_found');
    const bound = boundOf(row);
    if (!bound.undo) throw new AppError('refund_stays');
    const now = context.now();
    if (!mayUndo(row, now)) throw new AppError(row.executedAt && !row.undoneAt ? 'undo_over' : 'approval_settled');
    await bound.undo(inside, reason);
    await changeApproval(tx, id, { undoneAt: now, undoneBy: context.caller!.actorId! });
    await audit(inside, 'admin.approval_undone', {
      ...subjectOf(bound.subject),
      after: { kind: row.kind, ...bound.trail, reason },
    });
  });
