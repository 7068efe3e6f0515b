import type { Reply } from '#shared/api/endpoint.ts';
import type { Incident, oversightApi } from '#shared/api/oversight.ts';
import { incidentLimit } from '#shared/rules/admin.ts';
import { audit } from '#server/admin/service.ts';
import { AppError } from '#server/platform/app-error.ts';
import { within, type Context } from '#server/platform/context.ts';
import { transaction } from '#server/platform/database.ts';
import type { By } from './by.ts';
import { parkedEvents, pendingEvents, unparkEvent } from './queries-incidents.ts';

const eventJob = 'provider-event';

/** The job's data, where it has any: ids only, by the rule that a job reads its work from the tables. */
const aboutOf = (data: Record<string, unknown>) => {
  const parts = Object.entries(data).filter(([, value]) => value !== null);
  return parts.length === 0 ? null : parts.map(([key, value]) => `${key} ${String(value)}`).join(', ');
};

/** Webhook events that were given up and jobs that used up their tries, newest first (decisions §11). */
export async function listIncidents(context: Context): Promise<Reply<typeof oversightApi.incidents>> {
  const [events, jobs] = await Promise.all([
    parkedEvents(context.db, incidentLimit),
    context.queue.failed(incidentLimit),
  ]);
  // An event that is parked, or worked off since, speaks for its job.
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
      failedAt: event.receivedAt,
    })),
    ...jobs
      .filter((job) => job.name !== eventJob || open.has(String(job.data['id'])))
      .map(({ data, ...job }) => ({ ...job, kind: 'job' as const, about: aboutOf(data) })),
  ];
  return {
    incidents: incidents.toSorted((a, b) => b.failedAt.getTime() - a.failedAt.getTime()).slice(0, incidentLimit),
    warnings: context.env.warnings,
  };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Tries it again, once however many ask at the same time, with its audit row. */
export async function replayIncident(context: Context, by: By, id: string): Promise<void> {
  await transaction(context.db, async (tx) => {
    const event = await unparkEvent(tx, id);
    if (event === 'taken') await context.queue.send(tx, eventJob, { id });
    const job = event === null && uuid.test(id) ? await context.queue.retry(tx, id) : null;
    if (event === null && job === null) throw new AppError('incident_not_found');
    if (event === 'settled' || job?.outcome === 'settled') throw new AppError('incident_settled');
    await audit(within(context, tx), {
      action: 'admin.incident_replayed',
      actorId: by.actorId,
      after: { incident: id, kind: event === null ? 'job' : 'webhook', ...(job && { job: job.name }) },
      ip: by.ip,
    });
  });
}
