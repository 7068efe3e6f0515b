import { approverMs } from '#shared/rules/operators/admin.ts';
import { mayUndo, stateOf } from '#shared/rules/operators/acts.ts';
import { plus } from '#shared/rules/dates.ts';
import { factorSince } from '#server/accounts/service.ts';
import { actedOn, actorsOn, audit, type AuditAction } from '#server/audit/service.ts';
import { practices, subjectOf } from '#server/payers/service.ts';
import { administratorIds } from '#server/people/service.ts';
import { AppError, orRefuse } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction, within } from '#server/platform/context.ts';
import { transaction, violates, type Db } from '#server/platform/data/database.ts';
import { carryOut, start } from './carry-out.ts';
import { aboutOf, kinds } from './kinds.ts';
import { type ActRow, changeAct, handledAmong, handlersOf, lockAct, wasMadeAdminSince } from './queries.ts';

async function requireWaiting(context: Context, tx: Db, id: string): Promise<ActRow> {
  const act = await orRefuse(lockAct(tx, id), 'approval_not_found');
  if (stateOf(act, context.now()) !== 'waiting') throw new AppError('approval_settled');
  return act;
}

/** What an administrator does to another one's account with which they could then act as them. */
const handling: AuditAction[] = [
  'admin.factor_reset_requested',
  'admin.password_change_demanded',
  'admin.password_reset',
  'admin.reset_link_sent',
  'admin.user_reinstated',
];

/** What decides, for any number of requests, whether this administrator may approve them: whether they are a second person. */
export async function approverOf({ db, now, env }: Context, id: string) {
  const since = plus(now(), -approverMs);
  const administrators = await administratorIds(db);
  const factor = env.adminFactor ? await factorSince(db, id) : null;
  return {
    id,
    isTooNew: await wasMadeAdminSince(db, id, since),
    isFactorNew: env.adminFactor && (factor === null || factor > since),
    handledBy: [...(await handlersOf(db, id, since)), ...(await actorsOn(db, id, handling, since))],
    handled: [
      ...(await handledAmong(db, administrators, id, since)),
      ...(await actedOn(db, administrators, id, handling, since)),
    ],
    isOwn: await practices.ownPayers(db, id),
    administrators,
  };
}

/** Why this administrator may not approve it; null if they may. */
export function whyNot(act: ActRow, approver: Awaited<ReturnType<typeof approverOf>>) {
  if (act.askedBy === approver.id) return 'approves_own' as const;
  if (approver.isOwn(aboutOf(act).subject)) return 'approves_for_self' as const;
  if (approver.isTooNew) return 'approver_too_new' as const;
  if (approver.isFactorNew) return 'approver_factor_new' as const;
  if (approver.handledBy.includes(act.askedBy)) return 'approver_handled' as const;
  if (approver.handled.includes(act.askedBy)) return 'asker_handled' as const;
  if (!approver.administrators.includes(act.askedBy)) return 'asker_gone' as const;
  return null;
}

/** Notes in the audit trail what became of the act. */
function note(inside: Context, outcome: 'given' | 'refused' | 'withdrawn' | 'undone', act: ActRow, after: object) {
  const { subject, trail } = aboutOf(act);
  return audit(inside, `admin.approval_${outcome}`, {
    ...subjectOf(subject),
    after: { kind: act.kind, ...trail, ...after },
  });
}

/** Approves what another administrator asked for, and does it, once. */
export async function approve(context: Context, id: string): Promise<void> {
  const actorId = context.caller!.actorId!;
  const act = await inTransaction(context, async (inside, tx) => {
    const waiting = await requireWaiting(context, tx, id);
    const refusal = whyNot(waiting, await approverOf(inside, actorId));
    if (refusal) throw new AppError(refusal);
    const { kind, askedBy, reason } = waiting;
    const now = context.now();
    await note(inside, 'given', waiting, { askedBy, reason });
    const doneAt = kinds[kind].execute ? now : null;
    await changeAct(tx, id, { state: 'approved', decidedBy: actorId, decidedAt: now, doneAt });
    await start(inside, waiting, kinds[kind]);
    return waiting;
  }).catch((error: unknown) => {
    throw violates(error, 'acts_under_way') ? new AppError('act_under_way', { cause: error }) : error;
  });
  await carryOut(context, act, kinds[act.kind]);
}

/** Refuses the request; whoever asked for it takes it back by refusing it. */
export const refuse = (context: Context, id: string, reason: string): Promise<void> =>
  transaction(context.db, async (tx) => {
    const act = await requireWaiting(context, tx, id);
    const { kind, askedBy } = act;
    const actorId = context.caller!.actorId!;
    const own = askedBy === actorId;
    await changeAct(tx, id, {
      state: 'refused',
      decidedBy: own ? null : actorId,
      decidedAt: context.now(),
      // Nobody needs its hash any more.
      ...(kind === 'set_password' && { parameters: {} }),
    });
    await note(within(context, tx), own ? 'withdrawn' : 'refused', act, { askedBy, reason });
  });

/** Undoes what was done less than a day ago, if it can be undone. */
export const undo = (context: Context, id: string, reason: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const act = await orRefuse(lockAct(tx, id), 'approval_not_found');
    const { undo: back } = kinds[act.kind];
    if (!back) throw new AppError('cannot_undo');
    const now = context.now();
    if (!mayUndo(act, now)) throw new AppError(act.doneAt && !act.undoneAt ? 'undo_over' : 'approval_settled');
    await back(inside, act, reason);
    await changeAct(tx, id, { undoneAt: now, undoneBy: context.caller!.actorId! });
    await note(inside, 'undone', act, { reason });
  });
