import { eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { HappeningKind } from '#shared/api/operators/admin-person.ts';
import { adjustmentNotes, invoices, stripeEvents } from '#shared/schema/billing.ts';
import { toolUsage } from '#shared/schema/usage.ts';
import { catalogueTool } from '#server/catalogue/service.ts';
import { type Db, pick } from '#server/platform/data/database.ts';

/** Whose timeline: a person's, or that of a team that pays. */
export type TimelineOf = ({ kind: 'user'; userId: string; email: string } | { kind: 'team'; teamId: string }) & {
  /** The customer at Stripe, if there is one. */
  customerId: string | null;
};
type Asked = {
  of: TimelineOf;
  before: string | undefined;
  kind: HappeningKind | undefined;
  limit: number;
};
/** `key` is the row's own id; `id`, a uuid for every kind, orders rows of the same moment. */
type Place = { kind: HappeningKind; id: string; key: string; at: Date; place: string };

/**
 * What happened to a person or a team, newest first: at most `limit`, each kind read from its index; Stripe's events only where
 * they are asked for. `before` is the place of the last row seen, to the microsecond, which a Date would lose.
 */
export async function happenings(db: Db, { of, before, kind, limit }: Asked): Promise<Place[]> {
  const id = of.kind === 'user' ? of.userId : of.teamId;
  const paid = of.kind === 'user' ? sql`user_id = ${id}` : sql`team_id = ${id}`;
  const [time, lastId] = before?.split('_') ?? ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
  const newest = (what: HappeningKind, at: string, from: SQL, key = 'id', place = key) => ({
    of: what,
    branch: sql`(
    select ${what}::text as kind, ${sql.raw(place)} as id, ${sql.raw(key)}::text as key, ${sql.raw(at)} as at ${from}
      and ${sql.raw(at)} <= ${time}::timestamptz and (${sql.raw(at)}, ${sql.raw(place)}) < (${time}::timestamptz, ${lastId}::uuid)
    order by ${sql.raw(at)} desc, ${sql.raw(place)} desc limit ${limit}
  )`,
  });
  const all: { of: HappeningKind; branch: SQL }[] = [
    // Done to them or to one of their subscriptions. What a person did to themselves is found twice; the union keeps one.
    newest(
      'act',
      'created_at',
      sql`from audit_log where subject_id = any(array(
        select id::text from tool_subscriptions where ${paid} union all select ${id}::text
      ))`,
    ),
    newest('invoice', 'issued_at', sql`from invoices where ${paid}`),
    newest(
      'adjustment_note',
      'note.issued_at',
      sql`from adjustment_notes note join invoices on invoices.id = note.invoice_id where invoices.${paid}`,
      'note.id',
    ),
    newest(
      'stripe',
      'occurred_at',
      sql`from stripe_events where customer_id = ${of.customerId} and status <> 'ignored'`,
      'id',
      'md5(id)::uuid',
    ),
  ];
  if (of.kind === 'user')
    all.push(
      newest('act', 'created_at', sql`from audit_log where actor_id = ${id}`),
      newest('session', 'created_at', sql`from tool_usage where user_id = ${id}`),
      // If somebody else had this address before, only mails since it became this person's.
      newest(
        'mail',
        'created_at',
        sql`from mails where to_address = ${of.email} and (created_at >= coalesce(
          (select max(confirmed_at) from email_changes where user_id = ${id} and to_email = ${of.email}),
          (select created_at from users where id = ${id})
        ) or not exists (
          select from email_changes where from_email = ${of.email} and user_id <> ${id} and confirmed_at is not null
        ))`,
      ),
    );
  const branches = all
    .filter((one) => (kind === undefined ? one.of !== 'stripe' : one.of === kind))
    .map(({ branch }) => branch);
  const { rows } = await db.execute<Omit<Place, 'at'>>(sql`
    select kind, id, key, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z_"') || id as place
    from (${sql.join(branches, sql` union `)}) as found
    order by at desc, id desc limit ${limit}`);
  return rows.map((row) => ({ ...row, at: new Date(row.place.split('_')[0]!) }));
}

export const stripeEventsById = (db: Db, ids: string[]) =>
  db
    .select(pick(stripeEvents, 'id', 'type', 'status', 'lastError'))
    .from(stripeEvents)
    .where(inArray(stripeEvents.id, ids));

export const notesById = (db: Db, ids: string[]) =>
  db
    .select({ note: adjustmentNotes, invoice: { number: invoices.number, description: invoices.description } })
    .from(adjustmentNotes)
    .innerJoin(invoices, eq(invoices.id, adjustmentNotes.invoiceId))
    .where(inArray(adjustmentNotes.id, ids));

export const sessionsById = (db: Db, ids: string[]) =>
  db
    .select({
      id: toolUsage.id,
      toolName: catalogueTool.name,
      ...pick(toolUsage, 'reports', 'durationSeconds', 'endedAt'),
    })
    .from(toolUsage)
    .innerJoin(catalogueTool, eq(catalogueTool.id, toolUsage.toolId))
    .where(inArray(toolUsage.id, ids));
