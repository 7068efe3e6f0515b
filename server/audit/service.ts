import { auditLog } from '#shared/schema/admin.ts';
import type { Context } from '#server/platform/context.ts';
import { afterCommit } from '#server/platform/data/database.ts';
import { deviceName } from '#server/platform/http/device-name.ts';

import type { AuditAction } from './kinds.ts';

export type { AuditAction };

export * from './queries.ts';
export { detailsOf, idsIn, labelOf, sentenceOf } from './words.ts';

/** Whom or what it was done to, as one id: `{ user: id }`. */
type Subject = Partial<Record<'user' | 'team' | 'subscription' | 'tool', string>>;

type Change = {
  /** Who did it, if not the sender of the request; null for the clock, Stripe or an operator. */
  actorId?: string | null;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

type Audited = Pick<Context, 'db' | 'now' | 'caller'> & Partial<Pick<Context, 'log'>>;

/**
 * Writes one audit row in the caller's transaction: who, from which IP address and device, what, to whom, before and after. People
 * appear by id only, and `before` and `after` never hold a secret. Once committed, the row is also logged, for a SIEM.
 */
export async function audit(
  { db, now, caller, log }: Audited,
  action: AuditAction,
  { actorId, before, after, ...subject }: Subject & Change,
): Promise<void> {
  const [subjectType, subjectId] = Object.entries(subject)[0] ?? [];
  // What Stripe, the clock or an operator does has no address or device; a refused stranger has.
  const from = actorId === null && !isRefusal(action) ? undefined : caller;
  const row = {
    action,
    subjectType,
    subjectId,
    before,
    after,
    actorId: actorId === undefined ? (caller?.actorId ?? null) : actorId,
    ip: from?.ip,
    device: from?.userAgent === undefined ? undefined : deviceName(from.userAgent),
    createdAt: now(),
  };
  await db.insert(auditLog).values(row);
  afterCommit(db, () => log?.info({ audit: row }, 'audit'));
}

const isRefusal = (action: AuditAction) => /^(account\.sign_in_|refused\.)/.test(action);

export const auditOwnAccount = (
  context: Audited,
  action: AuditAction,
  userId: string,
  change: Omit<Change, 'actorId'> = {},
) => audit(context, action, { user: userId, actorId: userId, ...change });
