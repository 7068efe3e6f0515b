import { audit } from '#server/audit/service.ts';
import type { Context } from '#server/platform/context.ts';
import { hasBudget, originOf } from '#server/platform/rate-limit.ts';
import { accountByEmail } from './queries.ts';

/** Records what was tried at the sign-in, for known and unknown addresses alike, so that no timing tells; never the address typed. */
async function record(context: Context, what: 'failed' | 'throttled' | 'refused', email: string): Promise<void> {
  const limit = what === 'throttled' ? 'auditThrottle' : 'auditFailure';
  if (!(await hasBudget(context, limit, `${email} ${originOf(context)}`))) return;
  if (!(await hasBudget(context, 'auditFlood', 'all'))) return;
  const account = email.includes('\0') ? null : await accountByEmail(context.db, email);
  const subject = account ? { user: account.actor.id } : { after: { account: 'unknown' } };
  await audit(context, `account.sign_in_${what}`, { actorId: null, ...subject });
}

export const recordFailure = (context: Context, email: string) => record(context, 'failed', email);
export const recordThrottle = (context: Context, email: string) => record(context, 'throttled', email);
export const recordRefusal = (context: Context, email: string) => record(context, 'refused', email);
