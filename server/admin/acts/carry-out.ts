import { approvalLifeMs } from '#shared/rules/operators/admin.ts';
import type { ActKind } from '#shared/rules/operators/acts.ts';
import { plus } from '#shared/rules/dates.ts';
import { audit } from '#server/audit/service.ts';
import { notify } from '#server/notifications/service.ts';
import { subjectOf } from '#server/payers/service.ts';
import { administratorIds } from '#server/people/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction, within } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { namesById } from '../people/queries-names.ts';
import { type About, asStored, type Kind } from './act-kind.ts';
import { type ActRow, changeAct, endAct, endExpired, findOpenAct, insertAct } from './queries.ts';

/** The job that finishes an act whose request died, and its name in the release before. */
export const finishActJob = 'finish-act';
export const olderFinishJob = 'carry-out-approval';
/** Seconds after which the job runs: the request is over by then. */
const checkAfter = 60;

type Request = {
  kind: ActKind;
  subjectId: string;
  parameters?: object;
  reason: string;
  /** Whether a second administrator has to approve it, where four eyes are demanded. */
  needsTwo?: boolean;
  refund?: { personId: string; cents: number };
  /** Locks the subject and refuses what makes no sense; called once no other act on it is under way. */
  check?: (inside: Context, act: ActRow) => Promise<unknown>;
};

/** Writes down what is asked for, then does it, or has it wait for a second administrator. Returns what to say if it waits, else null. */
export async function ask(context: Context, request: Request, of: Kind): Promise<string | null> {
  const { kind, subjectId, parameters = {}, reason, needsTwo = false, refund, check } = request;
  const { actorId, ip } = context.caller!;
  const now = context.now();
  const waits = needsTwo && context.env.fourEyes;
  const act = await inTransaction(context, async (inside, tx) => {
    await endExpired(tx, kind, subjectId, now);
    const row = await insertAct(tx, {
      kind,
      subjectId,
      parameters,
      reason,
      askedBy: actorId!,
      ip: ip ?? null,
      askedAt: now,
      ...refund,
      ...(waits
        ? { state: 'waiting' as const, expiresAt: plus(now, approvalLifeMs) }
        : { doneAt: of.execute ? now : null }),
    });
    if (!row) throw new AppError(waits ? 'approval_waits' : 'act_under_way');
    await check?.(inside, row);
    if (waits) await tellOthers(inside, row, of.about!(row));
    else await start(inside, row, of);
    return row;
  });
  if (waits) return waitsFor(context);
  await carryOut(context, act, of);
  return null;
}

const otherAdministrators = async ({ db, caller }: Context) =>
  (await administratorIds(db)).filter((id) => id !== caller?.actorId);

/** Notes that the act was asked for, and tells the other administrators, in the app and by mail, that it waits for one of them. */
async function tellOthers(inside: Context, act: ActRow, { what, subject, trail }: About): Promise<void> {
  const { kind, reason, askedBy } = act;
  await audit(inside, 'admin.approval_asked', { ...subjectOf(subject), after: { kind, ...trail, reason } });
  const { id } = asStored(subject);
  const names = await namesById(inside.db, [askedBy, id]);
  const sentence = `${names.get(askedBy) ?? 'An administrator'} asks to ${what(names.get(id) ?? 'somebody')}.`;
  for (const userId of await otherAdministrators(inside))
    await notify(inside, {
      userId,
      title: 'A second administrator is needed',
      message: sentence,
      actionUrl: '/admin/today',
      dedupeKey: `approval:${act.id}`,
      mail: {
        kind: 'approval-waits',
        paragraphs: [
          sentence,
          `The reason: ${reason}`,
          'Before you approve it, check with them by phone or in person, not by email. It waits for a week.',
        ],
        actionLabel: 'Open approvals',
      },
    });
}

/** What an administrator is told whose request waits. */
const waitsFor = async (context: Context): Promise<string> =>
  (await otherAdministrators(context)).length > 0
    ? 'It waits for a second administrator, who was told by email.'
    : 'It waits for a second administrator, and there is none: Approvals says how to get one.';

/** Does, in the caller's transaction, what can be part of it; the job does the rest, should the request die. */
export async function start(inside: Context, act: ActRow, { execute, later }: Kind): Promise<void> {
  if (execute) await changeAct(inside.db, act.id, { parameters: (await execute(inside, act)) ?? {} });
  if (later) await inside.queue.send(inside.db, finishActJob, { id: act.id }, { startAfter: checkAfter });
}

/** Whether the error is an answer that another try won't change. */
const isFinal = (error: unknown): error is AppError => error instanceof AppError && error.status < 500;

/** Does what no transaction of ours can include. */
export async function carryOut(context: Context, act: ActRow, { later }: Kind): Promise<void> {
  try {
    await later?.(context, act);
  } catch (error) {
    if (isFinal(error)) await endAct(context.db, act.id, { failure: error.message });
    throw error;
  }
}

/** Notes that the act is done and runs `write` (audit row, mail) in the same transaction; once, whoever finishes first. */
export const finish = (
  context: Context,
  { id }: ActRow,
  write: (inside: Context) => Promise<void> = async () => undefined,
): Promise<void> =>
  transaction(context.db, async (tx) => {
    if (await endAct(tx, id, { doneAt: context.now() })) await write(within(context, tx));
  });

/** A job: continues an act in the name of whoever asked for it. A final refusal ends it quietly: administrators read it in the list. */
export async function finishAct(context: Context, id: string, kinds: Record<ActKind, Kind>): Promise<void> {
  const act = await findOpenAct(context.db, id);
  if (!act) return;
  const caller = { actorId: act.askedBy, ip: act.ip ?? undefined };
  await carryOut({ ...context, caller }, act, kinds[act.kind]).catch((error: unknown) => {
    if (!isFinal(error)) throw error;
    context.log.warn({ act: id, err: error }, 'an act was not done');
  });
}
