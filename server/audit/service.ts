import { auditLog } from '#shared/schema/admin.ts';
import type { Context } from '#server/platform/context.ts';

/** Such as `account.registered`. */
type Action = `${string}.${string}`;

/** To whom or what it was done, as one id: `{ user: id }`. */
type Subject = Partial<Record<'user' | 'team' | 'subscription' | 'tool', string>>;

type Change = {
  /** Who did it, where it was not the sender of the request; null where the clock, Stripe or an operator did. */
  actorId?: string | null;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
};

/**
 * Writes one audit row in the caller's transaction: who, from which IP address, what, to whom, before and after. People appear by
 * id only, and `before` and `after` never hold a secret.
 */
export async function audit(
  { db, now, caller }: Pick<Context, 'db' | 'now' | 'caller'>,
  action: Action,
  { actorId, before, after, ...subject }: Subject & Change,
): Promise<void> {
  const [subjectType, subjectId] = Object.entries(subject)[0] ?? [];
  await db.insert(auditLog).values({
    action,
    subjectType,
    subjectId,
    before,
    after,
    actorId: actorId === undefined ? (caller?.actorId ?? null) : actorId,
    ip: actorId === null ? null : caller?.ip,
    createdAt: now(),
  });
}

/** What somebody did to their own account. */
export const auditOwnAccount = (
  context: Context,
  action: Action,
  userId: string,
  change: Omit<Change, 'actorId'> = {},
) => audit(context, action, { user: userId, actorId: userId, ...change });
