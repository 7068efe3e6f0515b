import { sydneyDate } from '#shared/rules/dates.ts';
import { audit } from '#server/audit/service.ts';
import { replayEvent } from '#server/billing/service.ts';
import { confirmForTool, erasureJob } from '#server/tools/service.ts';
import { AppError, fieldError } from '#server/platform/http/app-error.ts';
import { type Context, inTransaction, within } from '#server/platform/context.ts';
import { isUuid, transaction } from '#server/platform/data/database.ts';
import { finishActJob } from '../acts/carry-out.ts';
import { endAct } from '../acts/queries.ts';
import { isSettledByHand } from './incident-words.ts';

/** Tries it again, with an audit row; of several requests at once, one does. */
export const replayIncident = (context: Context, id: string): Promise<void> =>
  inTransaction(context, async (inside, tx) => {
    const event = await replayEvent(inside, id);
    const job = event === null && isUuid(id) ? await context.queue.retry(tx, id) : null;
    if (event === null && job === null) throw new AppError('incident_not_found');
    if (event === 'not_parked' || job?.changed === false) throw new AppError('incident_settled');
    await audit(inside, 'admin.incident_replayed', {
      after: { incident: id, kind: event === null ? 'job' : 'webhook', ...(job && { job: job.name }) },
    });
  });

/** Ends the incident: an administrator knows that the tool has erased the person, or holds nothing of them. */
export async function confirmErasureIncident(
  context: Context,
  id: string,
  { erasedOn, reason }: { erasedOn: string; reason: string },
): Promise<void> {
  if (erasedOn > sydneyDate(context.now())) throw fieldError('erasedOn', 'Please enter a day that has come');
  await inTransaction(context, async (inside, tx) => {
    // The retried job finds the confirmation and ends.
    const job = await context.queue.retry(tx, id);
    if (job?.name !== erasureJob) throw new AppError('incident_not_found');
    const tool = await confirmForTool(tx, String(job.data['eventId']), reason, new Date(`${erasedOn}T00:00:00Z`));
    if (!job.changed) throw new AppError('incident_settled');
    if (!tool) throw new AppError('erasure_confirmed');
    await audit(inside, 'admin.erasure_confirmed', { tool, after: { incident: id, erasedOn, reason } });
  });
}

/** Ends an incident that a person has taken care of. */
export const settleIncident = (context: Context, id: string, reason: string): Promise<void> =>
  transaction(context.db, async (tx) => {
    const job = await context.queue.settle(tx, id);
    if (job === null || !isSettledByHand(job.name)) throw new AppError('incident_not_found');
    if (!job.changed) throw new AppError('incident_settled');
    // Makes way for another act on the same subject.
    if (job.name === finishActJob) await endAct(tx, String(job.data['id']), { failure: `Given up: ${reason}` });
    await audit(within(context, tx), 'admin.incident_settled', { after: { incident: id, job: job.name, reason } });
  });
