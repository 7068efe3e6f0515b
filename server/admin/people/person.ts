import type { adminApi } from '#shared/api/admin.ts';
import type { HappeningKind } from '#shared/api/admin-person.ts';
import type { Reply } from '#shared/api/endpoint.ts';
import { adminPageSize } from '#shared/rules/operators/admin.ts';
import { spentText } from '#shared/rules/record/analytics.ts';
import { formatSydneyDate } from '#shared/rules/dates.ts';
import { formatCents } from '#shared/rules/billing/money.ts';
import { sayEvent } from '#server/billing/service.ts';
import { type InvoiceRow, invoicesKnownAs } from '#server/invoices/service.ts';
import { mailsById } from '#server/notifications/service.ts';
import { requirePayerFacts, userPayer } from '#server/payers/service.ts';
import { findListed } from '#server/people/service.ts';
import { rights } from '#server/subscriptions/service.ts';
import { myTeams } from '#server/teams/service.ts';
import { AppError } from '#server/platform/http/app-error.ts';
import type { Context } from '#server/platform/context.ts';
import { auditRowsOf } from '../incidents/audit-log.ts';
import { happenings, notesById, sessionsById, stripeEventsById, type TimelineOf } from './queries-timeline.ts';

async function openAccount({ db }: Context, id: string) {
  const user = await findListed(db, id);
  if (!user) throw new AppError('user_not_found');
  return user;
}

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
  return { user, card, subscriptions, teams };
}

type Told = { sentence: string; details: string[] };

const standing: Record<string, string> = {
  open: 'not paid yet',
  void: 'cancelled',
  uncollectible: 'written off',
};

const times = (quantity: number) => (quantity === 1 ? '' : ` × ${quantity}`);

/** Explains a charge: each line, each discount, the GST. */
function tellInvoice(row: InvoiceRow): Told {
  const paid = row.paidAt === null ? 'paid' : `paid on ${formatSydneyDate(row.paidAt)}`;
  return {
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

const tellNote = ({ note, invoice }: Awaited<ReturnType<typeof notesById>>[number]): Told => ({
  sentence: `Adjustment note ${note.number}: ${formatCents(note.totalCents)} off invoice ${invoice.number ?? ''} for ${invoice.description}.`,
  details: [`GST: ${formatCents(note.gstCents)}`, ...(note.reason === null ? [] : [`Reason: ${note.reason}`])],
});

const tellMail = (mail: Awaited<ReturnType<typeof mailsById>>[number]): Told => ({
  sentence: `Email “${mail.subject}” to ${mail.toAddress}, ${mail.sentAt === null ? 'not sent yet' : 'sent'}.`,
  details: mail.sentAt === null && mail.lastError !== null ? [`${mail.attempts} tries; ${mail.lastError}`] : [],
});

const tellStripe = ({ type, status, lastError }: Awaited<ReturnType<typeof stripeEventsById>>[number]): Told => ({
  sentence: `Stripe: ${sayEvent(type) ?? type}.`,
  details: [
    ...(sayEvent(type) === null ? [] : [type]),
    ...(status === 'parked' ? [`Waits under Incidents: ${lastError ?? 'unknown fault'}`] : []),
    ...(status === 'pending' ? ['Not worked yet'] : []),
  ],
});

const tellSession = (session: Awaited<ReturnType<typeof sessionsById>>[number]): Told => ({
  sentence: `Opened ${session.toolName}.`,
  details:
    session.reports === 0
      ? []
      : [`${session.reports} ${session.reports === 1 ? 'report' : 'reports'}, ${spentText(session.durationSeconds)}`],
});

type Wanted = { before?: string | undefined; kind?: HappeningKind | undefined };

/** `GET /api/admin/users/:id/timeline` */
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
  const { db } = context;
  const [acts, invoices, notes, mails, sessions, events] = await Promise.all([
    auditRowsOf(context, ids('act')),
    invoicesKnownAs(db, ids('invoice')),
    notesById(db, ids('adjustment_note')),
    mailsById(db, ids('mail')),
    sessionsById(db, ids('session')),
    stripeEventsById(db, ids('stripe')),
  ]);
  const told = new Map<string, Told>([
    ...acts.map((row) => [row.id, row] as const),
    ...invoices.map((row) => [row.id, tellInvoice(row)] as const),
    ...notes.map((row) => [row.note.id, tellNote(row)] as const),
    ...mails.map((row) => [row.id, tellMail(row)] as const),
    ...sessions.map((row) => [row.id, tellSession(row)] as const),
    ...events.map((row) => [row.id, tellStripe(row)] as const),
  ]);
  return {
    rows: places.flatMap(({ id, key, kind: what, at }) => {
      const row = told.get(key);
      return row ? [{ id, kind: what, at, sentence: row.sentence, details: row.details }] : [];
    }),
    older: found.length > places.length ? places.at(-1)!.place : null,
  };
}
