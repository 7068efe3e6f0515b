import { and, asc, desc, eq, gt, inArray, lt, lte, notInArray, or, sql } from 'drizzle-orm';
import type { AuditFilters } from '#shared/api/operators/oversight.ts';
import { auditLog } from '#shared/schema/admin.ts';
import { type Db, pick } from '#server/platform/data/database.ts';

const signIns = [
  'account.signed_in',
  'account.sign_in_failed',
  'account.sign_in_throttled',
  'account.sign_in_refused',
  'account.signed_out',
];

/** The newest sign-ins to this account, refused attempts and sign-outs. */
export const signInsOf = (db: Db, userId: string, limit: number) =>
  db
    .select(pick(auditLog, 'id', 'action', 'after', 'ip', 'device', 'createdAt'))
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, userId), inArray(auditLog.action, signIns)))
    .orderBy(desc(auditLog.createdAt), auditLog.id)
    .limit(limit);

export const wasSignedIn = async (db: Db, userId: string): Promise<boolean> =>
  (
    await db
      .select({ id: auditLog.id })
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, userId), eq(auditLog.action, 'account.signed_in')))
      .limit(1)
  ).length > 0;

/** Who did one of these to this person since then. */
export const actorsOn = async (db: Db, userId: string, actions: readonly string[], since: Date): Promise<string[]> => {
  const { actorId, subjectId, action, createdAt } = auditLog;
  const rows = await db
    .selectDistinct({ actorId })
    .from(auditLog)
    .where(and(eq(subjectId, userId), inArray(action, [...actions]), gt(createdAt, since)));
  return rows.flatMap(({ actorId: id }) => id ?? []);
};

/** To which of these people this one did so. */
export const actedOn = async (
  db: Db,
  userIds: string[],
  actor: string,
  actions: readonly string[],
  since: Date,
): Promise<string[]> => {
  const { actorId, subjectId, action, createdAt } = auditLog;
  const rows = await db
    .selectDistinct({ subjectId })
    .from(auditLog)
    .where(and(inArray(subjectId, userIds), eq(actorId, actor), inArray(action, [...actions]), gt(createdAt, since)));
  return rows.flatMap(({ subjectId: id }) => id ?? []);
};

/** What was done to this one by these actions, the oldest first. */
export const auditTrailOf = (db: Db, subjectId: string, actions: readonly string[]) =>
  db
    .select({
      ...pick(auditLog, 'action', 'actorId', 'after'),
      at: auditLog.createdAt,
    })
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, subjectId), inArray(auditLog.action, [...actions])))
    .orderBy(asc(auditLog.createdAt), auditLog.id);

const matching = ({ actor, action, subject, without }: AuditFilters) =>
  and(
    without === undefined ? undefined : notInArray(auditLog.action, signIns),
    actor === undefined ? undefined : eq(auditLog.actorId, actor),
    action === undefined ? undefined : eq(auditLog.action, action),
    subject === undefined ? undefined : eq(auditLog.subjectId, subject),
  );

type LastRow = { createdAt: Date; id: string };

/** Newest first; `after` is the last row of the previous batch. */
export const auditRows = (
  db: Db,
  filters: AuditFilters,
  { limit, start = 0, after }: { limit: number; start?: number; after?: LastRow | undefined },
) => {
  const rest =
    after &&
    and(
      lte(auditLog.createdAt, after.createdAt),
      or(lt(auditLog.createdAt, after.createdAt), gt(auditLog.id, after.id)),
    );
  return db
    .select()
    .from(auditLog)
    .where(and(matching(filters), rest))
    .orderBy(desc(auditLog.createdAt), auditLog.id)
    .limit(limit)
    .offset(start);
};

/** What was done to any of these, newest first, but by administrators of the product. */
const doneTo = (subjectIds: string[]) =>
  and(inArray(auditLog.subjectId, subjectIds), sql`${auditLog.action} not like 'admin.%'`);
export const auditRowsOn = (db: Db, subjectIds: string[], { limit, start }: { limit: number; start: number }) =>
  db
    .select()
    .from(auditLog)
    .where(doneTo(subjectIds))
    .orderBy(desc(auditLog.createdAt), auditLog.id)
    .limit(limit)
    .offset(start);
export const countAuditOn = (db: Db, subjectIds: string[]) => db.$count(auditLog, doneTo(subjectIds));

export const auditRowsById = (db: Db, ids: string[]) =>
  db.select().from(auditLog).where(inArray(auditLog.id, ids)).orderBy(desc(auditLog.createdAt), auditLog.id);

export const countAudit = (db: Db, filters: AuditFilters, most: number) =>
  db.$count(db.select({ id: auditLog.id }).from(auditLog).where(matching(filters)).limit(most).as('some'));

/** Every action in the log. Skips through the index: one step per action, not per row. */
export async function knownActions(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ action: string }>(sql`
    with recursive known as (
      (select action from ${auditLog} order by action limit 1)
      union all
      select (select next.action from ${auditLog} as next where next.action > known.action order by next.action limit 1)
      from known where known.action is not null
    )
    select action from known where action is not null`);
  return rows.map((row) => row.action);
}

/**
 * Whom these disputed payments are about, the invoices at Stripe that they paid, and until when they can be answered, by dispute: read
 * from the newest 1,000 lines about disputes.
 */
export async function disputesKnownAs(db: Db, ids: string[]) {
  const newest = db
    .select({ subjectId: auditLog.subjectId, after: auditLog.after })
    .from(auditLog)
    .where(eq(auditLog.action, 'billing.payment_disputed'))
    .orderBy(desc(auditLog.createdAt))
    .limit(1000);
  const rows = ids.length === 0 ? [] : await newest;
  return new Map(
    // The newest line of a dispute is the one that holds.
    rows.toReversed().flatMap(({ subjectId, after }) => {
      const { dispute, invoice, answerBy, amountCents } = after ?? {};
      if (typeof dispute !== 'string' || !ids.includes(dispute)) return [];
      const about = {
        who: subjectId,
        invoice: typeof invoice === 'string' ? invoice : null,
        answerBy: typeof answerBy === 'string' ? new Date(answerBy) : null,
        amountCents: typeof amountCents === 'number' ? amountCents : null,
      };
      return [[dispute, about] as const];
    }),
  );
}
