import type { Reply } from '#shared/api/endpoint.ts';
import type { Incident, oversightApi } from '#shared/api/operators/oversight.ts';
import { incidentLimit, unpaidBillLimit } from '#shared/rules/operators/admin.ts';
import { hour, plus } from '#shared/rules/dates.ts';
import { eventJob, parkedEvents, statusesOfEvents } from '#server/billing/service.ts';
import { waitingMails } from '#server/notifications/service.ts';
import { forAdministrators } from '#server/subscriptions/service.ts';
import { erasureJob } from '#server/tools/service.ts';
import type { Context } from '#server/platform/context.ts';
import type { Payments } from '#server/platform/payments.ts';
import { finishActJob, olderFinishJob } from '../acts/carry-out.ts';
import { type About, aboutAll, present } from './about.ts';
import { isSettledByHand, wordsOfEvent, wordsOfJob } from './incident-words.ts';
import { namesAndEmailsById, namesById } from '../people/queries-names.ts';

type ParkedEvent = Awaited<ReturnType<typeof parkedEvents>>[number];
type FailedJob = Awaited<ReturnType<Context['queue']['failed']>>[number];

const text = (value: unknown) => (typeof value === 'string' ? value : null);
/** The job's data as text; it holds only ids, since jobs read everything else from the tables. */
const dataText = (data: Record<string, unknown>) => {
  const parts = Object.entries(data).filter(([, value]) => value !== null);
  const told = ([key, value]: [string, unknown]) =>
    `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  return parts.length === 0 ? null : parts.map(told).join(', ');
};

/** The ids that lead to what a job's data is about, but for a person or a team that it names. */
function idsIn({ name, data }: FailedJob): string[] {
  const isAct = name === finishActJob || name === olderFinishJob;
  return present([data['billId'], data['eventId'], data['mailId'], isAct ? data['id'] : null].map(text));
}

function whoIn({ data }: FailedJob): string | null {
  const payer = (data['payer'] ?? {}) as Record<string, unknown>;
  return text(data['teamId'] ?? payer['teamId'] ?? data['userId'] ?? payer['userId']);
}

const idsOf = ({ customerId, subscriptionId, objectId }: ParkedEvent) =>
  present([customerId, subscriptionId, objectId]);
const isDispute = ({ type }: ParkedEvent) => type.startsWith('charge.dispute.');

/** Where a dispute is answered: on its own page, or in the list of all. The sandbox's are none of Stripe's. */
export const disputeAddress = (
  { mode, publishableKey }: Pick<Payments, 'mode' | 'publishableKey'>,
  id: string | null,
) =>
  mode === 'sandbox'
    ? null
    : `https://dashboard.stripe.com/${publishableKey.startsWith('pk_live_') ? '' : 'test/'}disputes${id === null ? '' : `/${id}`}`;

/** Mail that does not leave for an hour. It is gone from the list once the mail server takes it. */
async function mailIncident(context: Context): Promise<Incident[]> {
  const waiting = await waitingMails(context.db, plus(context.now(), -hour));
  if (!waiting) return [];
  const { id, since, count, attempts, error } = waiting;
  return [
    {
      id,
      kind: 'job',
      name: 'mail-waits',
      ...wordsOfJob('mail-waits'),
      who: null,
      amountCents: null,
      answerBy: null,
      answerAt: null,
      toolName: null,
      about: `${count} ${count === 1 ? 'email' : 'emails'}`,
      error,
      attempts,
      canConfirm: false,
      canReplay: false,
      canSettle: false,
      failedAt: plus(since, hour),
    },
  ];
}

/** Parked webhook events and jobs that failed their last attempt, newest first: whom they concern, which tool, what to do. */
export async function listIncidents(context: Context): Promise<Reply<typeof oversightApi.incidents>> {
  const [waiting, events, failed] = await Promise.all([
    mailIncident(context),
    parkedEvents(context.db, incidentLimit),
    context.queue.failed(incidentLimit),
  ]);
  // A parked event is listed as itself, and the job of an event that has since been processed is no incident.
  const eventIds = failed.filter((job) => job.name === eventJob).map((job) => String(job.data['id']));
  const statuses = await statusesOfEvents(context.db, eventIds);
  const jobs = failed.filter((job) => job.name !== eventJob || statuses.get(String(job.data['id'])) === 'pending');
  if (events.length + jobs.length === 0) return { incidents: waiting, warnings: context.env.warnings };
  const known = await aboutAll(context.db, [...events.flatMap(idsOf), ...jobs.flatMap(idsIn)]);
  const about = (who: string | null, ids: string[]) =>
    Object.assign({ who }, ...ids.map((id) => known.get(id))) as About;
  const ofEvent = (event: ParkedEvent) => about(null, idsOf(event));
  const ofJob = (job: FailedJob) => about(whoIn(job), idsIn(job));
  const { names, emails } = await namesAndEmailsById(
    context.db,
    present([...events.map(ofEvent), ...jobs.map(ofJob)].map(({ who }) => who)),
  );
  const said = ({
    who,
    toolId,
    amountCents = null,
    answerBy = null,
  }: About): Pick<Incident, 'who' | 'toolName' | 'amountCents' | 'answerBy'> => ({
    // Teams keep their names, closed or not.
    who: who
      ? {
          userId: emails.has(who) ? who : null,
          teamId: names.has(who) && !emails.has(who) ? who : null,
          name: names.get(who) ?? 'A closed account',
        }
      : null,
    amountCents,
    answerBy,
    toolName: toolId ? (names.get(toolId) ?? toolId) : null,
  });
  const incidents: Incident[] = [
    ...waiting,
    ...events.map((event) => ({
      id: event.id,
      kind: 'webhook' as const,
      name: event.type,
      ...wordsOfEvent(event.type),
      ...said(ofEvent(event)),
      about: event.objectId,
      answerAt: isDispute(event) ? disputeAddress(context.payments, event.objectId) : null,
      error: event.lastError,
      attempts: event.attempts,
      canConfirm: false,
      canReplay: !isDispute(event),
      canSettle: false,
      // A dispute has the day on which it was opened, as everywhere else.
      failedAt: isDispute(event) ? event.occurredAt : event.receivedAt,
    })),
    ...jobs.map((job) => ({
      id: job.id,
      kind: 'job' as const,
      name: job.name,
      ...wordsOfJob(job.name),
      ...said(ofJob(job)),
      answerAt: null,
      about: [ofJob(job).subject, dataText(job.data)].filter(Boolean).join(', ') || null,
      error: job.error,
      attempts: job.attempts,
      canReplay: job.name !== 'mail-refused',
      canConfirm: job.name === erasureJob,
      canSettle: isSettledByHand(job.name),
      failedAt: job.failedAt,
    })),
  ];
  return {
    incidents: incidents.toSorted((a, b) => b.failedAt.getTime() - a.failedAt.getTime()).slice(0, incidentLimit),
    warnings: context.env.warnings,
  };
}

export async function unpaidBills({ db }: Context): Promise<Reply<typeof oversightApi.unpaidBills>> {
  const bills = await forAdministrators.unpaidBills(db, unpaidBillLimit);
  const names = await namesById(db, present(bills.flatMap(({ userId, teamId }) => [userId, teamId])));
  return bills.flatMap(({ id, userId, teamId, graceEnd, problem, totalCents }) => {
    if (!graceEnd) return [];
    const who = { userId, teamId, name: names.get(teamId ?? userId ?? '') ?? 'A closed account' };
    return { id, who, graceEnd, dueCents: problem?.dueCents ?? totalCents, reason: problem?.reason ?? '' };
  });
}
