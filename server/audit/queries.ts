import { and, desc, eq, inArray } from 'drizzle-orm';
import { auditLog } from '#shared/schema/admin.ts';
import type { Db } from '#server/platform/data/database.ts';

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
    .select({
      id: auditLog.id,
      action: auditLog.action,
      after: auditLog.after,
      ip: auditLog.ip,
      device: auditLog.device,
      createdAt: auditLog.createdAt,
    })
    .from(auditLog)
    .where(and(eq(auditLog.subjectId, userId), inArray(auditLog.action, signIns)))
    .orderBy(desc(auditLog.createdAt), auditLog.id)
    .limit(limit);

/** Whether anybody has ever signed in to this account. */
export const wasSignedIn = async (db: Db, userId: string): Promise<boolean> =>
  (
    await db
      .select({ id: auditLog.id })
      .from(auditLog)
      .where(and(eq(auditLog.subjectId, userId), eq(auditLog.action, 'account.signed_in')))
      .limit(1)
  ).length > 0;
