import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/database.ts';

export const recountSources = ['subscriptions', 'invoices', 'notes', 'deleted notes'] as const;
export type RecountSource = (typeof recountSources)[number];

/** The last id of the batch, null at the end; and the ids of what had to be mended. */
export type Recounted = { last: string | null; mended: string[] };

type Ids = { id: string; recent: boolean }[];

const idsOf = (rows: Ids) => rows.filter(({ recent }) => recent).map(({ id }) => id);
const lastOf = (rows: Ids, limit: number) => (rows.length < limit ? null : rows.at(-1)!.id);

async function read(tx: Db, statement: ReturnType<typeof sql>): Promise<Ids> {
  return (await tx.execute<{ id: string; recent: boolean }>(statement)).rows;
}
const mendedBy = async (tx: Db, statement: ReturnType<typeof sql>) =>
  (await tx.execute<{ id: string }>(statement)).rows.map(({ id }) => id);

/** Locks the rows, so that no trigger can note the same change at once, and notes each again: a no-op where nothing is missing. */
async function subscriptions(tx: Db, after: string, since: Date, limit: number): Promise<Recounted> {
  const rows = await read(
    tx,
    sql`select id, updated_at >= ${since} and status <> 'incomplete' as recent from tool_subscriptions
      where id > ${after} order by id limit ${limit}`,
  );
  const ids = sql`${`{${idsOf(rows).join()}}`}::uuid[]`;
  await tx.execute(sql`select from tool_subscriptions where id = any(${ids}) order by id for no key update`);
  const { rows: newest } = await tx.execute<{ id: string }>(
    sql`select coalesce(max(id), 0)::text as id from subscription_changes`,
  );
  await tx.execute(sql`select note_subscription(s, false) from tool_subscriptions s where id = any(${ids})`);
  const mended = await mendedBy(
    tx,
    sql`select distinct subscription_id::text as id from subscription_changes
      where id > ${newest[0]!.id}::bigint and subscription_id = any(${ids})`,
  );
  return { last: lastOf(rows, limit), mended };
}

async function invoices(tx: Db, after: string, since: Date, limit: number): Promise<Recounted> {
  const rows = await read(
    tx,
    sql`select id, updated_at >= ${since} as recent from invoices where id > ${after} order by id limit ${limit}`,
  );
  const mended = await mendedBy(
    tx,
    sql`with wrong as materialized (
      select i from invoices i left join revenue_documents kept on kept.document_id = i.id
      where i.id = any(${`{${idsOf(rows).join()}}`}::uuid[]) and (kept.cents, kept.gst_cents) is distinct from
        (case when i.status = 'void' then 0 else i.total_cents end, case when i.status = 'void' then 0 else i.gst_cents end)
      for share of i
    ) select (i).id::text as id, note_invoice(i) from wrong`,
  );
  return { last: lastOf(rows, limit), mended };
}

async function notes(tx: Db, after: string, since: Date, limit: number): Promise<Recounted> {
  const rows = await read(
    tx,
    sql`select id, issued_at >= ${since} as recent from adjustment_notes where id > ${after} order by id limit ${limit}`,
  );
  const mended = await mendedBy(
    tx,
    sql`with wrong as materialized (
      select n from adjustment_notes n left join revenue_documents kept on kept.document_id = n.id
      where n.id = any(${`{${idsOf(rows).join()}}`}::uuid[])
        and (kept.cents, kept.gst_cents) is distinct from (n.total_cents, n.gst_cents)
      for share of n
    ) select (n).id::text as id, note_adjustment(n) from wrong`,
  );
  return { last: lastOf(rows, limit), mended };
}

/** Notes that were deleted because their refund failed after all, but are still counted. */
async function deletedNotes(tx: Db, after: string, _since: Date, limit: number): Promise<Recounted> {
  const rows = await read(
    tx,
    sql`select document_id as id, kind = 'note' and cents <> 0 as recent from revenue_documents
      where document_id > ${after} order by document_id limit ${limit}`,
  );
  const mended = await mendedBy(
    tx,
    sql`update revenue_documents set cents = 0, gst_cents = 0, stale = true
      where document_id = any(${`{${idsOf(rows).join()}}`}::uuid[])
        and not exists (select from adjustment_notes where id = document_id)
      returning document_id::text as id`,
  );
  return { last: lastOf(rows, limit), mended };
}

/** Compares a batch of the rows changed since then with what was noted of them, and notes what is missing. */
export const recountBatch: Record<
  RecountSource,
  (tx: Db, after: string, since: Date, limit: number) => Promise<Recounted>
> = { subscriptions, invoices, notes, 'deleted notes': deletedNotes };

/** Whether all that was there before the triggers has been taken in: until then, what is missing is no gap. */
export async function isTakenIn(tx: Db): Promise<boolean> {
  const { rows } = await tx.execute<{ done: boolean }>(
    sql`select count(*) = 3 and coalesce(every(done), false) as done from business_backfill`,
  );
  return rows[0]?.done === true;
}
