import type { Context } from '#server/platform/context.ts';
import { insertAudit, type AuditEntry } from './queries.ts';

export type { AuditEntry };

/**
 * Writes one audit row in the caller's transaction (decisions §11): who, what, whom, before and after. People by id only;
 * never a secret in `before` or `after`.
 */
export const audit = (context: Pick<Context, 'db' | 'now'>, entry: AuditEntry) =>
  insertAudit(context.db, entry, context.now());
