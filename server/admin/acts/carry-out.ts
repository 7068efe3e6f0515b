import type { ActKind } from '#shared/rules/operators/acts.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/data/database.ts';
import { type ActRow, endAct, findOpenAct, insertAct } from './queries.ts';

/** The job that finishes an act whose request died. */
export const finishActJob = 'finish-act';
/** Seconds after which the job runs: the request is over by then. */
const checkAfter = 60;

/** Asks Stripe, then ends the act by `finish`. Run again, it finds what is already done and does the rest. */
export type Carry = (context: Context, act: ActRow) => Promise<void>;

type Intention = {
  kind: ActKind;
  subjectId: string;
  parameters?: object;
  reason: string;
  refund?: { personId: string; cents: number };
  /** Refuses what makes no sense; called once no other act on the same subject is under way. */
  check?: (inside: Context, act: ActRow) => Promise<void>;
};

/** Writes down what is asked for, then does it. If the process dies or Stripe's answer is lost, the job goes on. */
export async function begin(
  context: Context,
  { kind, subjectId, parameters = {}, reason, refund, check }: Intention,
  carry: Carry,
): Promise<void> {
  const { actorId, ip } = context.caller!;
  const act = await transaction(context.db, async (tx) => {
    const row = await insertAct(tx, {
      kind,
      subjectId,
      parameters,
      reason,
      askedBy: actorId!,
      ip: ip ?? null,
      askedAt: context.now(),
      ...refund,
    });
    if (!row) throw new AppError('act_under_way');
    await check?.(within(context, tx), row);
    await context.queue.send(tx, finishActJob, { id: row.id }, { startAfter: checkAfter });
    return row;
  });
  await carryOut(context, act, carry);
}

/** Whether the error is an answer that another try won't change. */
export const isFinal = (error: unknown): error is AppError => error instanceof AppError && error.status < 500;

async function carryOut(context: Context, act: ActRow, carry: Carry): Promise<void> {
  try {
    await carry(context, act);
  } catch (error) {
    if (isFinal(error)) await endAct(context.db, act.id, { failure: error.message });
    throw error;
  }
}

/** Notes that the act is done and runs `write` (audit row, mail) in the same transaction; once, whoever finishes first. */
export const finish = (
  context: Context,
  act: ActRow,
  write: (inside: Context) => Promise<void> = async () => undefined,
): Promise<void> => transaction(context.db, (tx) => finishWithin(within(context, tx), act, write));

/** The same, in the caller's transaction. */
export async function finishWithin(
  inside: Context,
  { id }: ActRow,
  write: (inside: Context) => Promise<void>,
): Promise<void> {
  if (await endAct(inside.db, id, { doneAt: inside.now() })) await write(inside);
}

/** A job: continues an act in the name of whoever asked for it. */
export async function finishAct(context: Context, id: string, carryOf: (kind: ActKind) => Carry): Promise<void> {
  const act = await findOpenAct(context.db, id);
  if (!act) return;
  const caller = { actorId: act.askedBy, ip: act.ip ?? undefined };
  await carryOut({ ...context, caller }, act, carryOf(act.kind)).catch((error: unknown) => {
    if (!isFinal(error)) throw error;
    context.log.warn({ act: id, err: error }, 'an act was not done');
  });
}
