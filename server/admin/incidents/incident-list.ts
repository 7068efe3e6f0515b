import type { Reply } from '#shared/api/endpoint.ts';
import type { Incident, oversightApi } from '#shared/api/oversight.ts';
import { incidentLimit } from '#shared/rules/operators/admin.ts';
import { eventJob, parkedEvents, statusesOfEvents } from '#server/billing/service.ts';
import { erasureJob } from '#server/tools/service.ts';
import type { Context } from '#server/platform/context.ts';
import { finishActJob, olderFinishJob } from '../acts/carry-out.ts';
import { isSettledByHand, wordsOfEvent, wordsOfJob } from './incident-words.ts';
import {
  type About,
  ofActs,
  ofBills,
  ofDisputes,
  ofMails,
  ofStripeInvoices,
  ofStripeSubscriptions,
  ofToolEvents,
  payersOfCustomers,
} from './queries-incidents.ts';
import { namesById } from '../people/queries-names.ts';

type ParkedEvent = Awaited<ReturnType<typeof parkedEvents>>[number];
type FailedJob = Awaited<ReturnType<Context['queue']['failed']>>[number];

const text = (value: unknown) => (typeof value === 'string' ? value : null);
const present = (values: (string | null | undefined)[]) => [
  ...new Set(values.filter((value) => typeof value === 'string')),
];

/** The job's data as text; it holds only ids, since jobs read everything else from the tables. */
const aboutOf = (data: Record<string, unknown>) => {
  const parts = Object.entries(data).filter(([, value]) => value !== null);
  const told = ([key, value]: [string, unknown]) =>
    `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  return parts.length === 0 ? null : parts.map(told).join(', ');
};

/** The ids in a job's data that lead to a person, a team or a tool; `payer`, where given, names a person or a team. */
function namedBy({ name, data }: FailedJob) {
  const payer = (data['payer'] ?? {}) as Record<string, unknown>;
  return {
    userId: text(data['userId'] ?? payer['userId']),
    teamId: text(data['teamId'] ?? payer['teamId']),
    bill: text(data['billId']),
    event: text(data['eventId']),
    mail: text(data['mailId']),
    act: name === finishActJob || name === olderFinishJob ? text(data['id']) : null,
  };
}

/** Whom and what each incident is about; the number of queries does not grow with that of incidents. */
async function aboutAll({ db }: Context, events: ParkedEvent[], jobs: FailedJob[]) {
  const named = new Map(jobs.map((job) => [job.id, namedBy(job)]));
  const all = [...named.values()];
  const disputes = await ofDisputes(
    db,
    present(events.filter(({ type }) => type.startsWith('charge.dispute.')).map(({ objectId }) => objectId)),
  );
  const [customers, subscriptions, invoices, bills, toolEvents, mails, acted] = await Promise.all([
    payersOfCustomers(db, present(events.map(({ customerId }) => customerId))),
    ofStripeSubscriptions(db, present(events.map(({ subscriptionId }) => subscriptionId))),
    ofStripeInvoices(db, present([...disputes.values()].map(({ invoice }) => invoice))),
    ofBills(db, present(all.map(({ bill }) => bill))),
    ofToolEvents(db, present(all.map(({ event }) => event))),
    ofMails(db, present(all.map(({ mail }) => mail))),
    ofActs(db, present(all.map(({ act }) => act))),
  ]);
  const ofEvent = (event: ParkedEvent): About => {
    const dispute = disputes.get(event.objectId ?? '');
    return {
      ...customers.get(event.customerId ?? ''),
      ...subscriptions.get(event.subscriptionId ?? ''),
      ...dispute,
      ...invoices.get(dispute?.invoice ?? ''),
    };
  };
  const ofJob = (job: FailedJob): About => {
    const { userId, teamId, bill, event, mail, act } = named.get(job.id)!;
    const found = bills.get(bill ?? '') ?? toolEvents.get(event ?? '') ?? mails.get(mail ?? '') ?? acted.get(act ?? '');
    return { userId, teamId, ...found };
  };
  return { ofEvent, ofJob, subjectOf: (job: FailedJob) => mails.get(named.get(job.id)?.mail ?? '')?.subject ?? null };
}

/** Parked webhook events and jobs that failed their last attempt, newest first: whom they concern, which tool, what to do. */
export async function listIncidents(context: Context): Promise<Reply<typeof oversightApi.incidents>> {
  const [events, failed] = await Promise.all([
    parkedEvents(context.db, incidentLimit),
    context.queue.failed(incidentLimit),
  ]);
  // A parked event is listed as itself, and the job of an event that has since been processed is no incident.
  const eventIds = failed.filter((job) => job.name === eventJob).map((job) => String(job.data['id']));
  const statuses = await statusesOfEvents(context.db, eventIds);
  const jobs = failed.filter((job) => job.name !== eventJob || statuses.get(String(job.data['id'])) === 'pending');
  if (events.length + jobs.length === 0) return { incidents: [], warnings: context.env.warnings };
  const { ofEvent, ofJob, subjectOf } = await aboutAll(context, events, jobs);
  const names = await namesById(
    context.db,
    present([...events.map(ofEvent), ...jobs.map(ofJob)].flatMap(({ userId, teamId }) => [userId, teamId])),
  );
  const said = ({ userId, teamId, toolId }: About): Pick<Incident, 'who' | 'toolName'> => {
    const name = names.get(teamId ?? userId ?? '');
    const gone = teamId || userId ? { userId: null, name: teamId ? 'A closed team' : 'A closed account' } : null;
    return {
      who: name === undefined ? gone : { userId: teamId ? null : (userId ?? null), name },
      toolName: toolId ? (names.get(toolId) ?? toolId) : null,
    };
  };
  const incidents: Incident[] = [
    ...events.map((event) => ({
      id: event.id,
      kind: 'webhook' as const,
      name: event.type,
      ...wordsOfEvent(event.type),
      ...said(ofEvent(event)),
      about: event.objectId,
      error: event.lastError,
      attempts: event.attempts,
      canConfirm: false,
      canReplay: !event.type.startsWith('charge.dispute.'),
      canSettle: false,
      failedAt: event.receivedAt,
    })),
    ...jobs.map((job) => ({
      id: job.id,
      kind: 'job' as const,
      name: job.name,
      ...wordsOfJob(job.name),
      ...said(ofJob(job)),
      about: [subjectOf(job), aboutOf(job.data)].filter(Boolean).join(', ') || null,
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
