import type { Reply } from '#shared/api/endpoint.ts';
import type { Incident, oversightApi } from '#shared/api/oversight.ts';
import { sydneyDate } from '#shared/rules/dates.ts';
import { incidentLimit } from '#shared/rules/admin.ts';
import { audit } from '#server/audit/service.ts';
import { eventJob, parkedEvents, pendingEvents, replayEvent } from '#server/billing/service.ts';
import { confirmForTool, erasureJob } from '#server/tools/service.ts';
import { AppError, fieldError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';

/** The job's data as a sentence; it holds ids only, since jobs read everything else from the tables. */
const aboutOf = (data: Record<string, unknown>) => {
  const parts = Object.entries(data).filter(([, value]) => value !== null);
  return parts.length === 0 ? null : parts.map(([key, value]) => `${key} ${String(value)}`).join(', ');
};

/** Parked webhook events and jobs that failed their last attempt, newest first. */
export async function listIncidents(context: Context): Promise<Reply<typeof oversightApi.incidents>> {
  const [events, jobs] = await Promise.all([
    parkedEvents(context.db, incidentLimit),
    context.queue.failed(incidentLimit),
  ]);
  // A parked event is listed itself, and the job of an event processed since is no incident.
  const eventIds = jobs.filter((job) => job.name === eventJob).map((job) => String(job.data['id']));
  const open = await pendingEvents(context.db, eventIds);
  const incidents: Incident[] = [
    ...events.map((event) => ({
      id: event.id,
      kind: 'webhook' as const,
      name: event.type,
      about: event.objectId,
      error: event.lastError,
      attempts: event.attempts,
      canConfirm: false,
      canReplay: !event.type.startsWith('charge.dispute.'),
      failedAt: event.receivedAt,
    })),
    ...jobs
      .filter((job) => job.name !== eventJob || open.has(String(job.data['id'])))
      .map(({ data, ...job }) => ({
        ...job,
        kind: 'job' as const,
        canReplay: true,
        canConfirm: job.name === erasureJob,
        about: aboutOf(data),
      })),
  ];
  return {
    incidents: incidents.toSorted((a, b) => b.failedAt.getTime() - a.failedAt.getTime()).slice(0, incidentLimit),
    warnings: context.env.warnings,
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Tries it again, with an audit row; of several requests at once, one does it. */
export async function replayIncident(context: Context, id: string): Promise<void> {
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    const event = await replayEvent(inside, id);
    const job = event === null && uuid.test(id) ? await context.queue.retry(tx, id) : null;
    if (event === null && job === null) throw new AppError('incident_not_found');
    if (event === 'not_parked' || job?.outcome === 'not_failed') throw new AppError('incident_settled');
    await audit(inside, 'admin.incident_replayed', {
      after: { incident: id, kind: event === null ? 'job' : 'webhook', ...(job && { job: job.name }) },
    });
  });
}

/** An administrator knows that the tool has erased the person, or that it holds nothing: the incident is over. */
export async function confirmErasureIncident(
  context: Context,
  id: string,
  { erasedOn, reason }: { erasedOn: string; reason: string },
): Promise<void> {
  if (erasedOn > sydneyDate(context.now())) throw fieldError('erasedOn', 'Please enter a day that has come');
  await transaction(context.db, async (tx) => {
    const inside = within(context, tx);
    // The job finds the confirmation, and ends.
    const job = await context.queue.retry(tx, id);
    if (job?.name !== erasureJob) throw new AppError('incident_not_found');
    const tool = await confirmForTool(tx, String(job.data['eventId']), reason, new Date(`${erasedOn}T00:00:00Z`));
    if (job.outcome === 'not_failed') throw new AppError('incident_settled');
    if (!tool) throw new AppError('erasure_confirmed');
    await audit(inside, 'admin.erasure_confirmed', { tool, after: { incident: id, erasedOn, reason } });
  });
}
