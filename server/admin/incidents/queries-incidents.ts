import { desc, eq, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { users } from '#shared/schema/accounts.ts';
import { acts } from '#shared/schema/acts.ts';
import { auditLog, toldIncidents } from '#shared/schema/admin.ts';
import { bills, invoices } from '#shared/schema/billing.ts';
import { mails } from '#shared/schema/notifications.ts';
import { toolSubscriptions } from '#shared/schema/subscriptions.ts';
import { teams } from '#shared/schema/teams.ts';
import { toolEvents } from '#shared/schema/tools.ts';
import type { Db } from '#server/platform/data/database.ts';

/** Whom and what something is about, as far as known. */
export type About = { userId?: string | null; teamId?: string | null; toolId?: string | null };
type Found = Map<string, About>;

const found = (rows: (About & { key: string | null })[]): Found =>
  new Map(rows.flatMap(({ key, ...about }) => (key === null ? [] : [[key, about]])));

/** The payers behind these Stripe customers. */
export async function payersOfCustomers(db: Db, ids: string[]): Promise<Found> {
  if (ids.length === 0) return new Map();
  const [people, practices] = await Promise.all([
    db
      .select({ key: users.stripeCustomerId, userId: users.id })
      .from(users)
      .where(inArray(users.stripeCustomerId, ids)),
    db
      .select({ key: teams.stripeCustomerId, teamId: teams.id })
      .from(teams)
      .where(inArray(teams.stripeCustomerId, ids)),
  ]);
  return found([...people, ...practices]);
}

const s = toolSubscriptions;

/** The payers of these Stripe subscriptions, and the tool where it is the only one. */
export async function ofStripeSubscriptions(db: Db, ids: string[]): Promise<Found> {
  if (ids.length === 0) return new Map();
  const toolId = sql<string | null>`case when count(*) = 1 then min(${s.toolId}) end`;
  return found(
    await db
      .select({ key: s.stripeSubscriptionId, userId: s.userId, teamId: s.teamId, toolId })
      .from(s)
      .where(inArray(s.stripeSubscriptionId, ids))
      .groupBy(s.stripeSubscriptionId, s.userId, s.teamId),
  );
}

/** The tool that an invoice is for, where it is for one alone. */
const onlyTool = sql<
  string | null
>`(select case when count(distinct line ->> 'toolId') = 1 then min(line ->> 'toolId') end
  from jsonb_array_elements(${invoices.lines}) line)`;

export async function ofStripeInvoices(db: Db, ids: string[]): Promise<Found> {
  if (ids.length === 0) return new Map();
  const toolId = sql<string | null>`coalesce(${s.toolId}, ${onlyTool})`;
  return found(
    await db
      .select({ key: invoices.stripeInvoiceId, userId: invoices.userId, teamId: invoices.teamId, toolId })
      .from(invoices)
      .leftJoin(s, eq(s.id, invoices.subscriptionId))
      .where(inArray(invoices.stripeInvoiceId, ids)),
  );
}

/** The payers of these bills. */
export async function ofBills(db: Db, ids: string[]): Promise<Found> {
  if (ids.length === 0) return new Map();
  const about = { key: bills.id, userId: bills.userId, teamId: bills.teamId };
  return found(await db.select(about).from(bills).where(inArray(bills.id, ids)));
}

/** Whom these events to tools are about, and which tool they go to. */
export async function ofToolEvents(db: Db, ids: string[]): Promise<Found> {
  if (ids.length === 0) return new Map();
  const about = { key: toolEvents.id, userId: toolEvents.userId, toolId: toolEvents.toolId };
  return found(await db.select(about).from(toolEvents).where(inArray(toolEvents.id, ids)));
}

/** The accounts these mails are addressed to, where there is one, and their subjects. */
export async function ofMails(db: Db, ids: string[]): Promise<Map<string, About & { subject: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: mails.id, subject: mails.subject, userId: users.id })
    .from(mails)
    .leftJoin(users, eq(sql`lower(${users.email})`, mails.toAddress))
    .where(inArray(mails.id, ids));
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

const ofInvoice = alias(toolSubscriptions, 'of_invoice');

/** Whom these acts concern; their subject is a person, a team, a subscription or an invoice. */
export async function ofActs(db: Db, ids: string[]): Promise<Found> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<{ key: string } & About>(
    sql`select asked.id as key, coalesce(${users.id}, ${s.userId}, ${invoices.userId}) as "userId",
          coalesce(${teams.id}, ${s.teamId}, ${invoices.teamId}) as "teamId", coalesce(${s.toolId}, ${ofInvoice.toolId}, ${onlyTool}) as "toolId"
        from ${acts} asked
        left join ${users} on ${users.id} = asked.subject_id
        left join ${teams} on ${teams.id} = asked.subject_id
        left join ${s} on ${s.id} = asked.subject_id
        left join ${invoices} on ${invoices.id} = asked.subject_id
        left join ${s} ${ofInvoice} on ${ofInvoice.id} = ${invoices.subscriptionId}
        where asked.id = any(${sql.param(ids)}::uuid[])`,
  );
  return found(rows);
}

/** The payers of these disputed payments and the invoices paid, from the newest 1,000 disputes in the audit log. */
export async function ofDisputes(db: Db, ids: string[]): Promise<Map<string, About & { invoice: string | null }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ type: auditLog.subjectType, id: auditLog.subjectId, after: auditLog.after })
    .from(auditLog)
    .where(eq(auditLog.action, 'billing.payment_disputed'))
    .orderBy(desc(auditLog.createdAt))
    .limit(1000);
  return new Map(
    rows.flatMap(({ type, id, after }) => {
      const dispute = String(after?.['dispute']);
      if (!ids.includes(dispute)) return [];
      const invoice = typeof after?.['invoice'] === 'string' ? after['invoice'] : null;
      return [[dispute, type === 'team' ? { teamId: id, invoice } : { userId: id, invoice }] as const];
    }),
  );
}

const t = toldIncidents;

/** When administrators were last told of an incident; null if never. */
export const lastTold = async (db: Db): Promise<Date | null> =>
  (await db.select({ at: t.toldAt }).from(t).orderBy(desc(t.toldAt)).limit(1))[0]?.at ?? null;

/** Notes these as told; returns those that were not yet. */
export async function noteTold(tx: Db, ids: string[], at: Date): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .insert(t)
    .values(ids.map((id) => ({ id, toldAt: at })))
    .onConflictDoNothing()
    .returning({ id: t.id });
  return new Set(rows.map(({ id }) => id));
}
