import { auditLog } from '#shared/schema/admin.ts';
import type { Db } from '#server/platform/database.ts';

/** Actions are `noun.verb`, such as `account.registered`. */
export type AuditEntry = {
  action: `${string}.${string}`;
  actorId: string | null;
  subjectType?: 'user' | 'team' | 'subscription' | 'tool';
  subjectId?: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  ip?: string | undefined;
};

export const insertAudit = async (db: Db, entry: AuditEntry, at: Date) => {
  await db.insert(auditLog).values({ ...entry, createdAt: at });
};
