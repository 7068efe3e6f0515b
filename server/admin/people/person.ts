import type { adminApi } from '#shared/api/operators/admin.ts';
import { type HappeningKind, happeningKinds } from '#shared/api/operators/admin-person.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { listsOf } from '#shared/rules/people/profile.ts';
import { adminPageSize } from '#shared/rules/operators/admin.ts';
import { spentText } from '#shared/rules/record/analytics.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { sayEvent } from '#server/billing/service.ts';
import { type InvoiceRow, invoicesKnownAs } from '#server/invoices/service.ts';
import { mailsById } from '#server/notifications/service.ts';
import { requirePayerFacts, userPayer } from '#server/payers/service.ts';
import { listedPeople } from '#server/people/service.ts';
import { rights } from '#server/subscriptions/service.ts';
import { myTeams } from '#server/teams/service.ts';
import { orRefuse } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { auditRowsOf } from '../incidents/audit-log.ts';
import { happenings, notesById, sessionsById, stripeEventsById, type TimelineOf } from './queries-timeline.ts';

const openAccount = ({ db }: Context, id: string) => orRefuse(listedPeople.find(db, id), 'user_not_found');

export const openPayer = async (context: Context, id: string) => userPayer((await openAccount(context, id)).id);

/** `GET /api/admin/users/:id`: an open account. */
export async function showPerson(context: Context, id: string): Promise<Reply<typeof adminApi.user>> {
  const user = await openAccount(context, id);
  const [{ card }, subscriptions, { ownedTeams, memberOf }] = await Promise.all([
    requirePayerFacts(context.db, userPayer(id)),
    rights.subscriptionsOf(context, id),
    myTeams(context, id),
  ]);
  const teams = [...ownedTeams, ...(memberOf ? [memberOf] : [])];
  return { user: { ...user, ...listsOf(user), ownsTeam: ownedTeams.length > 0 }, card, subscriptions, teams };
}

type Told = { id: string; sentence: string; details: string[] };

const standing: Record<string, string> = {
  open: 'not paid yet',
  void: 'cancelled',
  uncollectible: 'written off',
};

const times = (quantity: number) => (quantity === 1 ? '' : ` × ${quantity}`);

function tellInvoice(row: InvoiceRow): Told {
  const paid = row.paidAt === null ? 'paid' : `paid on ${formatSydneyDate(row.paidAt)}`;
  return {
    id: row.id,
    sentence: `Invoice ${row.number ?? 'without a number'} for ${row.description}: ${formatCents(row.totalCents)}, ${standing[row.status] ?? paid}.`,
    details: [
      ...row.lines.flatMap(({ description, quantity, cents, discounts = [], discountCents = 0 }) => [
        `${description}${times(quantity)}: ${formatCents(cents)}`,
        ...discounts.map((discount) => `${discount.label}: ${formatCents(-discount.cents)}`),
        ...(discounts.length === 0 && discountCents > 0 ? [`Discount: ${formatCents(-discountCents)}`] : []),
      ]),
      `GST: ${formatCents(row.gstCents)}`,
      ...(row.totalCents !== row.amountPaidCents + row.dueCents && row.status === 'paid'
        ? [`Charged to the card: ${formatCents(row.amountPaidCents)}`]
        : []),
      ...(row.dueCents > 0 && row.status === 'open' ? [`Amount due: ${formatCents(row.dueCents)}`] : []),
    ],
  };
}

const tellers: Record<HappeningKind, (context: Context, ids: string[]) => Promise<Told[]>> = {
  act: auditRowsOf,
  invoice: async ({ db }, ids) => (await invoicesKnownAs(db, ids)).map(tellInvoice),
  adjustment_note: async ({ db }, ids) =>
    (await notesById(db, ids)).map(({ note, invoice }) => ({
      id: note.id,
      sentence: `Adjustment note ${note.number}: ${formatCents(note.totalCents)} off invoice ${invoice.number ?? ''} for ${invoice.description}.`,
      details: [`GST: ${formatCents(note.gstCents)}`, ...(note.reason === null ? [] : [`Reason: ${note.reason}`])],
    })),
  mail: async ({ db }, ids) =>
    (await mailsById(db, ids)).map(({ id, subject, toAddress, sentAt, lastError, attempts }) => ({
      id,
      sentence: `Email “${subject}” to ${toAddress}, ${sentAt === null ? 'not sent yet' : 'sent'}.`,
      details: sentAt === null && lastError !== null ? [`${attempts} tries; ${lastError}`] : [],
    })),
  stripe: async ({ db }, ids) =>
    (await stripeEventsById(db, ids)).map(({ id, type, status, lastError }) => ({
      id,
      sentence: `Stripe: ${sayEvent(type) ?? type}.`,
      details: [
        ...(sayEvent(type) === null ? [] : [type]),
        ...(status === 'parked' ? [`Waits under Incidents: ${lastError ?? 'unknown fault'}`] : []),
        ...(status === 'pending' ? ['Not worked yet'] : []),
      ],
    })),
  session: async ({ db }, ids) =>
    (await sessionsById(db, ids)).map(({ id, toolName, reports, durationSeconds }) => ({
      id,
      sentence: `Opened ${toolName}.`,
      details:
        reports === 0 ? [] : [`${reports} ${reports === 1 ? 'report' : 'reports'}, ${spentText(durationSeconds)}`],
    })),
};

type Wanted = { before?: string | undefined; kind?: HappeningKind | undefined };

export async function userTimeline(context: Context, id: string, wanted: Wanted) {
  const { email, stripeCustomerId: customerId } = await openAccount(context, id);
  return timelineOf(context, { kind: 'user', userId: id, email, customerId }, wanted);
}

/** A page of what happened to a person or a team, newest first. */
export async function timelineOf(
  context: Context,
  of: TimelineOf,
  { before, kind }: Wanted,
): Promise<Reply<typeof adminApi.userTimeline>> {
  const found = await happenings(context.db, { of, before, kind, limit: adminPageSize + 1 });
  const places = found.slice(0, adminPageSize);
  const ids = (what: HappeningKind) => places.filter((place) => place.kind === what).map(({ key }) => key);
  const told = await Promise.all(happeningKinds.map((what) => tellers[what](context, ids(what))));
  const byId = new Map(told.flat().map((row) => [row.id, row]));
  return {
    rows: places.flatMap(({ id, key, kind: what, at }) => {
      const row = byId.get(key);
      return row ? [{ id, kind: what, at, sentence: row.sentence, details: row.details }] : [];
    }),
    older: found.length > places.length ? places.at(-1)!.place : null,
  };
}
